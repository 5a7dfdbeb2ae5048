import PackProfile
import PackURL
import PackWeb

/// Classifies requests for the security rules: active content, cross-origin requests.
enum SecurityModel {
    /// Content that can change the page; browsers never load it from an insecure URL
    /// (docs/sources.md#mixed-content, section 5.3).
    static func isActive(_ reference: Reference) -> Bool {
        switch reference.kind {
        case .html(let kind):
            switch kind {
            // iframe-custom-in-https reports frames.
            case .script, .moduleScript, .styleSheet, .modulePreload, .object, .embed, .textTrack,
                .svgUse, .fontPreload, .manifest:
                true
            default: false
            }
        case .css(let role): role == .importedSheet || role == .fontSource
        case .script, .data: false
        }
    }

    /// Frames, and code that scripts load.
    static func isFrameOrCode(_ reference: Reference) -> Bool {
        switch reference.kind {
        case .html(let kind): kind == .frame
        case .script(let kind):
            [.staticImport, .dynamicImport, .worker, .importScripts].contains(kind)
        default: false
        }
    }

    /// Content that is only displayed.
    static func isPassive(_ reference: Reference) -> Bool {
        switch reference.kind {
        case .html(let kind):
            switch kind {
            case .image, .backgroundImage, .icon, .media, .svgImage, .imagePreload: true
            default: false
            }
        case .css(let role): role == .image || role == .cursor
        case .script, .data: false
        }
    }

    /// Whether a loaded reference has an address that is mixed content in an https page: one of the
    /// custom scheme on iOS, one of http on Android.
    static func isMixed(_ reference: Reference, in document: DocumentContext) -> Bool {
        guard reference.use.isFetched, reference.isEffective else { return false }
        let profile = document.profile
        guard profile.isIntercepted else {
            return reference.writtenScheme == profile.canonicalScheme
        }
        return reference.resolution.url.map { isPlainHTTP($0) } ?? false
    }

    /// Whether an https page must not load a URL: one of http, unless its host is the device.
    static func isPlainHTTP(_ url: URLRecord) -> Bool {
        url.scheme.elementsEqual("http".utf8) && !(url.host?.isLocal ?? false)
    }

    /// Whether a reference in a packaged page goes to another host answered by the handler.
    static func isOtherPackagedOrigin(
        _ reference: Reference, in document: DocumentContext
    ) -> Bool {
        guard let url = reference.resolution.url, let page = document.url,
            document.profile.handles(url), page.scheme == url.scheme,
            // Other rules report the hosts of others.
            document.profile.hosts.isEmpty || document.profile.ownsHost(url.host),
            !ProtocolRelative.isReported(reference, in: document.profile)
        else { return false }
        return !document.profile.isSameOrigin(url, page)
    }

    /// Whether a reference goes to another web origin over http or https.
    static func isOtherWebOrigin(_ reference: Reference, in document: DocumentContext) -> Bool {
        guard let url = reference.resolution.url, let page = document.url,
            url.scheme.starts(with: "http".utf8), url.host != nil
        else { return false }
        return !document.profile.isSameOrigin(url, page)
    }

    /// The `integrity` attribute of a reference, if browsers check it.
    static func integrity(
        _ reference: Reference, in document: DocumentContext
    ) -> (attribute: HTMLAttribute, value: String)? {
        switch reference.htmlKind {
        case .script, .moduleScript, .styleSheet, .preload, .modulePreload: break
        default: return nil
        }
        guard let element = document.element(of: reference),
            let attribute = document.attribute("integrity", of: element),
            let value = document.value("integrity", of: element)
        else { return nil }
        return (attribute, value)
    }

    /// The range of an attribute's value for findings; its name if the value is empty.
    static func range(of attribute: HTMLAttribute) -> Range<Int> {
        attribute.value.isEmpty ? attribute.name : attribute.value
    }
}
