import PackWeb

extension Rule {
    /// A placeholder that the build should have replaced.
    static let unresolvedPlaceholder = Rule(
        "unresolved-placeholder", "a URL or a script contains an unreplaced placeholder",
        group: .markup,
        level: .always(.error),
        explanation: .init(
            what:
                """
                Finds `{{cdn}}`, `{% url %}`, `%PUBLIC_URL%`, `<%= base %>`, `${host}`, \
                `@@base@@`, `[[host]]` and `__ASSETS__` in URLs and in the base that they count \
                from; `{% if x %}`, `<%= x %>` and `a = {{ x }}` in the code of scripts.
                """,
            why:
                """
                The build should have written a URL there; now the browser requests the \
                placeholder. A script with one in its code does not parse, so nothing in it \
                runs.
                """,
            sources: [.cite(.ruleStudy), .proof("unresolved-placeholder")],
            instead: "Find out why the build did not replace it.",
            detection:
                """
                Patterns are matched in URLs that load something; templates are skipped, since \
                a script fills them in. One placeholder is one finding, and so is a script. \
                Strings of scripts are not searched for placeholders.
                """
        ),
        examples: [
            .bad(
                "index.html", "<script src=\"↓%PUBLIC_URL%/x.js\"></script>",
                silent: [.comment, .string, .template]),
            .bad(
                "index.html", "<img src=\"↓/APP_BASE_PLACEHOLDER/x.png\">",
                silent: [.comment, .string, .template]),
            .bad(
                "index.html", "<base href=\"↓@@base@@/\"><img src=\"x.png\"><img src=\"y.png\">",
                "one finding for all that count from the base",
                silent: [.comment, .string, .template], except: [.noscript]),
            .bad(
                "index.html", "<img src=\"↓{{cdn}}/x.png\">",
                silent: [.comment, .string, .template]),
            .bad(
                "index.html", "<script>window.settings = ↓{{ settings|tojson }}; start()</script>"),
            .bad("index.html", "<script>↓{% if debug %}start(){% endif %}</script>"),
            .bad("app.js", "var base = ↓<%= base %>;"),
            .good(
                "app.js",
                "f=()=>{{x()}};if(a){{b}}a={[b]:{c}};d=a<b%c;e='{{x}}{% y %}';g=/<%{%/",
                "blocks, operators and strings"),
            .good(
                "index.html",
                "<img src=\"a%20b%20c.png\"><template><img src=\"{{url}}\"></template>",
                others: ["a b c.png": ""], profile: .pathStrict),
            .good(
                "app.css", "a { mask-image: url(\"data:image/svg+xml,%3Csvg width=%2220%22%3E\") }",
                "percent-encoding, not placeholders"),
            .good(
                "index.html", "<img src=\"%C3%8ATRE%20A%2220%22.png\">",
                others: ["\u{CA}TRE A\"20\".png": ""], profile: .pathStrict),
        ],
        document: { document, sink in
            for reference in document.references {
                guard Placeholder.isReported(reference, in: document.site),
                    let word = Placeholder.of(reference)
                else { continue }
                sink.report(
                    reference, "the placeholder '\(word)' was not replaced",
                    severity: reference.isRarelyMissed ? .hint : nil, cause: word)
            }
            sink.reportFirst(document.facts(.serverTemplate)) { _ in
                "the script contains a placeholder of a server template, so nothing in it runs"
            }
        })
}
