import PackGround
import PackOrigin
import PackProfile
import PackServe
import TestSupport
import Testing

/// `serve --page` answers according to the profile's model, which `check` also uses.
struct PageServerTests {
    private func answer(
        _ target: String, _ profile: Profile = .capacitor, accept: String? = nil
    ) async throws -> ServeAnswer {
        try await TemporaryFolder.with { folder in
            for (name, text) in [
                ("index.html", "<p>start"), ("m.mjs", "export {}"), ("a.js", "1"),
                ("a.wasm", "\0asm"),
            ] {
                _ = try folder.write(Array(text.utf8), as: name)
            }
            let server = PageServer(
                try folder.directory(), profile, excluding: Exclusions())
            return try server.answer(
                ServeRequest(
                    method: "GET", target: target, fields: accept.map { ["accept": $0] } ?? [:]),
                now: 0)
        }
    }

    /// File names are read once for a page and its files; unknown names cause a new read.
    @Test func aNewFileIsFound() async throws {
        try await TemporaryFolder.with { folder in
            _ = try folder.write(Array("1".utf8), as: "a.js")
            let server = PageServer(
                try folder.directory(), .pathStrict, excluding: Exclusions())
            let status = { (target: String, now: Double) in
                try server.answer(
                    ServeRequest(method: "GET", target: target, fields: [:]), now: now
                ).status
            }
            #expect(try status("/a.js", 0) == 200)
            #expect(try status("/b.js", 0.1) == 404)
            _ = try folder.write(Array("2".utf8), as: "b.js")
            #expect(try status("/b.js", 0.2) == 200)
        }
    }

    private func type(_ answer: ServeAnswer) -> String? {
        answer.fields.first { $0.name == "Content-Type" }?.value
    }

    /// Capacitor's handler ignores the purpose of a request: `fetch("/api/x")` returns the page.
    @Test(arguments: ["/about", "/api/users", "/"]) func aLoadWithoutExtensionGetsTheStartPage(
        _ target: String
    ) async throws {
        for accept in [nil, "*/*", "text/html"] {
            let answer = try await answer(target, accept: accept)
            #expect(answer.status == 200 && answer.length == 8, "\(target)")
        }
        #expect(try await self.answer("/about", .pathStrict).status == 404)
    }

    @Test func capacitorHasAnEmptyScriptForCordova() async throws {
        let answer = try await answer("/cordova.js")
        #expect(answer.status == 200 && answer.length == 0)
        #expect(type(answer) == "text/javascript")
        #expect(try await self.answer("/cordova.js", .cordova).status == 404)
    }

    @Test func typesAreThoseOfTheHandler() async throws {
        #expect(try await type(answer("/index.html")) == "text/html")
        #expect(try await type(answer("/a.js")) == "text/javascript")
        #expect(try await type(answer("/a.wasm")) == "application/wasm")
        #expect(try await type(answer("/a.wasm", .pathStrict)) == "application/octet-stream")
        #expect(try await type(answer("/m.mjs")) == "application/octet-stream")
        let knowing = Profile.pathStrict.with { $0.client.mediaTypes = ["mjs": "text/javascript"] }
        #expect(try await type(answer("/m.mjs", knowing)) == "text/javascript")
    }

    @Test func theRootLeadsToTheStartPage() async throws {
        let answer = try await answer("/", .pathStrict)
        #expect(answer.status == 302)
    }
}
