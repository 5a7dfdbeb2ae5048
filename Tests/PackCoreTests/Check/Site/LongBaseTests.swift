import PackCheck
import PackGround
import TestSupport
import Testing

/// A page's base is not repeated in every reference if it is long.
struct LongBaseTests {
    private func addresses(_ path: String, _ kind: DocumentKind, _ content: String) throws -> [Int]
    {
        let file = try AssetPath(path)
        let bytes = Array(content.utf8)
        let site = SiteIndex(memory: [file: bytes], profile: .pathStrict)
        return DocumentReader.read(site: site, index: 0, kind: kind, bytes: bytes).references
            .map { $0.resolution.url?.href.utf8.count ?? 0 }
    }

    private let long = "/" + String(repeating: "a", count: 100_000) + "/"

    @Test func aLongBaseIsNotRepeatedByEveryReference() throws {
        let found = try addresses(
            "index.html", .html, "<base href='\(long)'><img src=x.png><img src='?y'>")
        #expect(found.count == 3)
        #expect(found.dropFirst().allSatisfy { (1_000...1_100).contains($0) })
    }

    @Test func aLongPublicPathIsNotRepeatedByEveryChunk() throws {
        let script = "n.p='\(long)';n.u=e=>({1:'a',2:'b'}[e]+'.js');n.e=0;self.webpackChunkx=[]"
        let found = try addresses("app.js", .script, script)
        // The literal itself is longer, once.
        #expect(found.filter { (1_000...1_100).contains($0) }.count >= 2)
        #expect(found.filter { $0 > 1_100 }.count <= 1)
    }

    @Test func aLongConstantIsNotRepeatedByEveryUse() throws {
        let script = "const base='\(long)';fetch(base+'a.json');fetch(base+'b.json')"
        let found = try addresses("app.js", .script, script)
        #expect(found.filter { $0 > 1_100 }.count <= 1)
    }
}
