import PackGround
import Testing

/// Paths whose names start with a combining mark, which forms one Character with the slash before
/// it.
struct SlashedTextTests {
    private let path = "a/\u{301}b/\u{338}"

    @Test func aMarkAfterASlashBelongsToTheName() {
        let names = path.pathComponents()
        #expect(
            names.map { Array($0.utf8) } == ["a", "\u{301}b", "\u{338}"].map { Array($0.utf8) })
        #expect(Array(path.lastComponent.utf8) == Array("\u{338}".utf8))
        #expect(path.firstSlash == path.utf8.index(after: path.startIndex))
        #expect(path.hasBytes("a/") && "/\u{301}".hasBytes("/"))
    }

    @Test func emptyComponentsAreKeptWhereTheyCount() {
        #expect("/a//b/".pathComponents() == ["a", "b"])
        #expect("/a//b/".pathComponents(omittingEmpty: false) == ["", "a", "", "b", ""])
        #expect("".pathComponents(omittingEmpty: false) == [""])
        #expect("a".lastComponent == "a" && "a/".lastComponent == "")
        #expect("a".lastSlash == nil)
    }
}
