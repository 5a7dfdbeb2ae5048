import ArgumentParser
import PackOrigin
import PackSettings

/// The connections to origins from which a command reads releases.
struct OriginOptions: SettingOptions {
    @OptionGroup var bucket: BucketOptions
    @OptionGroup var authority: AuthorityOption

    func apply(to settings: inout Configuration) { bucket.apply(to: &settings) }

    /// - Parameter arguments: The possible origins; options that apply to none of them are
    ///   rejected.
    func opener(
        _ settings: Settings, for arguments: [String], _ console: Console
    ) throws -> OriginOpener {
        let shown = arguments.last ?? "nothing"
        let addresses = arguments.map(OriginAddress.init)
        if !addresses.contains(where: \.isBucket) { try bucket.refuse(for: shown) }
        if !addresses.contains(where: \.isWeb) { try authority.refuse(for: shown) }
        return OriginOpener(settings: settings, console, authorityFile: authority.caFile)
    }
}
