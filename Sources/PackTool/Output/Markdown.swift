import PackCore

/// Foreign text in Markdown, as GitHub and GitLab read it.
enum Markdown {
    /// Text in a table: no tag, no link, no image.
    static func cell(_ text: String) -> String {
        printable(text.utf8).putting("\\\\", for: "\\").putting("\\|", for: "|")
            .putting("\\[", for: "[").putting("'", for: "`").putting("&lt;", for: "<")
    }

    /// Text as code, where only a backtick and the table's bars count.
    static func code(_ text: String) -> String {
        "`" + printable(text.utf8).putting("\\|", for: "|").putting("'", for: "`") + "`"
    }
}
