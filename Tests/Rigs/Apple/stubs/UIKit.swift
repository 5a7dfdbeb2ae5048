// Declarations of UIKit that the example app uses, without behavior, for a type check on Linux.
@_exported import Foundation

@MainActor open class UIView: NSObject {
    public init(frame: CGRect) {}
}

@MainActor open class UIApplication: NSObject {
    public static let shared = UIApplication()
    public func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { UIBackgroundTaskIdentifier(rawValue: 0) }
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Foundation has it on Apple systems alone.
extension URL {
    public static var applicationSupportDirectory: URL { URL(fileURLWithPath: "/") }
}
