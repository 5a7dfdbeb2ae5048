import PackWeb

extension Rule {
    /// A file in an encoding that the check does not read.
    static let encodingNotRead = Rule(
        "encoding-not-read", "the file is in an encoding that the check does not read",
        group: .markup, level: .always(.warning),
        explanation: .init(
            what: "Finds pages and scripts in ISO-2022-JP and in encodings that browsers refuse.",
            why: """
                Nothing was checked in such a file: what is missing in the package stays unknown. \
                Browsers show `hz-gb-2312` and `iso-2022-kr` as one question mark.
                """,
            sources: [.cite(.encodingStandard, "names and labels")],
            instead: "Write the file in UTF-8.",
            detection: """
                The encoding is that of the byte order mark, the declaration in the page, or the page \
                that loads the script. Style sheets are reported by css-charset. All other encodings \
                of the standard are read.
                """),
        examples: [
            .bad(
                "index.html", "<meta charset=\"↓iso-2022-jp\"><title>x</title>",
                silent: [.comment, .byteOrderMark], except: [.string]),
            .good("index.html", "<meta charset=\"shift_jis\"><title>x</title>"),
        ],
        document: { document, sink in
            guard document.kind != .css,
                let name = document.site.encoding(of: document.index, document.text.source),
                !TranscodedText.canDecode(name)
            else { return }
            sink.report(
                at: document.html?.encoding.range,
                "the file is in '\(name)', which was not checked")
        })
}
