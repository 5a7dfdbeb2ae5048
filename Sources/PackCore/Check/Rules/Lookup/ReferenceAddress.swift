import PackGround
import PackProfile
import PackURL

/// Writes the URL of a packaged file in the form used by the document.
enum ReferenceAddress {
    /// Replaces the path of a reference with that of a packaged file, keeping its form.
    ///
    /// An absolute reference keeps scheme and host, a root-relative one stays root-relative, and a
    /// relative one stays relative: with another base it means another file. Query and fragment
    /// stay.
    static func of(
        _ path: AssetPath, insteadOf reference: Reference, in site: SiteIndex
    ) -> String? {
        guard let url = reference.resolution.url else { return nil }
        let encoded = PercentEncoding.encode(path.bytes[...], .path)
        var text = site.profile.root + String(decoding: encoded, as: UTF8.self)
        if reference.writtenScheme != nil || reference.isProtocolRelative {
            let host = String(decoding: url.host?.serialized ?? [], as: UTF8.self)
            text = "//\(host)\(text)"
            if reference.writtenScheme != nil {
                text = String(decoding: url.scheme, as: UTF8.self) + ":" + text
            }
        } else if !text.hasPrefix("/") {
            return nil
        } else if let relative = relative(Array(text.utf8), insteadOf: reference.value, url) {
            text = String(decoding: relative, as: UTF8.self)
        }
        if let query = url.query { text += "?" + String(decoding: query, as: UTF8.self) }
        if let fragment = url.fragment { text += "#" + String(decoding: fragment, as: UTF8.self) }
        return text
    }

    /// Converts a root-relative path to one relative to the reference's directory; `nil` for a
    /// root-relative reference, or one with unusual steps.
    private static func relative(
        _ path: [UInt8], insteadOf value: [UInt8], _ url: URLRecord
    ) -> [UInt8]? {
        let slash = UInt8(ascii: "/")
        var written = value.drop { $0 <= 0x20 }.prefix { !"?#".utf8.contains($0) }
        while written.last.map({ $0 <= 0x20 }) == true { written.removeLast() }
        guard let first = written.first, first != slash, first != UInt8(ascii: "\\"),
            !written.contains(UInt8(ascii: "\\"))
        else { return nil }
        var steps = written.split(separator: slash, omittingEmptySubsequences: false)[...]
        // Append an empty name to a directory.
        if let last = steps.last, last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8) {
            steps.append([])
        }
        var lead: [UInt8] = []
        while let step = steps.first, step.elementsEqual(".".utf8) || step.elementsEqual("..".utf8)
        {
            lead += step + [slash]
            steps.removeFirst()
        }
        guard
            !steps.contains(where: {
                let step = PercentEncoding.decode($0)
                return step.elementsEqual(".".utf8) || step.elementsEqual("..".utf8)
            })
        else { return nil }
        // The base directory of the steps, and the path from there.
        let resolved = url.path.split(separator: slash, omittingEmptySubsequences: false)
        let start = resolved.dropLast(steps.count).map { PercentEncoding.decode($0) }
        let wanted = path.split(separator: slash, omittingEmptySubsequences: false)
        guard resolved.count >= steps.count, !start.isEmpty else { return nil }
        var common = 0
        while common < start.count, common < wanted.count - 1,
            start[common] == PercentEncoding.decode(wanted[common])
        { common += 1 }
        let ups = start.count - common
        if ups > 0, lead.elementsEqual("./".utf8) { lead = [] }
        let rest = Array(wanted[common...].joined(separator: [slash]))
        guard !rest.isEmpty else { return nil }
        lead += Array(repeating: Array("../".utf8), count: ups).joined()
        // A colon in the first step would end a scheme.
        if lead.isEmpty, rest.prefix(while: { $0 != slash }).contains(UInt8(ascii: ":")) {
            lead = Array("./".utf8)
        }
        return lead + rest
    }

    /// The custom URL of an https URL for a packaged file.
    static func custom(of url: URLRecord, in profile: Profile) -> String? {
        guard let host = url.host else { return nil }
        var text = String(decoding: profile.canonicalScheme, as: UTF8.self) + "://"
        text += String(decoding: host.serialized, as: UTF8.self)
        text += String(decoding: url.path, as: UTF8.self)
        if let query = url.query { text += "?" + String(decoding: query, as: UTF8.self) }
        if let fragment = url.fragment { text += "#" + String(decoding: fragment, as: UTF8.self) }
        return text
    }

    /// The https URL of a custom URL.
    static func secure(of url: URLRecord) -> String? {
        guard let host = url.host, !host.serialized.isEmpty else { return nil }
        var text = "https://" + String(decoding: host.serialized, as: UTF8.self)
        if let port = url.port, port != 443 { text += ":\(port)" }
        text += String(decoding: url.path, as: UTF8.self)
        if let query = url.query { text += "?" + String(decoding: query, as: UTF8.self) }
        if let fragment = url.fragment { text += "#" + String(decoding: fragment, as: UTF8.self) }
        return text
    }
}
