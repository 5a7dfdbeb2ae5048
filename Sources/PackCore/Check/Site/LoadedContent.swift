import PackWeb
import Synchronization

/// What a style sheet or a script of the package does for the pages that load it.
struct LoadedContent: Sendable {
    /// The URLs of a style sheet.
    let references: [Reference]
    /// What a script does, without the texts whose use is not known.
    let script: [JavaScriptReference]
}

/// Files that are read again for the pages that load them: each once, however many pages do.
final class LoadedContents: Sendable {
    private let known = Mutex<[Int: LoadedContent]>([:])

    /// The content of a file; `nil` if it cannot be read.
    ///
    /// Two tasks that need the same file at the same time may both read it: no lock is held meanwhile.
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
    /// What a style sheet or a script does; `nil` if it cannot be read.
    func loadedContent(of file: Int) -> LoadedContent? {
        loadedContents.content(of: file, in: self)
    }
}
