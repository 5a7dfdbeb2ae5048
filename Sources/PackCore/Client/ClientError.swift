/// Why an installation was refused or stopped.
///
/// The installed release stays as it is.
package enum ClientError: Remedied, Equatable {
    case busy(directory: String)
    case notAnInstallation(directory: String)
    case otherApp(installed: String, offered: String)
    case otherChannel(installed: String, asked: String)
    case replayed(offered: Int, seen: Int)
    case splitView(sequence: Int)
    case expired(at: String)
    case disabled(channel: String)
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
        case .expired: "install.expired"
        case .disabled: "install.disabled"
        case .treeDiffers: "install.tree-differs"
        case .damagedState: "install.damaged-state"
        case .noSpace: "install.no-space"
        }
    }

    package var description: String {
        switch self {
        case .busy(let directory): "another installation is at work in '\(directory)'"
        case .notAnInstallation(let directory):
            "'\(directory)' is not empty and is not an installation"
        case .otherApp(let installed, let offered):
            "the origin offers the app '\(offered)'; this installation follows '\(installed)'"
        case .otherChannel(let installed, let asked):
            "this installation follows channel '\(installed)', not '\(asked)'"
        case .replayed(let offered, let seen):
            "the pointer has sequence \(offered), but \(seen) was seen before: it is an old one"
        case .splitView(let sequence):
            "the pointer with sequence \(sequence) has other content than it had before"
        case .expired(let time): "the pointer expired at \(time)"
        case .disabled(let channel): "channel '\(channel)' is disabled"
        case .treeDiffers(let version): "what was unpacked is not release \(version)"
        case .damagedState(let place, let problem): "'\(place)' cannot be read: \(problem)"
        case .noSpace(let directory, let needed, let free):
            "'\(directory)' has \(readableSize(free)) free; this update needs \(readableSize(needed))"
        }
    }

    package var unaffected: String? { "the installed release, if there is one" }

    package var failure: FailureKind {
        switch self {
        case .busy: .conflict
        case .notAnInstallation, .otherChannel, .damagedState, .noSpace: .couldNotDo
        default: .verification
        }
    }

    package var remedy: String {
        switch self {
        case .busy: "wait until it has ended, then install again"
        case .notAnInstallation: "name an empty directory, or one that 'packtool install' wrote"
        case .otherApp, .otherChannel: "install into a directory of its own"
        case .replayed, .splitView:
            "the origin was set back or tampered with: run 'packtool verify' on it"
        case .expired: "publish again with --renew"
        case .disabled: "wait until it is enabled, or follow another --channel"
        case .treeDiffers: "run 'packtool verify' on the origin"
        case .damagedState: "remove the file; the next installation writes it anew"
        case .noSpace: "free some space there and install again"
        }
    }
}
