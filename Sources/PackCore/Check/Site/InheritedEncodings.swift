import PackGround
import PackProfile
import PackWeb

/// The encodings that files without a declaration inherit from the pages loading or framing them.
///
/// Pages are read first, so the encodings are known in time. If several pages load a file, the
/// first one counts.
final class InheritedEncodings: Sendable {
    private struct Entry {
        let page: Int
        let encoding: String
    }

    private let known = Locked<[Int: Entry]>([:])

    /// The inherited encoding of a script, style sheet or framed page; `nil` if the file is UTF-8
    /// or declares its own.
    func encoding(of file: Int) -> String? { known.withLock { $0[file]?.encoding } }

    /// Records the encodings that a page passes on to the files it loads.
    func add(_ page: DocumentContext) {
        guard page.kind == .html else { return }
        let own = page.site.encoding(of: page.index, page.text.source)
        var found: [(Int, String)] = []
        for reference in page.references {
            guard let file = reference.resolution.file, let element = page.element(of: reference)
            else { continue }
            switch reference.htmlKind {
            case .script, .styleSheet: break
            case .frame:
                // A page without a declaration inherits the encoding of the page framing it.
                if let own, file != page.index { found.append((file, own)) }
                continue
            default: continue
            }
            let label = page.has("charset", element) ? page.keyword("charset", of: element) : nil
            let encoding = label.flatMap { EncodingLabel.name(of: $0.utf8) } ?? own
            if let encoding, encoding != "utf-8" { found.append((file, encoding)) }
        }
        // Style sheets imported by a `style` element.
        if let own, own != "utf-8" {
            for reference in page.references where reference.cssRole == .importedSheet {
                if let file = reference.resolution.file { found.append((file, own)) }
            }
        }
        guard !found.isEmpty else { return }
        known.withLock { known in
            for (file, encoding) in found where known[file].map({ $0.page > page.index }) ?? true {
                known[file] = Entry(page: page.index, encoding: encoding)
            }
        }
    }

    /// Passes the encodings on to sheets imported by sheets, after all pages have been read.
    func settle(in site: SiteIndex) {
        var waiting = known.withLock { $0.sorted { $0.key < $1.key } }
            .filter { site.files[$0.key].kind == .css }
        while let (file, entry) = waiting.popLast() {
            guard site.files[file].size <= UInt64(SiteSource.documentLimit),
                let bytes = try? site.content(of: file)
            else { continue }
            let encoding = site.encoding(of: file, bytes) ?? entry.encoding
            let sheet = DocumentReader.read(site: site, index: file, kind: .css, bytes: bytes)
            for reference in sheet.references where reference.cssRole == .importedSheet {
                guard let next = reference.resolution.file, encoding != "utf-8" else { continue }
                let new = Entry(page: entry.page, encoding: encoding)
                let isNew = known.withLock { known in
                    guard known[next] == nil else { return false }
                    known[next] = new
                    return true
                }
                if isNew { waiting.append((next, new)) }
            }
        }
    }
}
