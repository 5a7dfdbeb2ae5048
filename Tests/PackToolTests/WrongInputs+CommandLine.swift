import TestSupport

/// The command line.
extension WrongInput {
    static let usage = [
        WrongInput("unknown command", "frob", status: 64, code: "usage", says: ["'frob'"]),
        WrongInput(
            "mistyped command", "pubish dist", status: 64, code: "usage",
            says: ["'pubish'", "packtool publish"]),
        WrongInput("unknown flag", "hash dist --nope", status: 64, code: "usage", says: ["--nope"]),
        WrongInput(
            "mistyped flag", "hash dist --lisitng", status: 64, code: "usage",
            says: ["--lisitng", "--listing"]),
        WrongInput(
            "missing argument", "apply", status: 64, code: "usage", says: ["<base>"]),
        WrongInput("missing flag", "package dist", status: 64, code: "usage", says: ["--output"]),
        WrongInput("missing value", "package dist -o", status: 64, code: "usage", says: ["-o"]),
        WrongInput("one argument too many", "hash a b", status: 64, code: "usage", says: ["'b'"]),
        WrongInput(
            "unknown level", "package dist -o a.zip --level hard", given: "build", status: 64,
            code: "usage",
            says: ["'hard'", "'max'"]),
        WrongInput(
            "unknown format", "diff a b --format xml", status: 64, code: "usage",
            says: ["'xml'", "'json'"]),
        WrongInput(
            "lifetime of no days", "publish dist --expires-in-days 0", status: 64, code: "usage",
            says: ["--expires-in-days", "3650"]),
        WrongInput(
            "lifetime in words", "publish dist --expires-in-days soon", status: 64, code: "usage",
            says: ["'soon'", "--expires-in-days"]),
    ]

    /// Flags that do not apply to the given input.
    static let unused = [
        WrongInput(
            "exclude of a package", "hash dist.zip --exclude '*.css'",
            given: "build; packtool package dist -o dist.zip --quiet", status: 64,
            code: "usage.unused-flag", says: ["--exclude", "'dist.zip'", "no build"]),
        WrongInput(
            "exclude of an origin", "verify cdn --exclude '*.css'", given: "origin", status: 64,
            code: "usage.unused-flag", says: ["--exclude", "'cdn'"]),
        WrongInput(
            "exclude of two releases", "diff cdn cdn@1.0.0 --exclude '*.css'", given: "origin",
            status: 64, code: "usage.unused-flag", says: ["--exclude"]),
        WrongInput(
            "channel of two builds", "diff dist next --channel beta", given: "second; build",
            status: 64, code: "usage.unused-flag", says: ["--channel", "no origin"]),
        WrongInput(
            "origin served under another name", "serve cdn --app other", given: "origin",
            status: 64, code: "usage.unused-flag", says: ["--app", "as it is"]),
        WrongInput(
            "no rule left", "check dist --select missing-file --ignore missing-file",
            given: "build", status: 64, code: "usage", says: ["--select", "nothing"]),
        WrongInput(
            "path prefix of a text", "check dist --path-prefix web/dist", given: "build",
            status: 64, code: "usage", says: ["--path-prefix", "sarif"]),
        WrongInput(
            "policy and a file", "init s3://shop-cdn/shop --policy aws --force", status: 64,
            code: "usage", says: ["--policy"]),
        WrongInput(
            "sequence below zero", "explain cdn --seen=-5", given: "origin", status: 64,
            code: "usage", says: ["--seen"]),
        WrongInput(
            "root for a client that knows none",
            "explain cdn --client basename-cache --trust sha256:00",
            given: "origin", status: 64, code: "usage", says: ["--trust"]),
    ]

    static let words = [
        WrongInput(
            "pattern without its bracket", "hash dist --exclude [ab", given: "build", status: 64,
            code: "usage.pattern", says: ["'[ab'", "without its ']'", "'[ab].map'"]),
        WrongInput(
            "pattern relative to the project", "hash dist --exclude ./dist/*.map", given: "build",
            status: 64, code: "usage.pattern", says: ["relative to the build", "'/static/*.map'"]),
        WrongInput(
            "pattern that excludes everything", "hash dist --exclude '**'", given: "build",
            status: 2,
            code: "build.all-excluded", says: ["every file", "exclude:"]),
        WrongInput(
            "no build named", "hash", status: 64, code: "usage.missing", says: ["DIR", "build:"]),
        WrongInput(
            "no app named", "manifest dist --base-url $URL", given: "build", status: 64,
            code: "usage.missing-app", says: ["--app"]),
        WrongInput(
            "unknown profile", "check dist --profile basename-cach", given: "build", status: 64,
            code: "usage.command-line", says: ["'basename-cach'", "- basename-cache"]),
        WrongInput(
            "saved form without a file", "check dist --save sarif", given: "build", status: 64,
            code: "usage.file-to-save", says: ["'sarif'", "json, sarif", "'markdown=summary.md'"]),
        WrongInput(
            "unknown form to save", "report dist --save pdf=r.pdf", given: "build", status: 64,
            code: "usage.file-to-save", says: ["'pdf=r.pdf'", "html, json, markdown"]),
        WrongInput(
            "two findings to standard output",
            "report dist -o r.html --findings text --findings github", given: "build", status: 64,
            code: "usage.command-line", says: ["FORMAT=FILE"]),
        WrongInput(
            "report and findings to standard output", "report dist --findings text",
            given: "build", status: 64, code: "usage.command-line",
            says: ["give one of them a file"]),
        WrongInput(
            "saved into the build", "check dist --save sarif=dist/f.sarif", given: "build",
            status: 2,
            code: "output.inside-build", says: ["'dist/f.sarif'"]),
        WrongInput(
            "host with a scheme", "check dist --host https://shop.example.com", given: "build",
            status: 64, code: "usage.host",
            says: ["'https://shop.example.com'", "'shop.example.com'"]
        ),
        WrongInput(
            "host with a slash", "check dist --host x.com/", given: "build", status: 64,
            code: "usage.host", says: ["'x.com/'", "'x.com'"]),
        WrongInput(
            "host of nothing", "check dist --host ''", given: "build", status: 64,
            code: "usage.host", says: ["empty"]),
        WrongInput(
            "host with a space", "check dist --host 'x y'", given: "build", status: 64,
            code: "usage.host", says: ["'x y'"]),
        WrongInput(
            "flag that the command does not use", "verify cdn --label nope", given: "origin",
            status: 64, code: "usage.command-line",
            says: ["'packtool verify'", "--label", "publish"]
        ),
        WrongInput(
            "help on an unknown command", "nosuch --help", status: 64, code: "usage",
            says: ["'nosuch'"]),
        WrongInput(
            "unknown rule", "check dist --ignore missing-fil", given: "build", status: 64,
            code: "usage.rule", says: ["'missing-fil'", "'missing-file'"]),
        WrongInput(
            "no baseline", "check dist --baseline accepted.json", given: "build",
            code: "", says: ["accepted.json"]),
        WrongInput(
            "no URL named", "manifest dist --app shop", given: "build", status: 64,
            code: "usage.missing-base-url", says: ["--base-url"]),
        WrongInput(
            "nothing named", "publish dist", given: "build", status: 64,
            code: "usage.missing-settings",
            says: [
                "packtool publish dist --app shop --base-url https://cdn.example.com/shop --to ../cdn/shop"
            ]),
        WrongInput(
            "no origin named", "publish dist --app shop --base-url $URL", given: "build",
            status: 64,
            code: "usage.missing-to", says: ["--to"]),
        WrongInput(
            "base URL of ftp", "manifest dist --app shop --base-url ftp://cdn.example.com",
            given: "build",
            status: 64, code: "usage.base-url", says: ["ftp://cdn.example.com", "https://"]),
        WrongInput(
            "base URL with a query",
            "manifest dist --app shop --base-url 'https://cdn.example.com/?a=1'",
            given: "build", status: 64, code: "usage.base-url", says: ["'?'"]),
        WrongInput(
            "base URL with a password",
            "manifest dist --app shop --base-url https://me:pw@cdn.example.com",
            given: "build", status: 64, code: "usage.base-url", says: ["user"]),
        WrongInput(
            "base URL that climbs",
            "manifest dist --app shop --base-url https://cdn.example.com/a/../b",
            given: "build", status: 64, code: "usage.base-url", says: ["'..'"]),
        WrongInput(
            "app name with a slash", "manifest dist --app a/b --base-url $URL", given: "build",
            status: 64,
            code: "usage.app-name", says: ["'a/b'"]),
        WrongInput(
            "channel with capitals",
            "publish dist --to cdn --app shop --base-url $URL --channel Beta",
            given: "build", status: 64, code: "usage.channel", says: ["'Beta'"]),
        WrongInput(
            "channel that climbs", "install cdn --into phone --channel ../production",
            given: "origin",
            status: 64, code: "usage.channel", says: ["'../production'"]),
        WrongInput(
            "scheme of the web", "manifest dist --app shop --base-url $URL --scheme https",
            given: "build",
            status: 64, code: "usage.scheme", says: ["'https'"]),
        WrongInput(
            "page origin unknown", "check dist --page-origin both",
            given: "build", status: 64, code: "usage", says: ["'both'", "dual"]),
        WrongInput(
            "launch page that is not there",
            "manifest dist --app shop --base-url $URL --launch home.html",
            given: "build", code: "manifest", says: ["home.html"]),
        WrongInput(
            "label of nothing", "publish dist --to cdn --app shop --base-url $URL --label ''",
            given: "build", status: 64, code: "usage.label", says: ["empty"]),
        WrongInput(
            "label too long",
            "publish dist --to cdn --app shop --base-url $URL --label $(head -c 300 /dev/zero | tr '\\0' x)",
            given: "build", status: 64, code: "usage.label", says: ["label"]),
        WrongInput(
            "label with a line break",
            "publish dist --to cdn --app shop --base-url $URL --label \"$(printf 'a\\nb')\"",
            given: "build",
            status: 64, code: "usage.label", says: ["label"]),
        WrongInput(
            "origin over https",
            "publish dist --to https://cdn.example.com --app shop --base-url $URL",
            given: "build", status: 64, code: "usage.origin",
            says: ["https://cdn.example.com", "s3://"]),
        WrongInput(
            "origin with a key in it",
            "publish dist --to 's3://KEYID:SEC/RET@bucket/shop?token=HIDDEN#also=HIDDEN' --app shop --base-url $URL",
            given: "build", status: 64, code: "usage.origin",
            says: ["'s3://…@bucket/shop?token=…#also=…'"]),
        WrongInput(
            "address as a build", "hash 'https://user:HIDDEN@a.example/shop.zip?token=HIDDEN'",
            status: 64, code: "input.remote",
            says: [
                "'https://…@a.example/shop.zip?token=…' is a web address",
                "install it first: 'packtool install",
            ]),
        WrongInput(
            "bucket as a build", "package s3://shop-cdn/shop -o a.zip", status: 64,
            code: "input.remote", says: ["is a bucket", "then name DIR/current"]),
        WrongInput(
            "bucket as a build to check", "check s3://shop-cdn/shop", status: 64,
            code: "input.remote", says: ["is a bucket", "then name DIR/current"]),
        WrongInput(
            "endpoint without a bucket", "diff dist dist --endpoint https://s3.example", status: 64,
            code: "usage.origin", says: ["is no bucket"]),
        WrongInput(
            "certificates without an address", "check dist --ca-file ca.pem", status: 64,
            code: "usage.origin", says: ["--ca-file is for an https address"]),
        WrongInput(
            "address where none belongs", "hash dist 'https://user:HIDDEN@a.example/?token=HIDDEN'",
            status: 64, code: "usage", says: ["'https://…@a.example/?token=…'"]),
        WrongInput(
            "file URL of another host", "install file://server/cdn --into phone", status: 64,
            code: "usage.origin", says: ["file://server/cdn"]),
        WrongInput(
            "directory with a flag for addresses", "verify cdn --channel beta", given: "origin",
            status: 64, code: "usage.origin", says: ["'cdn'", "--channel", "https"]),
        WrongInput(
            "directory with another flag for addresses", "verify cdn --all", given: "origin",
            status: 64, code: "usage.origin", says: ["'cdn'", "--all", "https"]),
        WrongInput(
            "address with a manifest's flag", "verify https://a.example --build dist",
            status: 64, code: "usage.manifest", says: ["'https://a.example'", "--build"]),
        WrongInput(
            "depth of a verification", "verify https://a.example --depth 1001", status: 64,
            code: "usage", says: ["--depth", "1000"]),
        WrongInput(
            "address that nothing answers", "verify http://127.0.0.1:9/shop", status: 2,
            code: "http.unreachable", says: ["'http://127.0.0.1:9/shop/channels/"]),
        WrongInput(
            "directory with a manifest's flag", "verify cdn --build dist", given: "origin",
            status: 64,
            code: "usage", says: ["'cdn'", "--build"]),
    ]
}
