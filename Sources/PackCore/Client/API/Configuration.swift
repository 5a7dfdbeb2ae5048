import PackGround
package import PackOrigin

extension PackClient {
    /// What a client needs to know.
    public struct Configuration: Sendable {
        /// The origin's address, `https://…`; a directory or `file://` URL for tests.
        public var origin: String
        /// Further addresses of the same origin, tried in turn.
        public var mirrors: [String] = []
        /// The app's name, as in `packtool.yaml`.
        public var app: String
        /// The channel of a new installation; `nil` for that of the embedded release, else `production`.
        ///
        /// An installation keeps its channel; ``PackClient/use(channel:)`` switches it.
        public var channel: String?
        /// The root of trust; `nil` for that of the embedded release, if it has one.
        public var trust: Trust?
        /// The directory that `packtool embed` wrote and the app contains; `nil` if it has none.
        public var embedded: String?
        /// The directory for downloaded releases, which belongs to this package alone.
        public var directory: String
        /// The app's version, 1 to 4 numbers joined by dots; `nil` if unknown.
        public var nativeVersion: String?
        /// The app's platform, for releases with limits by platform; `nil` to obey the limits of both.
        public var platform = Platform.current
        /// Sends requests; only directories can be read without one.
        public var transport: PackTransport?
        /// The time between updates that are not forced, in seconds; it varies by 20 %.
        public var interval = 900.0
        /// The time, which decides whether pointers and roots have expired.
        public var clock = PackClock.system

        public init(origin: String, app: String, directory: String) {
            self.origin = origin
            self.app = app
            self.directory = directory
        }

        /// - Throws: ``Failure`` for an address that is neither.
        func checkOrigin() throws {
            if isRemote { return _ = try HTTPAddress(origin) }
            guard origin.hasPrefix("/") || origin.hasPrefix("file://") else {
                throw Failure.invalidArgument(
                    kind: "origin", word: origin, problem: "is not an https address",
                    example: "https://cdn.example.com/shop")
            }
        }

        /// Whether a web server has the origin.
        var isRemote: Bool {
            let start = origin.prefix(8).lowercased()
            return start.hasPrefix("http://") || start.hasPrefix("https://")
        }
    }

    /// The platforms with separate limits of app versions.
    public enum Platform: Sendable {
        case ios, android

        /// The platform that the program was built for; `nil` if it is neither.
        public static var current: Platform? {
            #if os(iOS)
                return .ios
            #elseif os(Android)
                return .android
            #else
                return nil
            #endif
        }

        var value: AppPlatform {
            switch self {
            case .ios: .ios
            case .android: .android
            }
        }
    }

    /// The root of trust that an app contains.
    public enum Trust: Sendable {
        /// The bytes of the root's file, `<version>.root.json`.
        case root([UInt8])
        /// The SHA-256 of the root's file, 64 hexadecimal digits, and its version; the file is fetched
        /// once.
        case sha256(String, version: Int)
    }

    /// How one update works.
    public struct UpdateOptions: Sendable {
        /// Whether to look for a release although the interval has not passed.
        public var isForced = false
        /// Whether the network is metered: the route with the fewest bytes is taken, even if it is slow.
        public var isMetered = false
        /// When the app runs the new release.
        public var apply = Apply.nextStart
        /// Whether to hash the installed files although nothing is new, and repair damaged ones.
        public var checksFiles = false
        public var limits = Limits()

        public init() {}
    }

    /// When the app runs a new release.
    public enum Apply: Sendable {
        /// At its next ``PackClient/start()``.
        case nextStart
        /// At once: the client starts it, and the app loads its first page.
        case now
    }

    /// The limits of an update.
    ///
    /// A route that needs more is not taken.
    public struct Limits: Sendable {
        /// Bytes to fetch on a metered network; `nil` for no limit.
        public var meteredBytes: UInt64?
        /// Free space to leave on the device, in bytes.
        public var spaceToLeave: UInt64 = 64 << 20
        /// Memory for applying a delta, in bytes.
        public var deltaMemory: UInt64 = 128 << 20
        /// The estimated time for applying a delta, in seconds; `nil` for no limit.
        public var deltaSeconds: Double?

        public init() {}
    }
}

/// The clocks of a device.
public struct PackClock: Sendable {
    /// Seconds since 1970 in UTC.
    public var now: @Sendable () -> Int
    /// Seconds since some moment in the past; it never goes back.
    public var monotonicSeconds: @Sendable () -> Double

    public init(
        now: @escaping @Sendable () -> Int, monotonicSeconds: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.monotonicSeconds = monotonicSeconds
    }
}

/// Sends requests for a client, such as `URLSession` of the product `PackClientURLSession`.
public struct PackTransport: Sendable {
    package let transport: any HTTPTransport

    package init(_ transport: any HTTPTransport) { self.transport = transport }
}
