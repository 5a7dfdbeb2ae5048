import PackEngine
import PackProfile
import Testing

/// The answers of the clients' sources; Tests/Rigs/Engine compares them with the Python judge.
struct HandlerTests {
    private func answer(
        _ profile: Profile, _ url: String, range: String? = nil, isPage: Bool = false
    ) throws -> Handler.Decision {
        try OpenedBuild(
            ["index.html", "m/film.mp4", "a.mjs", "x/y.wasm", "data.json"], profile
        ).handler.answer(url, range: range, isPage: isPage)
    }

    @Test func basenameCacheSendsATypeAlone() throws {
        let found = try answer(.basenameCache, "customscheme://h/other/film.mp4", range: "bytes=0-")
        #expect(found.answer == HandlerAnswer(file: "m/film.mp4", type: "video/mp4"))
        let missing = try answer(.basenameCache, "customscheme://h/gone.js")
        #expect(missing.answer.reason != nil && missing.isMiss)
    }

    @Test func capacitorAnswersMediaByRange() throws {
        let whole = try answer(.capacitor, "capacitor://localhost/m/film.mp4")
        #expect(whole.answer.status == 0 && whole.answer.range == nil)
        let part = try answer(.capacitor, "capacitor://localhost/m/film.mp4", range: "bytes=0-1")
        #expect(part.answer.status == 200 && part.answer.range == "bytes=0-1")
        let other = try answer(.capacitor, "capacitor://localhost/data.json", range: "bytes=0-1")
        #expect(other.answer.range == nil && other.answer.status == 200)
        let wasm = try answer(.capacitor, "capacitor://localhost/x/y.wasm")
        #expect(wasm.answer.type == "application/wasm")
        let module = try answer(.capacitor, "capacitor://localhost/a.mjs")
        #expect(module.answer.type == "application/octet-stream")
    }

    @Test func capacitorAnswersWithTheStartPage() throws {
        let load = try answer(.capacitor, "capacitor://localhost/api/cart")
        #expect(load.answer.file == "index.html" && load.isStartPage && !load.isMiss)
        let page = try answer(.capacitor, "capacitor://localhost/cart", isPage: true)
        #expect(page.answer.file == "index.html" && !page.isStartPage)
        let script = try answer(.capacitor, "capacitor://localhost/cordova.js")
        #expect(script.answer == HandlerAnswer(type: "text/javascript", status: 200))
        #expect(!script.isMiss)
    }

    @Test func pathStrictSendsNotFound() throws {
        let missing = try answer(.pathStrict, "customscheme://shop.example.com/gone.js")
        #expect(missing.answer.status == 404 && missing.answer.sendsCORS && missing.isMiss)
        let invalid = try answer(.pathStrict, "customscheme://")
        #expect(invalid.isMiss)
    }
}
