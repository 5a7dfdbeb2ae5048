package import PackGround

extension Failure.Code {
    package static let installBusy = Self("install.busy")
    package static let installNotAnInstallation = Self("install.not-an-installation")
    package static let installOtherApp = Self("install.other-app")
    package static let installNotEmbedded = Self("install.not-embedded")
    package static let installReplayed = Self("install.replayed")
    package static let installSplitView = Self("install.split-view")
    package static let installExpired = Self("install.expired")
    package static let installExpiredByRoot = Self("install.expired", "root")
    package static let installDisabled = Self("install.disabled")
    package static let installBypassed = Self("install.bypassed")
    package static let installClosed = Self("install.closed")
    package static let installNotOffered = Self("install.not-offered")
    package static let installNotForEveryDevice = Self("install.not-for-every-device")
    package static let installTreeDiffers = Self("install.tree-differs")
    package static let installDamagedState = Self("install.damaged-state")
    package static let installOverLimit = Self("install.over-limit")
    package static let installNoSpace = Self("install.no-space")
}

/// The reason why an installation was refused or stopped.
///
/// The installed release is unchanged.
extension Failure {
    package static func installBusy(directory: String) -> Failure {
        install(
            .installBusy, "another installation is running in '\(directory)'", exitCode: .conflict)
    }

    package static func installNotAnInstallation(directory: String) -> Failure {
        install(
            .installNotAnInstallation,
            "'\(directory)' is not empty and is not an installation",
            unaffected: "everything in it; nothing was written", exitCode: .couldNotDo)
    }

    package static func installOtherApp(installed: String, offered: String) -> Failure {
        install(
            .installOtherApp,
            "this is of the app '\(offered)'; the installation is of '\(installed)'")
    }

    package static func installNotEmbedded(directory: String, problem: String) -> Failure {
        install(
            .installNotEmbedded, "'\(directory)' \(problem)", exitCode: .couldNotDo)
    }

    package static func installReplayed(offered: Int, seen: Int) -> Failure {
        install(
            .installReplayed,
            "the pointer has sequence \(offered), but this installation has already seen \(seen)")
    }

    package static func installSplitView(sequence: Int) -> Failure {
        install(
            .installSplitView,
            "the pointer with sequence \(sequence) has changed since this installation read it")
    }

    package static func installExpired(at time: String) -> Failure {
        install(.installExpired, "the pointer expired at \(time)")
    }

    /// Expired by the root's time, though not by the device's clock.
    package static func installExpiredByRoot(
        at time: String, root: Int, createdAt: String
    ) -> Failure {
        install(
            .installExpiredByRoot,
            "the pointer expires at \(time), before root \(root) was created, at \(createdAt)")
    }

    package static func installDisabled(channel: String) -> Failure {
        install(.installDisabled, "channel '\(channel)' is paused")
    }

    /// The channel tells apps to load the https pages.
    package static func installBypassed(channel: String) -> Failure {
        install(
            .installBypassed,
            "channel '\(channel)' is paused, and apps load the https pages instead")
    }

    /// Nothing is installed, and the channel was closed.
    ///
    /// - Parameter open: The origin's other open channels; `nil` if they cannot be listed.
    package static func installClosed(
        channel: String, at time: String, open: [String]?
    ) -> Failure {
        install(
            .installClosed,
            "channel '\(channel)' was closed at \(time), and nothing is installed here",
            unaffected: nil,
            details: open.map {
                ["open": $0.joined(separator: ", "), "count": "\($0.count)"]
            } ?? [:])
    }

    /// Nothing is installed, and the channel offers this device no release.
    package static func installNotOffered(channel: String, reason: String) -> Failure {
        install(
            .installNotOffered, "channel '\(channel)' offers this device no release: \(reason)")
    }

    /// The channel offers no release to every device, as apps require.
    package static func installNotForEveryDevice(channel: String, offers: [String]) -> Failure {
        install(
            .installNotForEveryDevice,
            "channel '\(channel)' offers no release to every device, but "
                + offers.joined(separator: "; "), unaffected: nil)
    }

    package static func installTreeDiffers(version: String) -> Failure {
        install(.installTreeDiffers, "the unpacked files do not match release \(version)")
    }

    package static func installDamagedState(path: String, problem: String) -> Failure {
        install(
            .installDamagedState, "'\(path)' cannot be read: \(problem)", exitCode: .couldNotDo)
    }

    /// No route to a release is within the limits of the update.
    package static func installOverLimit(version: String, limit: UInt64) -> Failure {
        install(
            .installOverLimit,
            "no route to release \(version) is within the limit of \(readableSize(limit))",
            exitCode: .couldNotDo)
    }

    package static func installNoSpace(directory: String, needed: UInt64, free: UInt64) -> Failure {
        install(
            .installNoSpace,
            "'\(directory)' has \(readableSize(free)) free; this update needs \(readableSize(needed))",
            exitCode: .couldNotDo)
    }

    private static func install(
        _ code: Code, _ description: String,
        unaffected: String? = "the installed release, if there is one",
        exitCode: ExitCode = .verification, details: [String: String] = [:]
    ) -> Failure {
        Failure(
            code, description, unaffected: unaffected, exitCode: exitCode, details: details)
    }
}
