import TestSupport

/// Builds, output paths and the process environment.
extension WrongInput {
    static let builds = [
        WrongInput("build missing", "hash nowhere", code: "file-system.open", says: ["'nowhere'"]),
        WrongInput("build named by nothing", "hash ''", code: "file-system", says: ["help:"]),
        WrongInput(
            "build a text file", "hash notes.txt", given: "echo 'not a zip' > notes.txt",
            code: "input.not-a-package", says: ["notes.txt'", "build output"]),
        WrongInput(
            "build a page", "check dist/index.html", given: "build", code: "input.not-a-package",
            says: ["'dist/index.html'", "build output"]),
        WrongInput(
            "build a package that is none", "hash notes.zip",
            given: "head -c 100 /dev/zero > notes.zip", status: 1,
            code: "archive.no-end-record", says: ["notes.zip'"]),
        WrongInput(
            "build a delta", "publish d.zip --to cdn --app shop --base-url $URL",
            given:
                "build; cp -r dist next; echo more >> next/index.html; packtool delta dist next -o d.zip --quiet",
            code: "input.not-a-package", says: ["'d.zip'", "is a delta"]),
        WrongInput(
            "build an origin", "check cdn", given: "origin", status: 64, code: "input.origin",
            says: ["'cdn'", "is an origin"]),
        WrongInput(
            "build an installation", "check phone", given: "installed", status: 64,
            code: "input.installation", says: ["'phone' is an installation", "'phone/versions/"]),
        WrongInput(
            "installation without a release", "diff phone dist",
            given: "origin; installed; rm -r phone/versions", code: "input.nothing-installed",
            says: ["'phone'", "packtool install"]),
        WrongInput(
            "package of another release", "simulate dist next --package p.zip",
            given:
                "build; cp -r dist next; echo more >> next/index.html; packtool package dist -o p.zip --quiet",
            code: "input.not-a-package", says: ["'p.zip'", "'next'"]),
        WrongInput(
            "pages of an origin", "serve cdn --page", given: "origin", status: 64,
            code: "serve.needs-build", says: ["'cdn' is an origin"]),
        WrongInput(
            "origin without its slashes",
            "publish dist --to s3:/bucket/shop --app shop --base-url $URL",
            given: "build", status: 64, code: "usage.origin", says: ["s3://bucket/shop"]),
        WrongInput(
            "origin in the shell's home", "publish dist --app shop --base-url $URL",
            given: "build; echo 'to: ~/cdn' > packtool.yaml", status: 64, code: "usage.origin",
            says: ["'~'", "packtool.yaml"]),
        WrongInput(
            "commit of two lines",
            "publish dist --to cdn --app shop --base-url $URL --commit \"$(printf 'a\\nb')\"",
            given: "build", status: 64, code: "usage", says: ["control character"]),
        WrongInput(
            "baseline that was never written", "check dist",
            given:
                "build; printf 'check:\\n  baseline: known.json\\n' > packtool.yaml",
            code: "check.no-baseline", says: ["'known.json'", "--update-baseline"]),
        WrongInput(
            "deltas from too many releases",
            "publish dist --to cdn --app shop --base-url $URL $(seq -f '--delta-from 1111111111111111%04.0f' 21)",
            given: "build", status: 64, code: "usage.version", says: ["at most 20"]),
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
            "package without a file", "publish empty.zip --to cdn --app shop --base-url $URL",
            given: "{ printf 'PK\\005\\006'; head -c 18 /dev/zero; } > empty.zip",
            status: 1, code: "archive.no-files", says: ["'empty.zip'"]),
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
            "no old release to report", "report cdn dist -o r.html", given: "build",
            code: "file-system.open", says: ["'cdn'", "--allow-missing"]),
        WrongInput(
            "nothing deployed to check against", "check dist --against cdn",
            given: "build; mkdir cdn", code: "build.empty", says: ["'cdn'", "--allow-missing"]),
        WrongInput(
            "nothing to compare with", "diff dist gone", given: "build", code: "file-system.open",
            says: ["'gone'"]),
    ]

    static let paths = [
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

    static let surroundings = [
        WrongInput(
            "SOURCE_DATE_EPOCH in words", "publish dist --to cdn --app shop --base-url $URL",
            given: "build", prefix: "SOURCE_DATE_EPOCH=yesterday", status: 64,
            code: "usage.source_date_epoch", says: ["'yesterday'"]),
        WrongInput(
            "a time of long ago",
            "publish dist --to cdn --app shop --base-url $URL --expires-in-days 90",
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
}
