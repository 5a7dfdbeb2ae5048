package import PackGround

/// The reason why an installation was refused or stopped.
///
/// The installed release is unchanged.
package enum ClientError: Remedied, Equatable {
    case busy(directory: String)
    case notAnInstallation(directory: String)
    case otherApp(installed: String, offered: String)
    case otherChannel(installed: String, asked: String)
    case replayed(offered: Int, seen: Int)
    case splitView(sequence: Int)
    case expired(at: String)
    /// Expired by the root's time, though not by the device's clock.
    case expiredByRoot(at: String, root: Int, createdAt: String)
    case disabled(channel: String)
    /// The channel tells apps to load the https pages.
    case bypassed(channel: String)
    /// Nothing is installed, and the channel was closed.
    ///
    /// - Parameter open: The origin's other open channels; `nil` if they cannot be listed.
    case closed(channel: String, at: String, open: [String]?)
    /// Nothing is installed, and the channel offers this device no release.
    case notOffered(channel: String, reason: String)
    /// The channel offers no release to every device, as apps require.
    case notForEveryDevice(channel: String, offers: [String])
    case treeDiffers(version: String)
    case damagedState(place: String, problem: String)
    case noSpace(directory: String, needed: UInt64, free: UInt64)

    package var code: String {
        switch self {
        case .busy: "install.busy"
        case .notAnInstallation: "install.not-an-installation"
        case .otherApp: "install.other-app"
        case .otherChannel: "install.other-channel"
        case .replayed: "install.replayed"
        case .splitView: "install.split-view"
        case .expired, .expiredByRoot: "install.expired"
        case .disabled: "install.disabled"
        case .bypassed: "install.bypassed"
        case .closed: "install.closed"
        case .notOffered: "install.not-offered"
        case .notForEveryDevice: "install.not-for-every-device"
        case .treeDiffers: "install.tree-differs"
        case .damagedState: "install.damaged-state"
        case .noSpace: "install.no-space"
        }
    }

    package var description: String {
        switch self {
        case .busy(let directory): "another installation is running in '\(directory)'"
        case .notAnInstallation(let directory):
            "'\(directory)' is not empty and is not an installation"
        case .otherApp(let installed, let offered):
            "the origin publishes the app '\(offered)'; this installation is of '\(installed)'"
        case .otherChannel(let installed, let asked):
            "this installation is on channel '\(installed)', not '\(asked)'"
        case .replayed(let offered, let seen):
            "the pointer has sequence \(offered), but this installation has already seen \(seen)"
        case .splitView(let sequence):
            "the pointer with sequence \(sequence) has changed since this installation read it"
        case .expired(let time): "the pointer expired at \(time)"
        case .expiredByRoot(let time, let root, let createdAt):
            "the pointer expires at \(time), and root \(root), whose time counts, was made at \(createdAt)"
        case .disabled(let channel): "channel '\(channel)' is paused"
        case .bypassed(let channel):
            "channel '\(channel)' is paused, and apps load the https pages instead"
        case .closed(let channel, let time, _):
            "channel '\(channel)' was closed at \(time), and nothing is installed here"
        case .notOffered(let channel, let reason):
            "channel '\(channel)' offers this device no release: \(reason)"
        case .notForEveryDevice(let channel, let offers):
            "channel '\(channel)' offers no release to every device, but "
                + offers.joined(separator: "; ")
        case .treeDiffers(let version): "the unpacked files do not match release \(version)"
        case .damagedState(let place, let problem): "'\(place)' cannot be read: \(problem)"
        case .noSpace(let directory, let needed, let free):
            "'\(directory)' has \(readableSize(free)) free; this update needs \(readableSize(needed))"
        }
    }

    package var unaffected: String? {
        switch self {
        // Without an installation.
        case .notForEveryDevice, .closed: nil
        case .notAnInstallation: "everything in it; nothing was written"
        default: "the installed release, if there is one"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .busy: .conflict
        case .notAnInstallation, .otherChannel, .damagedState, .noSpace: .couldNotDo
        default: .verification
        }
    }

    package var remedy: String {
        switch self {
        case .busy: "wait until it has finished, then install again"
        case .notAnInstallation: "name an empty directory, or one that 'packtool install' wrote"
        case .otherApp: "install into another directory"
        case .otherChannel(_, let asked):
            "install channel '\(asked)' into another directory: an installation keeps its channel"
        case .replayed, .splitView:
            "run 'packtool verify' on the origin; it was restored from an old copy or tampered with"
        case .expired: "run 'packtool renew' on the origin"
        case .expiredByRoot:
            "run 'packtool renew' on the origin with --expires-in-days, so that the pointer lives longer than the "
                + "clock was ahead that made the root; if it was not, correct this device's clock"
        case .closed(_, _, let open):
            switch open {
            case nil: "choose another --channel"
            case []?: "publish to the origin: it has no open channel"
            case let names?:
                "choose another --channel: \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") open"
            }
        case .disabled, .bypassed: "wait until it is resumed, or choose another --channel"
        case .notOffered:
            "run 'packtool explain' with this device's values; check --native and --channel"
        case .notForEveryDevice:
            "raise its share with 'packtool rollout ORIGIN 100', or name the app's version with --native"
        case .treeDiffers: "run 'packtool verify' on the origin"
        case .damagedState: "remove the file; the next installation creates it again"
        case .noSpace: "free some space there and install again"
        }
    }
}
