import TestSupport

/// Manifests, origins and installations.
extension WrongInput {
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

    static let origins: [WrongInput] = {
        let publish = "publish dist --to cdn --app shop --base-url $URL"
        return [
            WrongInput("origin missing", "verify cdn", code: "file-system.open", says: ["'cdn'"]),
            WrongInput(
                "release to install", "install cdn@1.0.0 --into phone", given: "origin",
                status: 64, code: "input.release", says: ["'cdn@1.0.0'", "'cdn'"]),
            WrongInput(
                "release to roll back", "rollback cdn@1.0.0", given: "origin", status: 64,
                code: "input.release", says: ["'cdn@1.0.0'", "'cdn'"]),
            WrongInput(
                "key inside an origin", "keys new cdn/more.key", given: "origin",
                code: "key.inside-origin", says: ["'cdn/more.key'", "served publicly"]),
            WrongInput(
                "keys inside a build", "keys init --app shop --dir dist/keys",
                given: "build; echo 'build: dist' > packtool.yaml", code: "key.inside-build",
                says: ["'dist'"]),
            WrongInput(
                "root that blocks unsigned channels", "keys publish keys/1.root.json --to cdn",
                given:
                    "origin; (umask 077; echo correct-horse > pass); packtool keys init --app shop --dir keys --passphrase-file pass --quiet",
                status: 1, code: "trust.floor-too-low",
                says: ["'production'", "sequence 1", "--floor production=2", "--force"]),
            WrongInput(
                "prune that abandons and deletes", "prune cdn --abandon --yes", given: "origin",
                status: 64, code: "usage", says: ["--abandon"]),
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
                "a feed whose client needs an index.html",
                "publish other --to cdn --app shop --base-url $URL --no-check --feed capgo",
                given: "origin; mkdir other; echo x > other/x.js", code: "publish.feed-unsupported",
                says: ["'capgo'", "index.html"]),
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

    static let installations: [WrongInput] = {
        let install = "install cdn --into phone"
        return [
            WrongInput(
                "web server that is not there", "install http://127.0.0.1:9/shop --into phone",
                status: 2,
                code: "http.unreachable", says: ["'http://127.0.0.1:9/shop/channels/", "--mirror"]),
            WrongInput(
                "password over plain http", "install http://me:HIDDEN@a.example --into phone",
                status: 64, code: "usage.origin", says: ["unencrypted", "https"]),
            WrongInput(
                "host name in Unicode", "install https://bücher.example --into phone",
                status: 64, code: "usage.origin", says: ["xn--"]),
            WrongInput(
                "mirror of a directory", "install cdn --into phone --mirror https://a.example",
                given: "origin", status: 64, code: "usage.origin", says: ["--mirror"]),
            WrongInput(
                "nothing published yet", install, given: "mkdir -p cdn/.packtool",
                code: "origin.nothing-published", says: ["'production'", "'cdn'"]),
            WrongInput(
                "channel without a release", install + " --channel beta", given: "origin",
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
                "a build as the release in the app", install + " --embedded dist",
                given: "origin", code: "install.not-embedded", says: ["'dist'", "state.json"]),
            WrongInput(
                "an old pointer", install,
                given: """
                    origin; cp -r cdn old; second; publish next 1.1.0
                    packtool install cdn --into phone --quiet; rm -r cdn; mv old cdn
                    """,
                status: 1, code: "install.replayed", says: ["1", "2"]),
            WrongInput(
                "pointer expired", install,
                given:
                    "origin; packtool publish dist --to cdn --app shop --base-url $URL --expires-in-days 90 --quiet",
                prefix: "SOURCE_DATE_EPOCH=0 PACKTOOL_CLOCK=4102444800",
                status: 1, code: "install.expired", says: ["expired"], leaves: "phone"),
            WrongInput(
                "install of a half-written pointer", install,
                given:
                    "origin; p=cdn/channels/production/pointer.json; head -c 100 $p > x; mv x $p",
                status: 1, code: "origin.invalid-pointer", says: ["pointer.json"]),
            WrongInput(
                "install of a damaged pointer", install,
                given: "origin; p=cdn/channels/production/pointer.json; "
                    + "sed 's/\"digest\": \".*\"/\"digest\": \"'$(seq -s '' 40 | head -c 64)'\"/' $p > x; mv x $p",
                status: 1, code: "origin.invalid-pointer", says: ["digest"]),
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
}
