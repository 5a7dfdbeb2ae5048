import PackWeb
import Synchronization

/// What is found in scripts that two releases share: each is read once, however many of them are checked.
package final class SharedScripts: Sendable {
    struct Key: Hashable {
        let content: Digest
        let isModule: Bool
    }

    /// Others are not kept.
    private let shared: Set<Digest>
    private let known = Mutex<[Key: JavaScriptReferences]>([:])

    package init(of one: Release, and other: Release) {
        shared = Set(one.assets.map(\.sha256)).intersection(other.assets.map(\.sha256))
    }

    /// What is found in a script; `read` reads it.
    func references(
        of key: Key, _ read: () -> JavaScriptReferences
    ) -> JavaScriptReferences {
        guard shared.contains(key.content) else { return read() }
        if let found = known.withLock({ $0[key] }) { return found }
        let found = read()
        known.withLock { $0[key] = found }
        return found
    }
}

extension DocumentContext {
    /// What is found in one of its scripts.
    func references(of script: ScriptText) -> JavaScriptReferences {
        let isModule = script.role == .module
        func read() -> JavaScriptReferences {
            JavaScriptReferences(
                of: script.bytes.span, goal: isModule ? .module : .unknown,
                surroundings: profile.surroundings)
        }
        // The same bytes in another encoding are another script.
        guard let shared = site.sharedScripts, kind == .script, text.transcoded == nil,
            let content = site.knownDigest(of: index)
        else { return read() }
        return shared.references(of: .init(content: content, isModule: isModule), read)
    }
}
