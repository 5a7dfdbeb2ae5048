extension PackClient {
    /// A release on the device.
    public struct Release: Equatable, Sendable {
        /// Its content id, 20 hexadecimal digits.
        public let version: String
        /// Its name for people.
        public let label: String?
        /// The path of its first page below ``directory``, as `index.html`; `nil` if it has none.
        public let launchPath: String?
        /// The directory of its files, which are never changed.
        public let directory: String
        /// Whether it is the one in the app.
        public let isEmbedded: Bool
        /// The channel of the pointer that offered it.
        public let channel: String
    }

    /// What a start of the app runs.
    public struct Start: Sendable {
        /// What runs.
        public enum Choice: Sendable {
            /// A release on the device.
            case release(Release)
            /// The https pages: the channel's publisher has switched packages off.
            case web
            /// No release can run; the app shows its https pages, or an error.
            case nothing
        }

        public let choice: Choice
        /// Whether the publisher wants a newer release installed before this one continues.
        ///
        /// It is never set if the device is offered nothing else, or if updates are paused.
        public let mustUpdate: Bool
        /// Why the start could not be stored, if so; the release runs nevertheless.
        public let problem: PackError?

        /// The release that runs, if any.
        public var release: Release? {
            if case .release(let release) = choice { release } else { nil }
        }
    }

    /// What happens during an update.
    public enum Event: Sendable {
        /// The pointer is requested.
        case checking
        /// A file is being fetched.
        case downloading(bytes: UInt64, of: UInt64)
        /// A newer release is on the device, and runs at the next start.
        case installed(Release)
        /// A newer release was started, as asked for by ``Apply/now``: load its first page.
        case started(Start)
        /// The release of this version is the newest for this device.
        case upToDate(String)
        /// No update for now.
        case held(HoldReason)
    }

    /// The reason why there is no update for now.
    ///
    /// None is a failure of the device.
    public enum HoldReason: Equatable, Sendable {
        /// The interval has not passed.
        case notDue(seconds: Double)
        /// Another process updates this installation.
        case busy
        /// The publisher has paused the channel.
        case paused
        /// The publisher has switched packages off: the next start loads the https pages.
        case bypassed
        /// The pointer has expired.
        case expired
        /// The channel has ended.
        case closed
        /// The channel offers this device no release.
        case notOffered
        /// The offered release did not become ready here.
        case failedHere
        /// Each route needs more than the limits allow.
        case limits
    }
}

/// The reason why something could not be done.
///
/// The running release is unaffected.
public struct PackError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name, such as `install.no-space`; docs/guide/app.md lists them.
    public let code: String
    /// One sentence for logs.
    public let description: String
}
