import PackClient
import PackClientWebKit
import SwiftUI
import WebKit

private let scheme = "customscheme"
private let host = "shop"
private let website = "https://shop.example.com/"

/// Shows a release, or the website if none runs or the publisher has switched packages off.
struct ReleaseView: UIViewRepresentable {
    let client: PackClient
    let start: PackClient.Start

    func makeCoordinator() -> Coordinator { Coordinator(client, start) }

    func makeUIView(context: Context) -> WKWebView {
        let configuration = WKWebViewConfiguration()
        let handler = PackSchemeHandler { [client] in client.pages(scheme: scheme, host: host) }
        handler.register(
            in: configuration, forScheme: scheme, readiness: context.coordinator.readiness)
        let view = WKWebView(frame: .zero, configuration: configuration)
        view.navigationDelegate = context.coordinator
        let launch = client.pages(scheme: scheme, host: host).launchURL
        if let url = URL(string: start.release == nil ? website : launch ?? website) {
            view.load(URLRequest(url: url))
        }
        return view
    }

    func updateUIView(_ view: WKWebView, context: Context) {}

    @MainActor final class Coordinator: NSObject, WKNavigationDelegate {
        let readiness: PackReadiness

        init(_ client: PackClient, _ start: PackClient.Start) {
            readiness = PackReadiness(.automatic, scheme: scheme) {
                // Not for a page of an earlier start.
                if client.release == start.release { try? client.markReady() }
            }
        }

        func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
            readiness.webProcessEnded()
            webView.reload()
        }
    }
}
