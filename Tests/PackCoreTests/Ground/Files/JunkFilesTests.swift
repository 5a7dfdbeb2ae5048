import PackGround
import Testing

/// Names excluded from hash and package, and similar ones that are included.
struct JunkFilesTests {
    @Test(
        "junk",
        arguments: [
            ".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".svn", ".hg",
            ".Spotlight-V100",
            ".Trashes", ".fseventsd", "._main.js", "._", ".#main.js", "main.js~", "~", "#main.js#",
            ".main.js.swp", ".x.swo", ".swx", ".0123456789abcdef0123456789abcdef.packtool",
        ])
    func junk(name: String) {
        #expect(JunkFiles.isJunk(Array(name.utf8)))
    }

    @Test(
        "shipped",
        arguments: [
            "main.js", ".well-known", ".htaccess", ".gitignore", ".github", "DS_Store",
            "thumbs.db.js",
            ".0123456789abcdef0123456789abcde.packtool",
            "0123456789abcdef0123456789abcdef0.packtool",
            "#", "#a", "a#", "main.swp", "_", "__macosx", "~a", ".nojekyll", "git",
        ])
    func shipped(name: String) {
        #expect(!JunkFiles.isJunk(Array(name.utf8)))
    }
}
