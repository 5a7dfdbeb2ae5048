import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// Root-relative URLs with another root than the package's.
    static let rootMismatch = Rule(
        "root-mismatch", group: .origin, level: .always(.error), fix: .unsafe,
        document: { document, sink in
            guard document.profile.client.lookUp == .path else { return }
            for reference in document.references
            where reference.isEffective && RootCheck.applies(to: reference) {
                guard let (right, root) = RootCheck.found(reference, in: document.site),
                    reference.fault == nil
                else { continue }
                sink.report(
                    reference, "'\(reference.text)' assumes another root than the package's",
                    notes: ["the package has the file at '\(right)'"]
                        + (root.map { ["if the app serves the package under '\($0)', declare it"] }
                            ?? []),
                    fix: document.fix(.unsafe, reference, to: right),
                    severity: reference.isRarelyMissed ? .hint : nil,
                    cause: root ?? "the package's root",
                    setting: SettingProposal("profile.root", root ?? "/"))
            }
            let directory = document.facts(.literal).first {
                RootCheck.isDirectory($0.fact, in: document.site)
            }
            if let directory {
                sink.report(
                    at: directory.range,
                    "'\(directory.text)' is outside of the root '\(document.profile.root)'",
                    severity: directory.isHarmless ? .hint : .warning)
            }
        },
        site: { context, sink in
            guard context.site.profile.client.lookUp == .path else { return }
            for (file, reference, failure) in LateAssets.failures(in: context) {
                guard let (right, root) = RootCheck.found(failure, in: context.site) else {
                    continue
                }
                sink.report(
                    file: file, at: reference.range,
                    "'\(printable(reference.value))' assumes another root than the package's",
                    notes: ["the package has the file at '\(right)'"]
                        + (root.map {
                            ["if the app serves the package there, set 'profile.root: \($0)'"]
                        } ?? []),
                    severity: reference.traits.contains(.spare) ? .warning : nil,
                    cause: root ?? "the package's root")
            }
        })
}

enum RootCheck {
    /// Whether the rule covers a reference: resources loaded by pages, and requests by scripts.
    static func applies(to reference: Reference) -> Bool {
        reference.use.isFetched || reference.use == .request
    }

    /// Whether a script names a directory of the package, from `/` instead of the package's root.
    static func isDirectory(_ literal: JavaScriptReference, in site: SiteIndex) -> Bool {
        let root = site.profile.root
        guard root != "/", literal.extent != .part, literal.value.first == UInt8(ascii: "/"),
            literal.value.last == UInt8(ascii: "/"), literal.value.count > 2,
            !literal.value.starts(with: root.utf8)
        else { return false }
        return site.listing.hasFiles(below: literal.value.dropFirst())
    }

    /// Whether a path, or its prefix, names packaged files after removing its first directories.
    static func isBelowOtherRoot(_ value: [UInt8], isPrefix: Bool, in site: SiteIndex) -> Bool {
        guard site.profile.client.lookUp == .path, value.first == UInt8(ascii: "/") else {
            return false
        }
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var rest = PercentEncoding.decode(path)[...].dropFirst()
        for _ in 0..<8 {
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return false }
            rest = rest[(slash + 1)...]
            guard !rest.isEmpty else { return false }
            if isPrefix ? site.listing.hasFiles(below: rest) : site.listing.index(of: rest) != nil {
                return true
            }
        }
        return false
    }

    /// The URL with the package's own root, and the root assumed by the page unless it is `/`;
    /// `nil` if the rule does not apply.
    static func found(
        _ reference: Reference, in site: SiteIndex
    ) -> (right: String, root: String?)? {
        guard applies(to: reference),
            reference.value.first == UInt8(ascii: "/") || reference.traits.contains(.fromBase),
            reference.writtenScheme == nil, !reference.isProtocolRelative
        else { return nil }
        return found(reference.resolution, in: site)
    }

    /// The same for a script's relative URL, if the page running the script has a `base`.
    static func found(
        _ failure: LateReference.Answer, in site: SiteIndex
    ) -> (right: String, root: String?)? {
        guard failure.runner.base != site.profile.url(of: site.path(failure.runner.file)) else {
            return nil
        }
        return found(failure.resolution, in: site)
    }

    /// The same for any URL.
    static func found(
        _ resolution: Resolution, in site: SiteIndex
    ) -> (right: String, root: String?)? {
        guard site.profile.client.lookUp == .path, resolution.isMiss, let url = resolution.url,
            url.query == nil
        else { return nil }
        let path = PercentEncoding.decode(url.path)
        guard Placeholder.find(in: path) == nil else { return nil }
        var rest = path.dropFirst()
        // Bounded: a URL consisting of slashes would take quadratic time.
        for _ in 0..<8 {
            if site.listing.index(of: rest) != nil {
                let right = site.profile.root + String(decoding: rest, as: UTF8.self)
                guard !right.utf8.elementsEqual(path) else { return nil }
                let fragment = url.fragment.map { "#" + String(decoding: $0, as: UTF8.self) } ?? ""
                let root = String(decoding: path[..<rest.startIndex], as: UTF8.self)
                return (right + fragment, root == "/" ? nil : root)
            }
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            rest = rest[(slash + 1)...]
        }
        return nil
    }
}
