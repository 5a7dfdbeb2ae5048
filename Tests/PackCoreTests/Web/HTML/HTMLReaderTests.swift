import PackWeb
import TestSupport
import Testing

/// The reader switches the tokenizer's state like a tree builder.
struct HTMLReaderTests {
    /// Tags as `<name`, with a namespace if it is not HTML; texts unchanged.
    private static func read(_ page: String, isScriptingEnabled: Bool = true) -> String {
        let bytes = Array(page.utf8)
        var reader = HTMLReader(
            range: 0..<bytes.count, isScriptingEnabled: isScriptingEnabled)
        var pieces: [String] = []
        while let token = reader.next(in: bytes.span) {
            let content = String(decoding: bytes[token.content], as: UTF8.self)
            let prefix =
                switch reader.namespace {
                case .html: ""
                case .svg: "svg:"
                case .mathML: "math:"
                }
            switch token.kind {
            case .startTag: pieces.append("<\(prefix)\(content)")
            case .endTag: pieces.append("/\(content)")
            case .text: pieces.append("\"\(content)\"")
            case .cdata: pieces.append("[\(content)]")
            case .comment: pieces.append("!\(content)")
            case .doctype, .discarded: pieces.append("?")
            }
        }
        return pieces.joined(separator: " ")
    }

    @Test(
        "elements that hold text",
        arguments: [
            ("<script><a></script><b>", "<script \"<a>\" /script <b"),
            ("<SCRIPT><a></Script ><b>", "<SCRIPT \"<a>\" /Script <b"),
            ("<script/><a></script><b>", "<script \"<a>\" /script <b"),
            ("<style><a></style><b>", "<style \"<a>\" /style <b"),
            ("<title><a></title><b>", "<title \"<a>\" /title <b"),
            ("<textarea><a></textarea><b>", "<textarea \"<a>\" /textarea <b"),
            ("<xmp><a></xmp><b>", "<xmp \"<a>\" /xmp <b"),
            ("<iframe><a></iframe><b>", "<iframe \"<a>\" /iframe <b"),
            ("<noembed><a></noembed><b>", "<noembed \"<a>\" /noembed <b"),
            ("<noframes><a></noframes><b>", "<noframes \"<a>\" /noframes <b"),
            ("<noscript><a></noscript><b>", "<noscript \"<a>\" /noscript <b"),
            ("<plaintext><a></plaintext><b>", "<plaintext \"<a></plaintext><b>\""),
            ("<template><a></template><b>", "<template <a /template <b"),
            ("<title></style></title>", "<title \"</style>\" /title"),
            (
                "<script><!--<script></script>--></script><b>",
                "<script \"<!--<script></script>-->\" /script <b"
            ),
            ("<pre><a></pre>", "<pre <a /pre"), ("<option><a>", "<option <a"),
        ])
    func textElements(page: String, tokens: String) {
        #expect(Self.read(page) == tokens)
    }

    @Test("noscript is markup where scripting is off")
    func noscript() {
        #expect(
            Self.read("<noscript><a></noscript><b>", isScriptingEnabled: false)
                == "<noscript <a /noscript <b")
    }

    @Test(
        "svg and math",
        arguments: [
            // Elements with text content in HTML have none in svg.
            ("<svg><style><a></style></svg>", "<svg:svg <svg:style <svg:a /style /svg"),
            ("<svg><script><a></script></svg>", "<svg:svg <svg:script <svg:a /script /svg"),
            ("<svg><textarea><g>", "<svg:svg <svg:textarea <svg:g"),
            // An svg title contains HTML, and an HTML title in it contains text.
            ("<svg><title><title><a></title>", "<svg:svg <svg:title <title \"<a>\" /title"),
            (
                "<svg><title><style><a></style></title><style><a>",
                "<svg:svg <svg:title <style \"<a>\" /style /title <svg:style <svg:a"
            ),
            // CDATA sections.
            (
                "<svg><![CDATA[<a>]]></svg><![CDATA[<a>]]>",
                "<svg:svg [<a>] /svg ![CDATA[<a \"]]>\""
            ),
            (
                "<svg><desc><![CDATA[a]]></desc><![CDATA[b]]>",
                "<svg:svg <svg:desc [a] /desc [b]"
            ),
            (
                "<svg><foreignObject><p><![CDATA[a]]></p></foreignObject><![CDATA[b]]>",
                "<svg:svg <svg:foreignObject <p ![CDATA[a]] /p /foreignObject [b]"
            ),
            ("<math><mi><![CDATA[a]]></mi></math>", "<math:math <math:mi [a] /mi /math"),
            // Self-closing tags are effective in svg.
            ("<svg/><style><a></style>", "<svg:svg <style \"<a>\" /style"),
            (
                "<svg><g/><script/><style/></svg><b>",
                "<svg:svg <svg:g <svg:script <svg:style /svg <b"
            ),
            // Back to HTML by integration points and by breakout tags.
            (
                "<svg><foreignObject><style><a></style>",
                "<svg:svg <svg:foreignObject <style \"<a>\" /style"
            ),
            ("<svg><g><div><style><a></style>", "<svg:svg <svg:g <div <style \"<a>\" /style"),
            ("<svg><g></p><style><a></style>", "<svg:svg <svg:g /p <style \"<a>\" /style"),
            ("<svg><font><style><a>", "<svg:svg <svg:font <svg:style <svg:a"),
            (
                "<svg><font color=red><style><a></style>",
                "<svg:svg <font <style \"<a>\" /style"
            ),
            ("<math><mi><a><style><b></style>", "<math:math <math:mi <a <style \"<b>\" /style"),
            (
                "<math><mi><mglyph><style><a>",
                "<math:math <math:mi <math:mglyph <math:style <math:a"
            ),
            (
                "<math><annotation-xml><svg><style><a>",
                "<math:math <math:annotation-xml <svg:svg <svg:style <svg:a"
            ),
            (
                "<math><annotation-xml><style><a>",
                "<math:math <math:annotation-xml <math:style <math:a"
            ),
            (
                "<math><annotation-xml encoding=Text/HTML><style><a></style>",
                "<math:math <math:annotation-xml <style \"<a>\" /style"
            ),
            // End tags.
            (
                "<div><svg><g></div><style><a></style>",
                "<div <svg:svg <svg:g /div <style \"<a>\" /style"
            ),
            ("<svg><g></div><style><a>", "<svg:svg <svg:g /div <svg:style <svg:a"),
            (
                "<div><svg><foreignObject></div><style><a></style></foreignObject><style><a>",
                "<div <svg:svg <svg:foreignObject /div <style \"<a>\" /style /foreignObject"
                    + " <svg:style <svg:a"
            ),
            (
                "<svg><foreignObject><p>a<p>b</p></foreignObject><style><a>",
                "<svg:svg <svg:foreignObject <p \"a\" <p \"b\" /p /foreignObject <svg:style <svg:a"
            ),
            (
                "<svg><foreignObject><br><img></foreignObject><style><a>",
                "<svg:svg <svg:foreignObject <br <img /foreignObject <svg:style <svg:a"
            ),
            (
                "<svg><foreignObject><div><svg><g></foreignObject></g></svg></div></foreignObject>"
                    + "<style><a>",
                "<svg:svg <svg:foreignObject <div <svg:svg <svg:g /foreignObject /g /svg /div"
                    + " /foreignObject <svg:style <svg:a"
            ),
            // An unclosed element prevents its end tag from closing svg.
            (
                "<svg><foreignObject><p></svg><style><a></style>",
                "<svg:svg <svg:foreignObject <p /svg <style \"<a>\" /style"
            ),
            (
                "<svg><a><b></b></a></svg><title><i></title>",
                "<svg:svg <svg:a <b /b /a /svg <title \"<i>\" /title"
            ),
        ])
    func foreignContent(page: String, tokens: String) {
        #expect(Self.read(page) == tokens)
    }

    @Test("what is inside a template is told, and what is in a shadow root is not")
    func templates() {
        let page = """
            <a1><template><a2><template></template><a3></template><a4></template><a5>\
            <template shadowrootmode=open><a6><template><a7></template><a8></template><a9>
            """
        let bytes = Array(page.utf8)
        var reader = HTMLReader(range: 0..<bytes.count)
        var inside: [String] = []
        while let token = reader.next(in: bytes.span) {
            let name = String(decoding: bytes[token.content], as: UTF8.self)
            if token.kind == .startTag, name.hasPrefix("a"), reader.isInTemplate {
                inside.append(name)
            }
        }
        #expect(inside == ["a2", "a3", "a7"])
    }
}
