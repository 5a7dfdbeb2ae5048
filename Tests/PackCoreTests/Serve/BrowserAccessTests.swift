import PackOrigin
import PackServe
import Testing

/// The browser requests that a server answers.
@Suite struct BrowserAccessTests {
    private func request(_ host: String?, origin: String? = nil) -> ServeRequest {
        var fields: [String: String] = [:]
        fields["host"] = host
        fields["origin"] = origin
        return ServeRequest(method: "GET", target: "/js/0.js", fields: fields)
    }

    private func headers(_ access: BrowserAccess, origin: String?) -> [String: String] {
        let plain = ServeAnswer(status: 200, fields: [], body: .none, length: 0)
        let answer = access.opened(plain, for: request("localhost", origin: origin))
        return Dictionary(answer.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Regression: foreign host names that resolve to this machine (DNS rebinding) were accepted.
    @Test(arguments: [
        "attacker.example", "attacker.example:8080", "127.0.0.1.attacker.example",
        "localhost.attacker.example", "127.0.0.1@attacker.example", "shop.local", "", ":8080",
    ])
    func regressionAnotherHostIsRefused(_ host: String) {
        let refusal = BrowserAccess(hosts: ["mac.local"]).refusal(of: request(host))
        #expect(refusal?.status == 421)
        #expect(refusal?.reason.contains("--allow-host") == true)
    }

    @Test(arguments: [
        nil, "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080",
        "192.168.1.5:8080", "10.0.2.2:8080", "mac.local", "Mac.Local:8080",
    ])
    func ownHostsAreAnswered(_ host: String?) {
        #expect(BrowserAccess(hosts: ["Mac.local"]).refusal(of: request(host)) == nil)
    }

    /// Regression: any page in the browser could read an unpublished build.
    @Test(arguments: [
        "https://attacker.example", "null", "http://localhost:9", "https://localhost",
        "customscheme://a",
    ])
    func regressionAPageOfAnotherOriginIsRefused(_ origin: String) {
        for access in [
            BrowserAccess(), BrowserAccess(origins: ["customscheme://shop.example.com"]),
        ] {
            let refusal = access.refusal(of: request("localhost:8080", origin: origin))
            #expect(refusal?.status == 403)
            #expect(refusal?.reason.contains("--allow-origin \(origin)") == true)
            #expect(headers(access, origin: origin)["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test func pagesOfTheServerItselfAreAnswered() {
        let own = request("localhost:8080", origin: "http://localhost:8080")
        #expect(BrowserAccess().refusal(of: own) == nil)
        #expect(
            headers(BrowserAccess(), origin: nil) == ["Cross-Origin-Resource-Policy": "same-origin"]
        )
    }

    @Test func pagesOfTheAppMayRead() {
        let origin = "customscheme://shop.example.com"
        let access = BrowserAccess(origins: [origin])
        #expect(access.refusal(of: request("localhost", origin: origin)) == nil)
        #expect(
            headers(access, origin: origin) == [
                "Vary": "Origin", "Access-Control-Allow-Origin": origin,
                "Access-Control-Expose-Headers": "ETag, Content-Range",
            ])
        #expect(headers(access, origin: nil) == ["Vary": "Origin"])
    }
}
