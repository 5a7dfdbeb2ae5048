/// Writes the URL of a packaged file in the form that the document uses.
enum ReferenceAddress {
    /// The reference with its path replaced by that of a packaged file.
    ///
    /// A reference that spells scheme and host keeps them; any other becomes root-relative, which
    /// resolves to the same place in every directory.
    /// Query and fragment stay.
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
        }
        if let query = url.query { text += "?" + String(decoding: query, as: UTF8.self) }
        if let fragment = url.fragment { text += "#" + String(decoding: fragment, as: UTF8.self) }
        return text
    }

    /// The custom URL for an https URL that names a packaged file.
    static func custom(of url: URLRecord, in profile: Profile) -> String? {
        guard let host = url.host else { return nil }
        var text = String(decoding: profile.canonicalScheme, as: UTF8.self) + "://"
        text += String(decoding: host.serialized, as: UTF8.self)
        text += String(decoding: url.path, as: UTF8.self)
        if let query = url.query { text += "?" + String(decoding: query, as: UTF8.self) }
        if let fragment = url.fragment { text += "#" + String(decoding: fragment, as: UTF8.self) }
        return text
    }

    /// The https URL for a custom URL.
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
