import TestSupport

/// `packtool.yaml`.
extension WrongInput {
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
            "configuration in Latin-1", "hash dist",
            given: "build; printf 'app: shop\\nexclude: [\"Gr\\366\\337e/\"]\\n' > packtool.yaml",
            code: "config.not-utf-8", says: ["packtool.yaml:2", "UTF-8"]),
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
            "init of a project that is not built", "init",
            given: "mkdir public; touch public/icon.svg; echo '{}' > package.json",
            code: "init.no-build", says: ["run the front-end build first"]),
        WrongInput(
            "init of two builds", "init",
            given: """
                for name in admin shop; do
                    build dist/$name; sed -i 's|src=assets|src=/assets|' dist/$name/index.html
                done
                """,
            code: "init.several-builds",
            says: ["'dist/admin', 'dist/shop'", "packtool init dist/admin"]),
        WrongInput(
            "init of a template", "init",
            given: """
                mkdir public; echo '{}' > package.json
                echo '<link rel=icon href="%PUBLIC_URL%/icon.png">' > public/index.html
                """,
            code: "init.no-build", says: ["run the front-end build first"]),
        WrongInput(
            "init of pages without a build", "init", given: "build .; echo '{}' > package.json",
            code: "init.no-build", says: ["'public'", "node_modules"]),
        WrongInput(
            "init of an output with another name", "init",
            given: "build pages; mv pages/index.html pages/home.html; echo '{}' > package.json",
            code: "init.no-build",
            says: ["HTML pages are in 'pages'", "packtool init pages'"]),
        WrongInput(
            "init in a build without a root page", "init",
            given: "build .; mv index.html home.html", code: "init.inside-build",
            says: ["packtool.yaml", "cd .. && packtool init work"]),
        WrongInput(
            "init in the build itself", "init", given: "build .", code: "init.inside-build",
            says: ["packtool.yaml", "cd .. && packtool init work"]),
        WrongInput(
            "init into the build", "init dist --config dist/packtool.yaml", given: "build",
            code: "output.inside-build", says: ["dist/packtool.yaml", "inside the build"]),
    ]
}
