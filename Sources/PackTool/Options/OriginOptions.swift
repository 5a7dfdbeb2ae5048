import ArgumentParser
import PackOrigin
import PackS3
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
        if !arguments.contains(where: S3Address.isS3) { try bucket.refuse(for: shown) }
        if !arguments.contains(where: HTTPAddress.isHTTP) { try authority.refuse(for: shown) }
        return OriginOpener(settings: settings, console, authorityFile: authority.caFile)
    }
}
