import Testing

@testable import PackWeb

/// Each deviation from a valid URL, at its byte.
struct URLValidationErrorTests {
    private typealias Kind = URLValidationError.Kind

    private static func errors(_ input: String, base: String? = nil) -> [String] {
        let base = base.flatMap { URLRecord.parse($0) }
        return URLRecord.check(input.utf8, base: base).errors.map {
            "\($0.kind.rawValue)@\($0.offset)"
        }
    }

    @Test(
        "what is reported of a URL, and where",
        arguments: [
            ("https://h/x.js", []),
            ("customscheme://h/x?y#z", []),
            ("https://h/图.png", []),
            ("  https://h/ ", ["surrounding-space@0", "surrounding-space@12"]),
            ("https://h/a\t\n/b\r", ["tab-or-newline@11", "surrounding-space@15"]),
            ("https://h/a\tb\\c", ["tab-or-newline@11", "invalid-reverse-solidus@13"]),
            (
                "https://h/a\t\\c\n<",
                [
                    "tab-or-newline@11", "invalid-reverse-solidus@12", "tab-or-newline@14",
                    "invalid-URL-unit@15",
                ]
            ),
            ("customScheme://h/x", ["upper-case-scheme@6"]),
            ("cs://WWW.h/x", ["upper-case-host@5"]),
            ("https://WWW.h/x", []),
            (
                "https:\\\\h\\x",
                [
                    "special-scheme-missing-following-solidus@6",
                    "special-scheme-missing-following-solidus@6",
                    "special-scheme-missing-following-solidus@7", "invalid-reverse-solidus@9",
                ]
            ),
            ("https:h", ["special-scheme-missing-following-solidus@6"]),
            ("https:///h", ["special-scheme-missing-following-solidus@8"]),
            ("cs://h/a\\b c", ["invalid-URL-unit@8", "invalid-URL-unit@10"]),
            ("cs://u:p@h/", ["invalid-credentials@8"]),
            ("https://u@v@h/", ["invalid-credentials@9", "invalid-credentials@11"]),
            (
                "https://h/%zz?%4#%",
                [
                    "invalid-percent-sequence@10", "invalid-percent-sequence@14",
                    "invalid-percent-sequence@17",
                ]
            ),
            ("https://h:443/", ["default-port@10"]),
            ("cs://h:443/", []),
            ("https://h:70000/", ["port-out-of-range@10"]),
            ("https://h:8x/", ["port-invalid@11"]),
            ("https://", ["host-missing@8"]),
            ("https://:80/", ["host-missing@8"]),
            ("https://u@/", ["invalid-credentials@9", "host-missing@10"]),
            ("cs://a b/", ["host-invalid-code-point@6"]),
            ("https://a b/", ["domain-to-ASCII@8"]),
            ("https://exa%23mple.org", ["domain-to-ASCII@8", "domain-percent-encoded@11"]),
            ("https://exam%70le.org", ["domain-percent-encoded@12"]),
            ("https://127.0.0.1./", ["IPv4-empty-part@8"]),
            ("https://1.2.3/", ["IPv4-too-few-parts@8"]),
            ("https://1.2.3.4.5/", ["IPv4-too-many-parts@8"]),
            ("https://test.42", ["IPv4-too-few-parts@8", "IPv4-non-numeric-part@8"]),
            ("https://127.0.0x0.1", ["IPv4-non-decimal-part@8"]),
            ("https://255.255.4000.1", ["IPv4-out-of-range-part@8"]),
            ("https://[::1", ["IPv6-unclosed@8"]),
            ("https://[:1]", ["IPv6-invalid-compression@9"]),
            ("https://[1:2:3:4:5:6:7:8:9]", ["IPv6-too-many-pieces@25"]),
            ("https://[1::1::1]", ["IPv6-multiple-compression@14"]),
            ("https://[1:2:3!:4]", ["IPv6-invalid-code-point@14"]),
            ("https://[1:2:3:]", ["IPv6-invalid-code-point@15"]),
            ("https://[1:2:3]", ["IPv6-too-few-pieces@14"]),
            ("https://[::01]", ["IPv6-piece-leading-zero@11"]),
            ("https://[1:1:1:1:1:1:1:127.0.0.1]", ["IPv4-in-IPv6-too-many-pieces@23"]),
            ("https://[ffff::.0.0.1]", ["IPv4-in-IPv6-invalid-code-point@15"]),
            ("https://[ffff::127.00.0.1]", ["IPv4-in-IPv6-invalid-code-point@20"]),
            ("https://[ffff::127.0.0.4000]", ["IPv4-in-IPv6-out-of-range-part@25"]),
            ("https://[ffff::127.0.0]", ["IPv4-in-IPv6-too-few-parts@22"]),
            ("x.js", ["missing-scheme-non-relative-URL@0"]),
            (
                "file:c:/x",
                [
                    "special-scheme-missing-following-solidus@5"
                ]
            ),
            ("file://c:", ["file-invalid-Windows-drive-letter-host@7"]),
            ("https://测试.com/", ["domain-to-ASCII@8"]),
        ] as [(String, [String])])
    func reported(input: String, expected: [String]) {
        #expect(Self.errors(input) == expected)
    }

    @Test("reported with a base")
    func relative() {
        #expect(
            Self.errors("https:x", base: "https://h/")
                == ["special-scheme-missing-following-solidus@6"])
        #expect(Self.errors("c:/x", base: "file:///c:/") == [])
        #expect(
            Self.errors("c|/x", base: "file:///c:/")
                == ["file-invalid-Windows-drive-letter@0", "invalid-URL-unit@1"])
        #expect(Self.errors("x", base: "data:,x") == ["missing-scheme-non-relative-URL@0"])
        #expect(Self.errors("\\x", base: "https://h/") == ["invalid-reverse-solidus@0"])
        #expect(Self.errors("\\x", base: "cs://h/") == ["invalid-URL-unit@0"])
    }

    @Test("bytes that are not UTF-8")
    func notUTF8() {
        let errors = URLRecord.check(Array("cs://h/".utf8) + [0x61, 0xFF, 0x62]).errors
        #expect(errors == [URLValidationError(.notUTF8, at: 8)])
    }

    @Test("a URL without a deviation from the standard is what check and parse agree on")
    func agreement() {
        for text in ["https://h/x", " x", "\\\\h", "https://[::1", "cs:x y", "cs://ho^st"] {
            #expect(URLRecord.check(text.utf8).url == URLRecord.parse(text))
        }
    }
}
