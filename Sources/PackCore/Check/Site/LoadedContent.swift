import PackGround
import PackWeb

/// The effects of a packaged style sheet or script on the pages loading it.
struct LoadedContent: Sendable {
    /// The URLs of a style sheet.
    let references: [Reference]
    /// The references of a script, without literals of unknown use.
    let script: [JavaScriptReference]
}

/// Style sheets and scripts read again for the pages loading them, each once.
final class LoadedContents: Sendable {
    private let known = Locked<[Int: LoadedContent]>([:])

    /// The content of a file; `nil` if it cannot be read.
    ///
    /// No lock is held while reading, so two tasks may read the same file.
    func content(of file: Int, in site: SiteIndex) -> LoadedContent? {
        if let content = known.withLock({ $0[file] }) { return content }
        guard let kind = site.files[file].kind, kind == .css || kind == .script,
            site.files[file].size <= UInt64(SiteSource.documentLimit),
            let bytes = try? site.content(of: file)
        else { return nil }
        let read = DocumentReader.read(site: site, index: file, kind: kind, bytes: bytes)
        let content = LoadedContent(
            references: kind == .css ? read.references : [],
            script: read.scriptReferences.flatMap(\.references).filter { $0.kind != .literal })
        known.withLock { $0[file] = content }
        return content
    }
}

extension SiteIndex {
    /// The effects of a style sheet or script; `nil` if it cannot be read.
    func loadedContent(of file: Int) -> LoadedContent? {
        loadedContents.content(of: file, in: self)
    }
}
