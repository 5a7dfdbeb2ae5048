import ArgumentParser
import PackOrigin
import PackS3
import PackSettings

/// How the origins are reached that a command reads releases from.
struct OriginOptions: SettingOptions {
    @OptionGroup var bucket: BucketOptions
    @OptionGroup var authority: AuthorityOption

    func give(to settings: inout Configuration) { bucket.give(to: &settings) }

    /// - Parameter arguments: what may be an origin; options that say nothing about any of them are refused.
    func opener(
        _ settings: Settings, for arguments: [String], _ console: Console
    ) throws -> OriginOpener {
        let shown = arguments.last ?? "nothing"
        if !arguments.contains(where: S3Address.isS3) { try bucket.refuse(for: shown) }
        if !arguments.contains(where: HTTPAddress.isHTTP) { try authority.refuse(for: shown) }
        return OriginOpener(settings: settings, console, authorityFile: authority.caFile)
    }
}
