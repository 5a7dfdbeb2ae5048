import Foundation
public import PackClient

extension PackClient.Configuration {
    /// Creates ``directory``, with attributes for files from the network.
    ///
    /// Call it before ``PackClient/start()``. The directory is excluded from backups, because its files
    /// can be downloaded again. On iOS, new files in it can be read and written while the device is
    /// locked, once it was unlocked after its last restart; existing files keep their protection.
    /// Linux has neither attribute.
    ///
    /// - Throws: An error of Foundation if the directory or an attribute could not be written. The
    ///   client can be used nevertheless.
    public func prepareDirectory() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        #if os(iOS)
            try FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: directory)
        #endif
        #if canImport(Darwin)
            var url = URL(fileURLWithPath: directory, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try url.setResourceValues(values)
        #endif
    }
}
