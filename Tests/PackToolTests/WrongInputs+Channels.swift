import TestSupport

/// Commands that change channels without a build, and `embed`.
extension WrongInput {
    static let channels: [WrongInput] = {
        let canary = """
            origin; second; packtool publish next --to cdn --app shop --base-url $URL \
            --rollout 10 --no-check --quiet
            """
        return [
            WrongInput(
                "change of what is no origin", "pause dist", given: "build",
                code: "origin.not-an-origin", says: ["'dist'"]),
            WrongInput(
                "change of a channel without a release", "resume cdn --channel beta",
                given: "origin", code: "origin.nothing-published", says: ["'beta'"]),
            WrongInput(
                "share above 100", "rollout cdn 101", given: "origin", status: 64,
                code: "usage", says: ["0 to 100"]),
            WrongInput(
                "share that shrinks", "rollout cdn 5", given: canary,
                code: "channel.would-shrink", says: ["10 %", "--shrink"]),
            WrongInput(
                "rollback of a first release", "rollback cdn", given: "origin",
                code: "channel.no-earlier-release", says: ["'production'", "packtool pause"]),
            WrongInput(
                "rollback to what never was", "rollback cdn --to-release 9.9", given: "origin",
                code: "channel.never-live", says: ["'9.9'", "packtool history"]),
            WrongInput(
                "promotion to itself", "promote cdn --from production", given: "origin", status: 64,
                code: "channel.same-channel", says: ["'production'"]),
            WrongInput(
                "promotion from nothing", "promote cdn --from beta", given: "origin",
                code: "origin.nothing-published", says: ["'beta'"]),
            WrongInput(
                "promotion between base URLs", "promote cdn --from beta",
                given: """
                    origin; second; packtool publish next --to cdn --app shop --channel beta \
                    --base-url https://other.example --allow-identity-change --no-check --quiet
                    """,
                code: "channel.other-base-url", says: ["https://other.example"]),
            WrongInput(
                "publish with a base URL mistyped",
                "publish next --to cdn --app shop --base-url https://c.exmaple.com --no-check",
                given: "origin; second", code: "publish.identity-changed",
                says: [
                    "'https://c.exmaple.com'", "--base-url https://cdn.example.com/shop",
                    "--allow-identity-change",
                ]),
            WrongInput(
                "publish with another scheme",
                "publish next --to cdn --app shop --base-url $URL --scheme other --no-check",
                given: "origin; second", code: "publish.identity-changed",
                says: ["'customscheme'", "'other'", "--allow-identity-change"]),
            WrongInput(
                "publish to an empty workspace",
                "publish dist --to cdn --app shop --base-url $URL --require-origin", given: "build",
                code: "publish.no-origin", says: ["'cdn'", "new-origin: true"]),
            WrongInput(
                "publish to a paused channel",
                "publish next --to cdn --app shop --base-url $URL --no-check",
                given: "origin; second; packtool pause cdn --quiet", code: "publish.paused",
                says: ["--resume", "--stay-paused"]),
            WrongInput(
                "lifetime of no day", "renew cdn --expires-in-days 0", given: "origin", status: 64,
                code: "usage", says: ["1 to 3650"]),
            WrongInput(
                "maker of two lines", "pause cdn --actor \"$(printf 'a\\nb')\"", given: "origin",
                status: 64,
                code: "usage", says: ["control character"]),
            WrongInput(
                "native version that is none", "explain cdn --native 3.x", given: "origin",
                status: 64, code: "usage", says: ["3.x"]),
            WrongInput(
                "native version of an unknown platform",
                "promote cdn --from beta --min-native windows=3", given: "origin", status: 64,
                code: "usage", says: ["windows=3", "'ios' and 'android'"]),
            WrongInput(
                "native version of a platform that is none",
                "promote cdn --from beta --max-native ios=", given: "origin", status: 64,
                code: "usage", says: ["ios=", "3.2"]),
            WrongInput(
                "two native versions for one platform",
                "promote cdn --from beta --min-native ios=3 --min-native ios=4", given: "origin",
                status: 64, code: "usage", says: ["--min-native", "for each platform"]),
            WrongInput(
                "platform without versions", "explain cdn --platform windows", given: "origin",
                status: 64, code: "usage", says: ["windows", "'ios' and 'android'"]),
            WrongInput(
                "native version of a client that knows none",
                "explain cdn --client basename-cache --native 3", given: "origin", status: 64,
                code: "usage", says: ["info.json", "--native"]),
            WrongInput(
                "salt of no text", "promote cdn --from beta --rollout-salt ''", given: "origin",
                status: 64, code: "usage", says: ["--rollout-salt"]),
            WrongInput(
                "prune that keeps nothing", "prune cdn --keep 0", given: "origin", status: 64,
                code: "usage", says: ["--keep", "1 to 10"]),
            WrongInput(
                "proposal at an origin without keys", "pause cdn --propose next.json",
                given: "origin", code: "signing.no-root", says: ["keys init", "--propose"]),
            WrongInput(
                "proposal inside the origin", "pause cdn --propose cdn/next.json",
                given: "origin", code: "output.inside-origin", says: ["cdn/next.json"]),
            WrongInput(
                "commit of what is no proposal", "publish --pointer dist/index.html --to cdn",
                given: "origin", code: "proposal.invalid", says: ["'dist/index.html'", "--propose"]),
            WrongInput(
                "commit with a label", "publish --pointer next.json --to cdn --label 2",
                given: "origin", status: 64, code: "usage", says: ["--pointer", "--label"]),
            WrongInput(
                "prune beside a damaged proposal", "prune cdn --yes",
                given: """
                    origin; mkdir -p cdn/.packtool/proposals
                    echo > cdn/.packtool/proposals/x.json
                    """,
                status: 1, code: "prune.damaged-proposal", says: ["x.json", "remove"]),
            WrongInput(
                "prune of what is no origin", "prune dist --yes", given: "build",
                code: "origin.not-an-origin", says: ["'dist'"]),
            WrongInput(
                "prune of a copy", "prune cdn --yes", given: "origin; rm -r cdn/.packtool",
                code: "prune.not-primary", says: ["copy", "published to"]),
            WrongInput(
                "the end of all updates by mistake", "channel close cdn production",
                given: "origin", code: "channel.closes-default",
                says: ["'production'", "--default-channel"]),
            WrongInput(
                "channel close without a channel", "channel close", given: "origin", status: 64,
                code: "usage", says: ["the channel"]),
            WrongInput(
                "a time for what is closed", "channel close cdn beta --expires-in-days 3",
                given: "origin", status: 64, code: "usage", says: ["--expires-in-days"]),
            WrongInput(
                "publish to a closed channel",
                "publish dist --to cdn --app shop --base-url $URL --channel beta",
                given: """
                    origin; packtool promote cdn --from production --channel beta --quiet
                    packtool channel close cdn beta --quiet
                    """,
                code: "channel.closed", says: ["'beta'", "--reopen"]),
            WrongInput(
                "install from a closed channel", "install cdn --into phone --channel beta",
                given: """
                    origin; packtool promote cdn --from production --channel beta --quiet
                    packtool channel close cdn beta --quiet
                    """,
                status: 1, code: "install.closed", says: ["'beta'", "production is open"],
                leaves: "phone"),
            WrongInput(
                "prune with a pin that is torn", "prune cdn --yes",
                given: "origin; mkdir -p cdn/.packtool/pins; echo { > cdn/.packtool/pins/x.json",
                status: 1, code: "prune.damaged-pin", says: ["x.json", "--pin"]),
            WrongInput(
                "prune without a pointer", "prune cdn --yes",
                given: "origin; second; publish next 2.0; rm cdn/channels/production/pointer.json",
                status: 1, code: "prune.pointer-missing", says: ["pointer.json", "packtool verify"]),
            WrongInput(
                "prune before the publish", "prune cdn --yes",
                given: "build; SOURCE_DATE_EPOCH=4000000000 publish dist 1.0",
                code: "prune.clock-behind", says: ["clock"]),
            WrongInput(
                "pin of what never was", "prune cdn --pin 9.9", given: "origin",
                code: "channel.never-live", says: ["'9.9'"]),
            WrongInput(
                "pin that is not there", "prune cdn --unpin 1.0.0", given: "origin",
                code: "channel.not-pinned", says: ["'1.0.0'"]),
            WrongInput(
                "pin and prune", "prune cdn --pin 1.0.0 --yes", given: "origin", status: 64,
                code: "usage", says: ["--pin", "--yes"]),
            WrongInput(
                "rollback to what was pruned", "rollback cdn --to-release 1.0.0",
                given: """
                    origin; second; publish next 2.0
                    packtool prune cdn --keep 1 --grace-days 0 --delay-hours 0 --yes --quiet
                    """,
                code: "channel.pruned", says: ["1.0.0", "pruned"]),
            WrongInput(
                "diff with what was pruned", "diff cdn@1.0.0 cdn",
                given: """
                    origin; second; publish next 2.0
                    packtool prune cdn --keep 1 --grace-days 0 --delay-hours 0 --yes --quiet
                    """,
                code: "origin.pruned", says: ["1.0.0", "pruned", "packtool history"]),
            WrongInput(
                "promotion to a label that is a version",
                "promote cdn --from beta --channel gamma --label 00000000000000000000",
                given: """
                    origin; second; packtool publish next --to cdn --app shop --channel beta --label 2.0 \
                        --base-url https://cdn.example.com/shop --no-check --quiet
                    """, status: 64,
                code: "publish.label-is-version", says: ["00000000000000000000"]),
            WrongInput(
                "history of nothing", "history cdn --channel beta", given: "origin",
                code: "origin.nothing-published", says: ["'beta'"]),
            WrongInput(
                "change while a publisher works", "pause cdn", given: "origin",
                prefix: "flock cdn/.packtool/lock", status: 3, code: "publish.busy",
                says: ["'cdn'"]),
            WrongInput(
                "keys and no root", "pause cdn --sign-key keys/release.key --passphrase-file pass",
                given: """
                    origin; (umask 077; echo secret > pass)
                    packtool keys init --app shop --dir keys --passphrase-file pass --quiet
                    """, code: "signing.no-root", says: ["packtool keys init"]),
        ]
    }()

    static let embedding: [WrongInput] = {
        let embed = "embed cdn -o app"
        return [
            WrongInput(
                "app that is there", embed, given: "origin; mkdir app",
                code: "delta.target-exists", says: ["'app'"]),
            WrongInput(
                "app inside the origin", "embed cdn -o cdn/app", given: "origin",
                code: "output.inside-", says: ["'cdn/app'"]),
            WrongInput(
                "app of a canary", embed,
                given:
                    "build; packtool publish dist --to cdn --app shop --base-url $URL --rollout 10 --quiet",
                status: 1, code: "install.not-for-every-device",
                says: ["10 %", "packtool rollout"]),
            WrongInput(
                "app of a paused channel", embed, given: "origin; packtool pause cdn --quiet",
                status: 1, code: "install.disabled", says: ["'production'"]),
            WrongInput(
                "app while a publisher works", embed, given: "origin",
                prefix: "flock cdn/.packtool/lock", status: 3, code: "publish.busy",
                says: ["'cdn'"]),
            WrongInput(
                "reason and no pin", embed + " --no-pin --reason x", given: "origin", status: 64,
                code: "usage", says: ["--no-pin"]),
        ]
    }()
}
