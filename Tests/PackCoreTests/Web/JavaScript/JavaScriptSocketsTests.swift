import PackWeb
import Testing

/// Addresses of WebSockets that are composed from the page's own.
struct JavaScriptSocketsTests {
    private func throwsInPage(_ text: String, scheme: String = "app") -> Bool? {
        let bytes = Array(text.utf8)
        let page = JavaScriptSurroundings(
            scheme: Array(scheme.utf8), host: Array("shop.example.com".utf8))
        return JavaScriptReferences(of: bytes.span, surroundings: page).references
            .first { $0.kind == .webSocket }.map { $0.detail == JavaScriptReference.pageScheme }
    }

    @Test(arguments: [
        "new WebSocket(location.origin.replace('http','ws')+'/ws')",
        "new WebSocket(window.location.href.replace(/^http/,'ws')+'ws')",
        "new WebSocket(document.baseURI.replace(/^https?/,'wss'))",
        "const u=`${location.protocol.replace('http','ws')}//${location.host}`;new WebSocket(u)",
        "const u=new URL('/ws',location.href);u.protocol='wss:';new WebSocket(u)",
        "let u=new URL('/ws',location);u.protocol=u.protocol.replace('http','ws');"
            + "s=new WebSocket(u.toString())",
        "const b=location.origin,u=b+'/ws';new WebSocket(u)",
        "const b=new URL(s,location.href),u=new URL('ws',b);new WebSocket(u)",
        "new WebSocket(''.concat(window.location.origin.replace('http','ws'),'/ws'))",
        "new WebSocket({'http:':'ws:','https:':'wss:'}[location.protocol]+'//'+location.host)",
    ])
    func keepsTheScheme(_ script: String) {
        #expect(throwsInPage(script) == true, "\(script)")
        #expect(throwsInPage(script, scheme: "https") == false, "\(script)")
    }

    @Test(arguments: [
        "new WebSocket(('https:'===location.protocol?'wss:':'ws:')+'//'+location.host)",
        "new WebSocket(location.protocol==='https:'?'wss://a.example':'ws://a.example')",
        "new WebSocket(`ws://${location.host}/ws`)", "new WebSocket(`${s}://${location.host}`)",
        "new WebSocket(location.origin.replace(/^[a-z]+/,'wss'))",
        "new WebSocket(location.href.replace(location.protocol,'wss:'))",
        "new WebSocket(new URL('wss://a.example/ws',location.href))",
        "u=location.origin;u=b();new WebSocket(u)", "function f(u){return new WebSocket(u)}",
        "u=location.origin;f(u=>new WebSocket(u))", "new WebSocket(a.location.originOf)",
    ])
    func mayHaveAnother(_ script: String) { #expect(throwsInPage(script) == false, "\(script)") }

    @Test(arguments: [
        ("e=new URL('ws',location.toString());e.protocol=s?'wss:':'ws:';f(e)", true),
        ("b=new URL('.',location.href);e=new URL('ws',b);e.protocol='https'===p?'wss':'ws'", true),
        ("e=new URL('ws',s);e.protocol=t?'wss:':'ws:'", false),
        ("e=new URL('ws',location.href);e.protocol=s?'a:':'b:'", false),
    ])
    func setsTheProtocol(_ script: String, _ isPageScheme: Bool) {
        let bytes = Array(script.utf8)
        let page = JavaScriptSurroundings(scheme: Array("app".utf8), host: Array("a.example".utf8))
        let found = JavaScriptReferences(of: bytes.span, surroundings: page).references
        #expect(
            found.contains {
                $0.kind == .protocolAssignment && $0.detail == JavaScriptReference.pageScheme
            } == isPageScheme, "\(script)")
    }
}
