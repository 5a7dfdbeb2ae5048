// Declarations of Apple's WebKit that PackClientWebKit and the example app use, without behavior, for a type
// check on Linux. Their isolation and optionality follow the headers of the macOS 15 SDK as read in public sources; only a build
// with Apple's SDK proves them.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import UIKit

@MainActor public protocol WKURLSchemeTask: NSObjectProtocol {
    var request: URLRequest { get }
    func didReceive(_ response: URLResponse)
    func didReceive(_ data: Data)
    func didFinish()
    func didFailWithError(_ error: any Error)
}

@MainActor public protocol WKURLSchemeHandler: NSObjectProtocol {
    func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask)
    func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask)
}

@MainActor public protocol WKScriptMessageHandler: NSObjectProtocol {
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}

@MainActor open class WKWebView: UIView {
    public let configuration: WKWebViewConfiguration
    public weak var navigationDelegate: (any WKNavigationDelegate)?

    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        super.init(frame: frame)
    }

    @discardableResult public func load(_ request: URLRequest) -> WKNavigation? { nil }
    @discardableResult public func reload() -> WKNavigation? { nil }
}

@MainActor open class WKNavigation: NSObject {}

/// The method is optional on Apple's systems; here, a wrong name would be an error.
@MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor open class WKWebViewConfiguration: NSObject {
    public var userContentController = WKUserContentController()
    public var websiteDataStore = WKWebsiteDataStore()
    public func setURLSchemeHandler(
        _ urlSchemeHandler: (any WKURLSchemeHandler)?, forURLScheme urlScheme: String
    ) {}
}

@MainActor open class WKWebsiteDataStore: NSObject {
    public let httpCookieStore = WKHTTPCookieStore()
}

@MainActor open class WKHTTPCookieStore: NSObject {
    public func getAllCookies(_ completionHandler: @escaping @MainActor ([HTTPCookie]) -> Void) {}
    public func setCookie(
        _ cookie: HTTPCookie, completionHandler: (@MainActor () -> Void)? = nil
    ) {}
}

@MainActor open class WKUserContentController: NSObject {
    public func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String) {}
    public func addUserScript(_ userScript: WKUserScript) {}
}

public enum WKUserScriptInjectionTime: Int {
    case atDocumentStart, atDocumentEnd
}

@MainActor open class WKUserScript: NSObject {
    public init(
        source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool
    ) {}
}

@MainActor open class WKScriptMessage: NSObject {
    public let body: Any = ""
    public let name = ""
    public let frameInfo = WKFrameInfo()
}

@MainActor open class WKFrameInfo: NSObject {
    public let isMainFrame = true
    public let securityOrigin = WKSecurityOrigin()
}

@MainActor open class WKSecurityOrigin: NSObject {
    public let `protocol` = ""
}

/// Foundation has it on Apple systems alone.
open class NSMapTable<Key: AnyObject, Value: AnyObject>: NSObject {
    public class func weakToStrongObjects() -> NSMapTable<Key, Value> { NSMapTable() }
    public func object(forKey key: Key?) -> Value? { nil }
    public func setObject(_ value: Value?, forKey key: Key?) {}
}
