import PackProfile
import PackURL
import PackWeb

/// The addresses that the code of bundlers requests.
extension DocumentReader {
    /// The address of a chunk and its base, by the bundler's code that names it.
    func chunkAddress(
        _ chunk: JavaScriptReference, _ script: ScriptText, _ publicPath: JavaScriptReference?
    ) -> (value: [UInt8], base: URLRecord?) {
        switch chunk.form {
        case .next: return (chunk.value, context.url)
        case .parcel: return (chunk.value, script.fragment == nil ? context.url : context.baseURL)
        case .address: return (chunk.value, pageURL(script))
        case .vite, .webpack, .webpackAuto, .webpackScript, .webpackStyle, nil:
            let (prefix, base) = chunkBase(publicPath, script)
            return (prefix + chunk.value, base)
        }
    }

    /// The address of a file below webpack's public path.
    func publicAssetAddress(
        _ asset: JavaScriptReference, _ script: ScriptText, _ publicPath: JavaScriptReference?
    ) -> (value: [UInt8], base: URLRecord?) {
        guard let publicPath, publicPath.form == .webpack, publicPath.extent == .whole,
            publicPath.text != "auto"
        else { return (asset.value, pageURL(script)) }
        return (Self.base(publicPath.value) + asset.value, pageURL(script))
    }

    /// The prefix of a chunk's name, and the base URL of the chunk.
    func chunkBase(
        _ publicPath: JavaScriptReference?, _ script: ScriptText
    ) -> (prefix: [UInt8], base: URLRecord?) {
        guard let publicPath, publicPath.form == .webpack, publicPath.extent == .whole,
            publicPath.text != "auto"
        else {
            // The script's own directory, or some levels above it.
            return (
                publicPath?.text == "auto" ? [] : Self.base(publicPath?.value ?? []), context.url
            )
        }
        return (Self.base(publicPath.value), pageURL(script))
    }

    /// Vite's helper joins the list's paths to its base, which is `/` unless configured; with a
    /// relative base they resolve against the script.
    func preloadBase(_ value: [UInt8]) -> URLRecord? {
        let root = context.url.flatMap { URLRecord.parse(context.profile.root.utf8, base: $0) }
        let resolver = context.site.resolver
        let isBeside = resolver.resolve(value, from: context.url).twin != nil
        if value.first == UInt8(ascii: ".") {
            return isBeside || resolver.resolve(value, from: root).twin == nil ? context.url : root
        }
        return isBeside && resolver.resolve(value, from: root).twin == nil ? context.url : root
    }
}
