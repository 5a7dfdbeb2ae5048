import PackProfile
import PackURL

extension Rule {
    /// A URL that ends with a directory.
    static let directoryURL = Rule(
        "directory-url", group: .lookup,
        level: .init("error if the handler has no index files") {
            $0.client.indexFile == .none ? .error : .warning
        }, fix: .safe,
        document: misses { cause, reference, document in
            // In scripts, a directory is a base for other URLs: new URL("../", import.meta.url).
            if case .script = reference.kind { return nil }
            guard cause == .directory, let url = reference.resolution.url else { return nil }
            var meant: String?
            // A URL outside the package's root has no page in it.
            let path = document.profile.packagePath(of: url).map { PercentEncoding.decode($0) }
            if let path,
                let index = document.site.listing.index(of: path + Array("index.html".utf8))
            {
                meant = ReferenceAddress.of(
                    document.site.path(index), insteadOf: reference, in: document.site)
            }
            return FaultReport(
                message: "'\(reference.text)' names a directory", meant: meant,
                cause: document.site.targetName(reference.resolution).map { "directory \($0)" },
                setting: meant.map { _ in SettingProposal("profile.index-file", "directory") })
        })
}
