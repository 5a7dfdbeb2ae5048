import TestSupport

/// One thing a user can get wrong, and what the tool has to make of it.
struct WrongInput: Sendable, CustomStringConvertible {
    /// Names the case, its snapshot section too.
    let name: String
    /// Makes the situation (``Fixtures/prelude``).
    let prepare: String
    /// What stands before `packtool`: variables, another user.
    let prefix: String
    /// The arguments, as typed.
    let arguments: String
    let status: Int32
    /// The start of the error's code in `--json`; `nil` where the result itself is the document.
    let code: String?
    /// What the message has to name.
    let says: [String]
    /// Names that may be new afterwards, by their prefix.
    let leaves: String?

    init(
        _ name: String, _ arguments: String, given prepare: String = "", prefix: String = "",
        status: Int32 = 2, code: String?, says: [String], leaves: String? = nil
    ) {
        self.name = name
        self.prepare = prepare
        self.prefix = prefix
        self.arguments = arguments
        self.status = status
        self.code = code
        self.says = says
        self.leaves = leaves
    }

    var description: String { name }

    static let all =
        usage + words + configuration + builds + places + surroundings + manifests + origins
        + installations + deltas + applications

    // MARK: The words of the command

    static let usage = [
        WrongInput("unknown command", "frob", status: 64, code: "usage", says: ["'frob'"]),
        WrongInput(
            "mistyped command", "pubish dist", status: 64, code: "usage",
            says: ["'pubish'", "packtool publish"]),
        WrongInput("unknown flag", "hash dist --nope", status: 64, code: "usage", says: ["--nope"]),
        WrongInput(
            "mistyped flag", "hash dist --lisitng", status: 64, code: "usage",
            says: ["--lisitng", "--listing"]),
        WrongInput("missing argument", "install", status: 64, code: "usage", says: ["<origin>"]),
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

    static let words = [
        WrongInput(
            "no build named", "hash", status: 64, code: "usage.missing", says: ["DIR", "build:"]),
        WrongInput(
            "no app named", "manifest dist --base-url $URL", given: "build", status: 64,
            code: "usage.missing-app", says: ["--app"]),
        WrongInput(
            "unknown profile", "check dist --profile seed03", given: "build", status: 64,
            code: "usage.command-line", says: ["'seed03'", "'seed003'"]),
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
            "flag that the command does not use", "verify cdn --channel nope", given: "origin",
            status: 64, code: "usage.command-line",
            says: ["'packtool verify'", "--channel", "publish"]
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
            says: ["https://cdn.example.com", "file://"]),
        WrongInput(
            "origin with a key in it",
            "publish dist --to 's3://KEYID:SEC/RET@bucket/shop?token=HIDDEN#also=HIDDEN' --app shop --base-url $URL",
            given: "build", status: 64, code: "usage.origin",
            says: ["'s3://…@bucket/shop?token=…#also=…'"]),
        WrongInput(
            "address as a build", "hash 'https://user:HIDDEN@a.example/shop.zip?token=HIDDEN'",
            code: "file-system", says: ["'https://…@a.example"]),
        WrongInput(
            "address where none belongs", "hash dist 'https://user:HIDDEN@a.example/?token=HIDDEN'",
            status: 64, code: "usage", says: ["'https://…@a.example/?token=…'"]),
        WrongInput(
            "file URL of another host", "install file://server/cdn --into phone", status: 64,
            code: "usage.origin", says: ["file://server/cdn"]),
        WrongInput(
            "directory with a manifest's flag", "verify cdn --build dist", given: "origin",
            status: 64,
            code: "usage", says: ["'cdn'", "--build"]),
    ]

    // MARK: packtool.yaml

    static let configuration = [
        WrongInput(
            "configuration missing", "hash dist --config shop.yaml", given: "build",
            code: "file-system.open", says: ["shop.yaml", "No such file"]),
        WrongInput(
            "configuration a directory", "hash dist --config dist", given: "build",
            code: "file-system",
            says: ["dist"]),
        WrongInput(
            "configuration a pipe", "hash dist --config pipe", given: "build; mkfifo pipe",
            code: "input.not-a-file", says: ["'pipe'"]),
        WrongInput(
            "configuration of nonsense", "hash dist",
            given: "build; printf 'app: [shop\\nbuild: dist\\n' > packtool.yaml", code: "config",
            says: ["packtool.yaml:"]),
        WrongInput(
            "configuration key mistyped", "hash dist",
            given: "build; printf 'app: shop\\nbase_url: https://a.example\\n' > packtool.yaml",
            code: "config", says: ["packtool.yaml:2", "'base_url'", "'base-url'"]),
        WrongInput(
            "configuration key unknown", "hash dist",
            given: "build; echo 'colour: red' > packtool.yaml",
            code: "config", says: ["packtool.yaml:1", "'colour'", "base-url"]),
        WrongInput(
            "configuration key twice", "hash dist",
            given: "build; printf 'app: shop\\napp: stop\\n' > packtool.yaml", code: "config",
            says: ["packtool.yaml", "app"]),
        WrongInput(
            "configuration of a wrong type", "hash dist",
            given: "build; printf 'app: shop\\nbuild: [dist]\\n' > packtool.yaml", code: "config",
            says: ["packtool.yaml:2", "'build'"]),
        WrongInput(
            "configuration of a wrong word", "hash dist",
            given: "build; printf 'level: maxi\\n' > packtool.yaml", code: "config",
            says: ["packtool.yaml:1", "'maxi'", "'max'"]),
        WrongInput(
            "configuration with an unknown key of the profile", "hash dist",
            given: "build; printf 'app: shop\\nprofile: {bogus: 1}\\n' > packtool.yaml",
            code: "config.unknown-key",
            says: ["packtool.yaml:2", "'bogus' in 'profile'", "look-up", "minimum-ios"]),
        WrongInput(
            "configuration with a number of deltas", "hash dist",
            given: "build; echo 'deltas: 5' > packtool.yaml", code: "config.not-a-mapping",
            says: ["packtool.yaml:1", "'deltas'", "{count: 3}"]),
        WrongInput(
            "configuration with a nested key twice", "hash dist",
            given: "build; printf 'check:\\n  ignore: []\\n  ignore: []\\n' > packtool.yaml",
            code: "config.repeated-key", says: ["packtool.yaml:3", "'ignore'"]),
        WrongInput(
            "configuration with a URL as a host", "hash dist",
            given: "build; printf 'host:\\n  - https://shop.example.com\\n' > packtool.yaml",
            code: "config.malformed",
            says: ["packtool.yaml:2", "'host'", "'shop.example.com'"]),
        WrongInput(
            "configuration of a wrong channel", "publish dist --no-check",
            given: """
                build; printf 'app: shop\nbase-url: https://a.example\nto: cdn\nchannel: Beta\n' > packtool.yaml
                """,
            status: 64, code: "usage.channel", says: ["packtool.yaml:4", "'Beta'"]),
        WrongInput(
            "configuration with a NUL", "publish dist --no-check",
            given: """
                build; printf 'app: shop\nbase-url: https://a.example\nto: "a\\\\0b"\n' > packtool.yaml
                """,
            code: "config.control-character", says: ["packtool.yaml:3", "'to'"]),
        WrongInput(
            "configuration with a key in an address", "publish dist --no-check",
            given: """
                build; printf 'app: shop\nbase-url: https://a.example\nto: s3://K:HIDDEN@b\n' > packtool.yaml
                """,
            status: 64, code: "usage.origin", says: ["'s3://…@b'"]),
        WrongInput(
            "configuration too large", "hash dist",
            given: "build; head -c 2000000 /dev/zero > packtool.yaml", code: "input.too-large",
            says: ["packtool.yaml"]),
        WrongInput(
            "init twice", "init", given: "build; echo 'app: shop' > packtool.yaml",
            code: "init.exists",
            says: ["packtool.yaml", "--force"]),
        WrongInput("init without a build", "init", code: "init.no-build", says: ["dist"]),
        WrongInput(
            "init in the build itself", "init", given: "build .", code: "output.inside-build",
            says: ["packtool.yaml", "inside the build"]),
    ]

    // MARK: The build

    static let builds = [
        WrongInput("build missing", "hash nowhere", code: "file-system.open", says: ["'nowhere'"]),
        WrongInput("build named by nothing", "hash ''", code: "file-system", says: ["help:"]),
        WrongInput(
            "build a text file", "hash notes.txt", given: "echo 'not a zip' > notes.txt", status: 1,
            code: "archive", says: ["notes.txt'"]),
        WrongInput(
            "build a device", "hash /dev/null", code: "input.not-a-release", says: ["/dev/null"]),
        WrongInput(
            "build a pipe", "hash pipe", given: "mkfifo pipe", code: "input.not-a-release",
            says: ["'pipe'"]),
        WrongInput(
            "build a link to nowhere", "hash dist", given: "ln -s gone dist", code: "file-system",
            says: ["'dist'"]),
        WrongInput(
            "build empty", "hash dist", given: "mkdir dist", code: "build.empty", says: ["'dist'"]),
        WrongInput(
            "build of junk only", "publish dist --to cdn --app shop --base-url $URL",
            given: "mkdir dist; echo x > dist/.DS_Store", code: "build.empty", says: ["'dist'"]),
        WrongInput(
            "names refused, all at once", "hash dist",
            given: """
                build; cd dist; touch "$(printf 'a\\nb')" "$(printf 'bad\\377')" 'back\\slash' INDEX.html
                touch "$(printf 'caf\\303\\251')" "$(printf 'cafe\\314\\201')"
                ln -s index.html link; mkfifo pipe
                """,
            code: "build.names",
            says: [
                "a\\x0ab", "bad\\xff", "back\\slash", "INDEX.html", "link: it is a symbolic link",
                "pipe",
                "caf\u{E9}",
            ]),
        WrongInput(
            "names refused by publish", "publish dist --to cdn --app shop --base-url $URL",
            given: "build; touch dist/aux.js dist/a:b 'dist/end.'", code: "build.names",
            says: ["aux.js", "a:b", "end."]),
        WrongInput(
            "one file unreadable", "hash dist",
            given: "build; chmod 000 dist/assets/app.js; nobody dist",
            prefix: "UNPRIVILEGED", code: "file-system.open",
            says: ["'dist/assets/app.js'", "Permission"]),
        WrongInput(
            "build unreadable", "publish dist --to cdn --app shop --base-url $URL",
            given: "build; chmod 000 dist", prefix: "UNPRIVILEGED", code: "file-system.open",
            says: ["'dist'", "Permission"]),
        WrongInput(
            "package cut short", "hash shop.zip",
            given:
                "build; packtool package dist -o whole.zip --quiet; head -c 200 whole.zip > shop.zip",
            status: 1, code: "archive", says: ["shop.zip'"]),
        WrongInput(
            "package with a bit turned", "hash shop.zip",
            given: """
                build; packtool package dist -o shop.zip --quiet
                printf X | dd of=shop.zip bs=1 seek=60 conv=notrunc 2> /dev/null
                """,
            status: 1, code: "archive", says: ["shop.zip"]),
        WrongInput(
            "nothing to compare with", "diff dist gone", given: "build", code: "file-system.open",
            says: ["'gone'"]),
    ]

    // MARK: Places to write to

    static let places = [
        WrongInput(
            "output inside the build", "package dist -o dist/shop.zip", given: "build",
            code: "output.inside-build", says: ["dist/shop.zip", "'dist'"]),
        WrongInput(
            "manifest inside the build",
            "manifest dist --app shop --base-url $URL -o dist/info.json", given: "build",
            code: "output.inside-build", says: ["dist/info.json", "'dist'"]),
        WrongInput(
            "output inside the build by another name", "package dist -o other/shop.zip",
            given: "build; ln -s dist/assets other", code: "output.inside-build",
            says: ["other/shop.zip", "'dist'"]),
        WrongInput(
            "manifest over the package it names",
            "manifest dist --app shop --base-url $URL --package shop.zip -o shop.zip",
            given: "build; packtool package dist -o shop.zip --quiet", code: "output.is-input",
            says: ["'shop.zip'"]),
        WrongInput(
            "rewriting into the build", "rewrite dist -o dist/app --host shop.example.com",
            given: "build", code: "output.inside-build", says: ["dist/app", "'dist'"]),
        WrongInput(
            "baseline inside the build", "check dist --update-baseline --baseline dist/b.json",
            given: "build", code: "output.inside-build", says: ["dist/b.json", "'dist'"]),
        WrongInput(
            "installation inside the origin", "install cdn --into cdn/phone", given: "origin",
            code: "output.inside-origin", says: ["cdn/phone", "'cdn'"]),
        WrongInput(
            "installation over the origin", "install cdn --into cdn/", given: "origin",
            code: "output.inside-origin", says: ["'cdn'"]),
        WrongInput(
            "rewriting undone where a file is gone", "rewrite app -o back --reverse",
            given: """
                build; echo '<img src="https://shop.example.com/assets/app.css">' >> dist/index.html
                packtool rewrite dist -o app --host shop.example.com --quiet
                mv app/index.html app/home.html
                """,
            code: "rewrite.missing-files", says: ["'app'", "'index.html'"]),
        WrongInput(
            "output a directory", "package dist -o out", given: "build; mkdir out",
            code: "file-system", says: ["out"]),
        WrongInput(
            "output named by nothing", "package dist -o ''", given: "build", status: 64,
            code: "usage", says: ["no name"]),
        WrongInput(
            "output in no directory", "package dist -o out/shop.zip", given: "build",
            code: "file-system.open", says: ["'out'"]),
        WrongInput(
            "manifest to a directory",
            "manifest dist --app shop --base-url $URL -o out", given: "build; mkdir out",
            code: "file-system", says: ["out"]),
        WrongInput(
            "output not writable", "package dist -o out/shop.zip",
            given: "build; mkdir -m 555 out", prefix: "UNPRIVILEGED", code: "file-system",
            says: ["out", "Permission"]),
        WrongInput(
            "manifest not writable",
            "manifest dist --app shop --base-url $URL -o out/info.json",
            given: "build; mkdir -m 555 out", prefix: "UNPRIVILEGED", code: "file-system",
            says: ["out", "Permission"]),
        WrongInput(
            "init not writable", "init", given: "build", prefix: "UNPRIVILEGED",
            code: "file-system",
            says: ["Permission"]),
        WrongInput(
            "origin not writable", "publish dist --to cdn --app shop --base-url $URL",
            given: "build; mkdir -m 555 cdn", prefix: "UNPRIVILEGED", code: "file-system",
            says: ["cdn", "Permission"]),
        WrongInput(
            "installation not writable", "install cdn --into phone",
            given: "origin; mkdir -m 555 phone", prefix: "UNPRIVILEGED", code: "file-system",
            says: ["phone", "Permission"]),
        WrongInput(
            "earlier package missing", "package dist -o a.zip --reuse old.zip", given: "build",
            code: "file-system.open", says: ["old.zip"]),
        WrongInput(
            "earlier package is none", "package dist -o a.zip --reuse dist/index.html",
            given: "build",
            status: 1, code: "archive", says: ["dist/index.html"]),
        WrongInput(
            "package of another build",
            "manifest next --app shop --base-url $URL --package shop.zip",
            given: "build; second; packtool package dist -o shop.zip --quiet", status: 1,
            code: "archive",
            says: ["shop.zip"]),
    ]

    // MARK: Environment

    static let surroundings = [
        WrongInput(
            "SOURCE_DATE_EPOCH in words", "publish dist --to cdn --app shop --base-url $URL",
            given: "build", prefix: "SOURCE_DATE_EPOCH=yesterday", status: 64,
            code: "usage.source_date_epoch", says: ["'yesterday'"]),
        WrongInput(
            "a time of long ago", "publish dist --to cdn --app shop --base-url $URL",
            given: "build", prefix: "SOURCE_DATE_EPOCH=0", code: "publish.expired-at-once",
            says: ["1970-04-01", "SOURCE_DATE_EPOCH"]),
        WrongInput(
            "a time before the current pointer",
            "publish next --to cdn --app shop --base-url $URL", given: "origin; second",
            prefix: "SOURCE_DATE_EPOCH=1577836800", code: "publish.clock-behind",
            says: ["2020-01-01", "SOURCE_DATE_EPOCH"]),
        WrongInput(
            "SOURCE_DATE_EPOCH past the year 9999",
            "publish dist --to cdn --app shop --base-url $URL", given: "build",
            prefix: "SOURCE_DATE_EPOCH=99999999999999999999", status: 64,
            code: "usage.source_date_epoch",
            says: ["99999999999999999999"]),
        WrongInput(
            "PACKTOOL_JOBS of none", "hash dist", given: "build", prefix: "PACKTOOL_JOBS=0",
            status: 64,
            code: "usage.packtool_jobs", says: ["'0'", "256"]),
        WrongInput(
            "PACKTOOL_JOBS in words", "hash dist", given: "build", prefix: "PACKTOOL_JOBS=all",
            status: 64, code: "usage.packtool_jobs", says: ["'all'"]),
        WrongInput(
            "TMPDIR missing", "publish shop.zip --to cdn --app shop --base-url $URL",
            given: "build; packtool package dist -o shop.zip --quiet",
            prefix: "TMPDIR=/nowhere/at/all",
            code: "file-system.open", says: ["/nowhere/at/all"]),
    ]

    // MARK: Manifests

    static let manifests: [WrongInput] = {
        let manifest =
            "build; packtool manifest dist --app shop --base-url $URL -o info.json --quiet; "
        let verify = "verify info.json --build dist"
        return [
            WrongInput(
                "manifest without a build", "verify info.json", given: manifest, status: 64,
                code: "usage.missing-build", says: ["info.json", "--build"]),
            WrongInput(
                "manifest missing", "verify info.json --build dist", given: "build",
                code: "file-system.open", says: ["info.json"]),
            WrongInput(
                "manifest cut short", verify,
                given: manifest + "head -c 300 info.json > i; mv i info.json", status: 1,
                code: "manifest",
                says: ["info.json"]),
            WrongInput(
                "manifest not JSON", verify, given: "build; echo hello > info.json", status: 1,
                code: "manifest", says: ["info.json"]),
            WrongInput(
                "manifest empty", verify, given: "build; : > info.json", status: 1,
                code: "manifest",
                says: ["info.json"]),
            WrongInput(
                "manifest of a wrong type", verify,
                given: manifest
                    + "sed 's/\"size\": *[0-9]*/\"size\":\"big\"/' info.json > i; mv i info.json",
                status: 1, code: "manifest", says: ["info.json", "size"]),
            WrongInput(
                "manifest of a later schema", verify,
                given: manifest
                    + "sed 's/\"schema\": *1/\"schema\": 2/' info.json > i; mv i info.json",
                status: 1, code: "manifest", says: ["schema", "2"]),
            WrongInput(
                "manifest of the seed only", verify,
                given:
                    "build; echo '{\"version\":\"4320573858a8fa3567a1\",\"files\":[]}' > info.json",
                status: 1, code: "manifest", says: ["info.json"]),
            WrongInput(
                "manifest a pipe", verify, given: "build; mkfifo info.json",
                code: "input.not-a-file",
                says: ["info.json"]),
            WrongInput(
                "manifest huge", verify,
                given: "build; truncate -s 5G info.json", code: "input.too-large",
                says: ["info.json"]),
            WrongInput(
                "manifest nested deep", verify,
                given: "build; head -c 200000 /dev/zero | tr '\\0' '[' > info.json", status: 1,
                code: "manifest", says: ["info.json"]),
            WrongInput(
                "build that differs", verify,
                given: manifest
                    + "echo more >> dist/index.html; rm dist/assets/app.css; touch dist/new.js",
                status: 1, code: nil,
                says: ["'info.json'", "1 missing", "1 extra", "1 changed"]),
        ]
    }()

    // MARK: Origins

    static let origins: [WrongInput] = {
        let publish = "publish dist --to cdn --app shop --base-url $URL"
        return [
            WrongInput("origin missing", "verify cdn", code: "file-system.open", says: ["'cdn'"]),
            WrongInput(
                "origin that is none", "verify dist", given: "build", code: "origin.not-an-origin",
                says: ["'dist'", "publish"]),
            WrongInput(
                "origin a file", publish, given: "build; echo x > cdn", code: "file-system",
                says: ["cdn"]),
            WrongInput(
                "origin not empty", publish, given: "build; mkdir cdn; echo x > cdn/readme",
                code: "publish.not-empty", says: ["'cdn'"]),
            WrongInput(
                "origin inside the build", "publish dist --to dist/cdn --app shop --base-url $URL",
                given: "build", code: "publish.origin-inside-build", says: ["dist/cdn"]),
            WrongInput(
                "origin of another app", "publish dist --to cdn --app stop --base-url $URL",
                given: "origin", code: "publish.other-app", says: ["'shop'", "'stop'"]),
            WrongInput(
                "label taken", "publish next --to cdn --app shop --base-url $URL --label 1.0.0",
                given: "origin; second", code: "publish.label-taken", says: ["'1.0.0'"]),
            WrongInput(
                "release published under another URL",
                "publish dist --to cdn --app shop --base-url https://other.example.com",
                given: "origin",
                code: "publish.release-differs", says: ["releases/"]),
            WrongInput(
                "another publisher at work", publish,
                given: "origin", prefix: "flock cdn/.packtool/lock", status: 3,
                code: "publish.busy",
                says: ["'cdn'"]),
            WrongInput(
                "pointer half written", "verify cdn",
                given:
                    "origin; p=cdn/channels/production/pointer.json; head -c 100 $p > x; mv x $p",
                status: 1, code: nil, says: ["did not verify"]),
            WrongInput(
                "publish over a half-written pointer", publish,
                given:
                    "origin; p=cdn/channels/production/pointer.json; head -c 100 $p > x; mv x $p",
                status: 1, code: "origin.invalid-pointer",
                says: ["cdn/channels/production/pointer.json"]),
            WrongInput(
                "a foreign file at the next log entry",
                "publish next --to cdn --app shop --base-url $URL",
                given: "origin; second; mkfifo cdn/channels/production/log/2.json",
                code: "publish.foreign-file", says: ["cdn/channels/production/log/2.json"]),
            WrongInput(
                "a link at info.json", "publish next --to cdn --app shop --base-url $URL",
                given: "origin; second; rm cdn/info.json; ln -s /srv/info.json cdn/info.json",
                code: "publish.foreign-file", says: ["cdn/info.json", "symbolic link"]),
            WrongInput(
                "a damaged object that the release needs",
                "publish next --to cdn --app shop --base-url $URL",
                given: "origin; second; for o in cdn/objects/*/*.css; do rm $o; echo x > $o; done",
                status: 1, code: "publish.damaged", says: ["cdn/objects/", "remove it"]),
            WrongInput(
                "a damaged release that a delta was asked from",
                "publish next --to cdn --app shop --base-url $URL --delta-from $(packtool hash dist)",
                given: "origin; second; echo x > cdn/releases/$(packtool hash dist)/info.json",
                status: 1, code: "publish.delta-base-damaged", says: ["--delta-from"],
                leaves: "cdn/.packtool"),
            WrongInput(
                "a site that nobody may write",
                "publish next --to cdn --app shop --base-url $URL",
                given: "origin; second; nobody cdn; chmod 555 cdn/site/assets",
                prefix: "UNPRIVILEGED",
                code: "publish.not-writable", says: ["'cdn/site/assets'"], leaves: "cdn"),
            WrongInput(
                "package at the origin cut short", "verify cdn",
                given:
                    "origin; for p in cdn/releases/*/package.zip; do head -c 200 $p > x; mv x $p; done",
                status: 1, code: nil, says: ["did not verify"]),
            WrongInput(
                "object at the origin gone", "verify cdn",
                given: "origin; rm cdn/objects/*/app.js", status: 1, code: nil,
                says: ["did not verify"]),
            WrongInput(
                "manifest at the origin damaged", "verify cdn",
                given: "origin; for p in cdn/releases/*/info.json; do echo '{}' > $p; done",
                status: 1,
                code: nil, says: ["did not verify"]),
            WrongInput(
                "pointer a pipe", "verify cdn",
                given: "origin; p=cdn/channels/production/pointer.json; rm $p; mkfifo $p",
                status: 1,
                code: nil, says: ["did not verify"]),
        ]
    }()

    // MARK: Installations

    static let installations: [WrongInput] = {
        let install = "install cdn --into phone"
        return [
            WrongInput(
                "nothing published yet", install, given: "mkdir -p cdn/.packtool", status: 1,
                code: "origin.nothing-published", says: ["'production'", "'cdn'"]),
            WrongInput(
                "channel without a release", install + " --channel beta", given: "origin",
                status: 1,
                code: "origin.nothing-published", says: ["'beta'"]),
            WrongInput(
                "install from what is no origin", "install dist --into phone", given: "build",
                code: "origin.not-an-origin", says: ["'dist'"]),
            WrongInput(
                "install into other files", "install cdn --into dist", given: "origin",
                code: "install.not-an-installation", says: ["'dist'"]),
            WrongInput(
                "install into a file", "install cdn --into notes", given: "origin; echo x > notes",
                code: "file-system", says: ["notes"]),
            WrongInput(
                "another installer at work", install, given: "installed",
                prefix: "flock phone/.lock", status: 3, code: "install.busy", says: ["'phone'"]),
            WrongInput(
                "another channel than before", install + " --channel beta",
                given: "installed; packtool \(publishBeta)", code: "install.other-channel",
                says: ["'production'", "'beta'"]),
            WrongInput(
                "an old pointer", install,
                given: """
                    origin; cp -r cdn old; second; publish next 1.1.0
                    packtool install cdn --into phone --quiet; rm -r cdn; mv old cdn
                    """,
                status: 1, code: "install.replayed", says: ["1", "2"]),
            WrongInput(
                "pointer expired", install, given: "origin", prefix: "SOURCE_DATE_EPOCH=4102444800",
                status: 1, code: "install.expired", says: ["expired"], leaves: "phone"),
            WrongInput(
                "install of a half-written pointer", install,
                given:
                    "origin; p=cdn/channels/production/pointer.json; head -c 100 $p > x; mv x $p",
                status: 1, code: "origin.invalid-pointer", says: ["pointer.json"]),
            WrongInput(
                "install of a damaged manifest", install,
                given: "origin; for p in cdn/releases/*/info.json; do echo '{}' > $p; done",
                status: 1,
                code: "origin.differs", says: ["info.json"], leaves: "phone"),
            WrongInput(
                "install of a package cut short", install,
                given: "installed; second; publish next 1.1.0; "
                    + "for p in cdn/releases/*/*.zip; do head -c 200 $p > x; cp x $p; done; rm x",
                status: 1, code: "origin.differs", says: ["package.zip"],
                leaves: "phone/state.json"),
            WrongInput(
                "state that is none", install,
                given: "installed; second; publish next 1.1.0; echo nonsense > phone/state.json",
                code: "install.damaged-state", says: ["phone/state.json"], leaves: "phone/.staging"),
        ]
    }()

    private static let publishBeta =
        "publish dist --to cdn --app shop --base-url $URL --channel beta --quiet"
}
