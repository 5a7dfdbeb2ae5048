extension WrongInput {
    /// Makes a delta between two builds.
    private static let delta = "build; second; packtool delta dist next -o u.zip --quiet"

    // MARK: delta

    static let deltas = [
        WrongInput(
            "delta without an output", "delta dist next", given: "build; second", status: 64,
            code: "usage", says: ["--output", "usage: packtool delta <old> <new>"]),
        WrongInput(
            "delta of one build", "delta dist -o u.zip", given: "build", status: 64, code: "usage",
            says: ["the old release and the new one"]),
        WrongInput(
            "delta from a release at no origin", "delta next --from 1.0.0 -o u.zip",
            given: "build; second", status: 64, code: "usage", says: ["--from", "--at"]),
        WrongInput(
            "delta between equal builds", "delta dist dist -o u.zip", given: "build",
            code: "delta.same-release", says: ["both releases are"]),
        WrongInput(
            "delta from nowhere", "delta gone dist -o u.zip", given: "build",
            code: "file-system.open", says: ["'gone'"]),
        WrongInput(
            "delta from a label nobody gave", "delta next --from 9.9 --at cdn -o u.zip",
            given: "origin; second", code: "origin.no-such-release",
            says: ["'cdn'", "'9.9'", "label"]),
        WrongInput(
            "delta to explain is a package", "delta --explain shop.zip",
            given: "build; packtool package dist -o shop.zip --quiet", status: 1,
            code: "delta.not-a-delta", says: ["'shop.zip'", "packtool delta"]),
        WrongInput(
            "delta with the manifest of another release",
            "delta dist next -o u.zip --info info.json",
            given: "build; second; packtool manifest dist --app shop "
                + "--base-url https://example.com/shop -o info.json --quiet",
            code: "delta.info-refused", says: ["'info.json'", "another release"]),
        WrongInput(
            "delta with a manifest in another form", "delta dist next -o u.zip --info info.json",
            given: "build; second; packtool manifest next --app shop "
                + "--base-url https://example.com/shop -o lines.json --quiet; "
                + "tr -d '\\n' < lines.json > info.json",
            code: "delta.info-refused", says: ["'info.json'", "packtool manifest"]),
    ]

    // MARK: apply

    static let applications = [
        WrongInput(
            "apply without an output", "apply dist u.zip", given: delta, status: 64, code: "usage",
            says: ["--output"]),
        WrongInput(
            "apply for a manifest that the delta has not",
            "apply dist u.zip -o out --info info.json", given: delta, status: 1,
            code: "delta.no-info", says: ["'u.zip'", "info.json"]),
        WrongInput(
            "apply to another base", "apply next u.zip -o out", given: delta, status: 1,
            code: "delta.wrong-base", says: ["'u.zip'", "a file was changed"]),
        WrongInput(
            "apply of a package", "apply dist shop.zip -o out",
            given: "build; packtool package dist -o shop.zip --quiet", status: 1,
            code: "delta.not-a-delta", says: ["'shop.zip'", "delta.json"]),
        WrongInput(
            "apply of a text file", "apply dist notes.txt -o out",
            given: "build; echo 'no zip' > notes.txt", status: 1, code: "archive",
            says: ["'notes.txt'"]),
        WrongInput(
            "apply of nothing", "apply dist u.zip -o out", given: "build",
            code: "file-system.open", says: ["'u.zip'"]),
        WrongInput(
            "apply with the two exchanged", "apply u.zip dist -o out", given: delta,
            code: "input.not-a-package", says: ["'u.zip'", "build output"]),
        WrongInput(
            "apply of a delta cut short", "apply dist cut.zip -o out",
            given: delta + "; head -c 200 u.zip > cut.zip", status: 1, code: "archive",
            says: ["'cut.zip'", "packtool delta"]),
        WrongInput(
            "apply of a delta with a bit turned", "apply dist u.zip -o out",
            given: delta + "; printf X | dd of=u.zip bs=1 seek=60 conv=notrunc 2> /dev/null",
            status: 1, code: "archive", says: ["u.zip"]),
        WrongInput(
            "apply to what is there", "apply dist u.zip -o out", given: delta + "; mkdir out",
            code: "delta.target-exists", says: ["'out'"]),
        WrongInput(
            "apply into the base", "apply dist u.zip -o dist/out", given: delta,
            code: "output.inside-build", says: ["dist/out"]),
        WrongInput(
            "delta inside the old build", "delta dist next -o dist/u.zip", given: "build; second",
            code: "output.inside-build", says: ["dist/u.zip", "'dist'"]),
        WrongInput(
            "delta inside the origin", "delta --at cdn --from 1.0.0 next -o cdn/u.zip",
            given: "origin; second", code: "output.inside-origin", says: ["cdn/u.zip", "'cdn'"]),
        WrongInput(
            "delta over a package it is made from", "delta old.zip next -o old.zip",
            given: "build; second; packtool package dist -o old.zip --quiet",
            code: "output.is-input", says: ["'old.zip'"]),
        WrongInput(
            "apply in no directory", "apply dist u.zip -o no/out", given: delta,
            code: "file-system.open", says: ["'no'"]),
    ]
}
