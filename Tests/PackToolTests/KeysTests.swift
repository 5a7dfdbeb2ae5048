import Foundation
import TestSupport
import Testing

/// `packtool keys`, and publishing with keys.
@Suite struct KeysTests {
    /// A build, a passphrase, keys and a published first root.
    private static let project = """
        build
        cat > packtool.yaml <<'END'
        app: shop
        build: dist
        base-url: https://example.com/shop
        END
        (umask 077; echo correct-horse > pass)
        packtool keys init --dir keys --passphrase-file pass --quiet
        packtool keys publish keys/1.root.json --to cdn --quiet
        """

    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project)
        return sandbox
    }

    @Test func fromNothingToASignedRelease() async throws {
        let sandbox = try await sandbox()
        let publish = try await sandbox.run(
            "packtool publish --to cdn --sign-key keys/release.key --passphrase-file pass")
        #expect(publish.status == 0, "\(publish.all)")
        let install = try await sandbox.run(
            "packtool install cdn --into phone --trust keys/1.root.json")
        #expect(install.status == 0, "\(install.all)")
        #expect(install.output.contains("signed; root 1, epoch 1"))
        let verify = try await sandbox.run("packtool verify cdn --trust keys/1.root.json")
        #expect(verify.status == 0, "\(verify.all)")
        #expect(try await sandbox.run("packtool install cdn --into phone").status == 0)
        // An attacker with storage access but no key: the root rejects the pointer.
        try await sandbox.prepare(
            """
            packtool renew cdn --sign-key keys/release.key --passphrase-file pass --quiet
            packtool publish --to other --label 1 --quiet
            cp other/channels/production/log/1.json cdn/channels/production/log/; cp -r other/releases cdn
            """)
        for name in ["cdn@1", "cdn"] {
            if name == "cdn" {
                try await sandbox.prepare(
                    "cp other/channels/production/pointer.json cdn/channels/production")
            }
            let diff = try await sandbox.run("packtool diff \(name) dist --json")
            #expect(
                diff.status == 1 && diff.output.contains("trust.refused-by-root"), "\(diff.all)")
        }
    }

    /// The address serves another directory, and the root is copied to it late.
    @Test func waitsUntilTheBaseURLShowsTheRoot() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            packtool publish --to served --no-check --quiet
            packtool serve served --listen 127.0.0.1:0 > said 2>&1 & server=$!
            for try in $(seq 300); do grep -q http: said && break; sleep 0.1; done
            publish="packtool keys publish keys/1.root.json --to cdn --base-url $(grep -o 'http://[0-9.:]*' said | head -1)"
            $publish; echo "not waited $?"
            $publish --wait 1 --json; echo "waited $?"
            (sleep 2; cp -r cdn/root served/new; mv served/new served/root) &
            $publish --wait 120 --json; echo "shown $?"
            kill -TERM $server
            """)
        #expect(run.output.contains("not waited 0\n") && run.output.contains("\nwaited 1\n"))
        #expect(run.output.contains("\"code\": \"trust.root-not-visible\""), "\(run.all)")
        #expect(
            run.output.contains("\"shown\": true") && run.output.contains("shown 0"), "\(run.all)")
    }

    @Test("serve said nothing of a pointer that the origin's root does not accept")
    func serveWarnsOfARefusedPointer() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            packtool publish --to served --no-check --quiet
            mkdir served/root; cp keys/1.root.json served/root/1.json
            packtool serve served --listen 127.0.0.1:0 > said & server=$!
            for try in $(seq 300); do grep -q http: said && break; sleep 0.1; done
            kill -TERM $server; wait $server; cat said
            """)
        #expect(
            run.errors.contains("warning: clients with this origin's trust root refuse 'served/")
                && run.errors.contains("pointer.json': it is not signed"), "\(run.all)")
        #expect(run.output.contains("http://127.0.0.1:"))
    }

    /// Two people sign on two machines and exchange only the file.
    @Test func twoPeopleSignAPointer() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            set -e; export PACKTOOL_PASSPHRASE=correct-horse
            packtool keys new anna.key --quiet; packtool keys new ben.key --quiet
            packtool keys root keys/1.root.json -o 2.json --key anna=anna.key.pub --key ben=ben.key.pub \
                --role release:production:2=anna,ben --quiet
            packtool keys sign 2.json --previous keys/1.root.json --sign-key keys/root.key --quiet
            packtool keys publish 2.json --to cdn --quiet
            packtool publish --to cdn --sign-key anna.key --label 1.0 --propose next.json
            for step in '2 keys sign next.json --sign-key keys/release.key --trust 2.json' \
                '64 keys sign next.json --sign-key ben.key' \
                '64 keys sign 2.json --trust 2.json --sign-key ben.key' \
                '1 keys check next.json --trust 2.json' '1 publish --to cdn --pointer next.json' \
                '0 keys sign next.json --trust 2.json --sign-key ben.key' \
                '0 keys check next.json --trust 2.json' '0 publish --to cdn --pointer next.json' \
                '0 publish --to cdn --pointer next.json' '3 publish --to cdn --pointer old.json' \
                '3 keys sign old.json --to cdn --trust 2.json --sign-key ben.key'
            do
                set -- $step; wanted=$1; shift
                if [ "$*" = "publish --to cdn --pointer old.json" ]; then
                    packtool pause cdn --sign-key anna.key --propose old.json --quiet
                    packtool pause cdn --sign-key anna.key --sign-key ben.key --quiet
                fi
                set +e; packtool "$@" > said 2>&1; got=$?; set -e
                [ $got = $wanted ] || { cat said; echo "$step: $got"; exit 9; }
            done
            packtool verify cdn --trust keys/1.root.json
            packtool install cdn --into phone --trust keys/1.root.json || echo "paused: $?"
            """, timeout: 300)
        #expect(run.status == 0, "\(run.all)")
        #expect(run.output.contains("proposed") && run.output.contains("paused"))
    }

    /// Command line, environment, exit code, and the error's code.
    static let refusals: [(String, [String: String], Int32, String)] = [
        ("publish --to cdn", [:], 2, "signing.not-enough"),
        ("pause cdn", [:], 2, "signing.not-enough"),
        (
            "renew cdn --sign-key keys/root.key --passphrase-file pass", [:], 2,
            "signing.unknown-key"
        ),
        ("publish --to cdn --sign-key keys/release.key", [:], 2, "key.needs-passphrase"),
        (
            "publish --to cdn --sign-key keys/release.key", ["PACKTOOL_PASSPHRASE": "wrong"], 2,
            "key.wrong-passphrase"
        ),
        (
            "publish --to cdn --sign-key keys/root.key --passphrase-file pass", [:], 2,
            "signing.unknown-key"
        ),
        ("publish --to cdn --sign-key open.key", [:], 2, "key.readable-by-others"),
        ("publish bad --to cdn --no-check --sign-key bad/my.key", [:], 2, "key.inside-build"),
        ("publish --to cdn --sign-key cdn/my.key", [:], 2, "key.inside-origin"),
        ("publish --to cdn --sign-key env:NOKEY", [:], 2, "key.no-variable"),
        ("publish --to cdn --sign-key keys/release.key.pub", [:], 2, "key.public"),
        ("publish --to cdn --sign-key none.key", [:], 2, "file-system.open"),
        (
            "publish --to unsigned --sign-key keys/release.key --passphrase-file pass", [:], 2,
            "signing.no-root"
        ),
        ("publish --to cdn --sign-with 'exit 0'", [:], 2, "sign-with.cannot-start"),
        ("publish --to cdn --sign-with false", [:], 2, "sign-with.failed"),
        ("publish --to cdn --sign-with true", [:], 2, "sign-with.bad-answer"),
        ("publish --to cdn --sign-with 'head -c 100000 /dev/zero'", [:], 2, "sign-with.too-much"),
        ("publish --to cdn --sign-with \"'\"", [:], 64, "usage.sign-with"),
        ("install cdn --into phone --trust sha256:00", [:], 64, "usage.trust-root"),
        (
            "install cdn --into phone --trust sha256:\(String(repeating: "0", count: 64))", [:], 1,
            "trust.wrong-pin"
        ),
        (
            "install cdn --into phone --trust sha256:\(String(repeating: "0", count: 64))@2", [:],
            1, "trust.no-root"
        ),
        ("install cdn --into phone --trust packtool.yaml", [:], 1, "trust.invalid-root"),
        ("keys new keys/root.key --passphrase-file pass", [:], 2, "key.exists"),
        ("keys root keys/1.root.json -o 2.json --key x", [:], 64, "usage.key"),
        ("keys root keys/1.root.json -o 2.json --remove nobody", [:], 64, "root.no-such-key"),
        ("keys root keys/1.root.json -o 2.json --remove root", [:], 64, "root.too-few-keys"),
        ("keys root keys/1.root.json -o 2.json --role admin=root", [:], 64, "root.bad-role"),
        (
            "keys root keys/1.root.json -o 2.json --role release:3=root,release", [:], 64,
            "root.too-few-keys"
        ),
        ("keys root keys/1.root.json -o 2.json --floor production=0", [:], 64, "usage.floor"),
        ("keys publish next.json --to cdn", [:], 1, "trust.bad-signature"),
        ("keys publish keys/1.root.json --to dist", [:], 2, "publish.not-empty"),
        ("keys publish keys/1.root.json --to cdn --wait 0", [:], 64, "usage.command-line"),
        (
            "keys publish keys/1.root.json --to cdn --wait 9 --no-wait", [:], 64,
            "usage.command-line"
        ),
        ("keys", [:], 64, "usage.keys"),
    ]

    @Test(arguments: refusals) func refuses(
        _ line: String, _ environment: [String: String], _ status: Int32, _ code: String
    ) async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            openssl genpkey -algorithm ed25519 -out open.key 2>/dev/null; chmod 644 open.key
            cp -r dist bad; cp open.key bad/my.key; cp open.key cdn/my.key
            chmod 600 bad/my.key cdn/my.key keys/release.key.pub
            packtool keys root keys/1.root.json -o next.json --quiet
            """)
        let run = try await sandbox.run("packtool \(line) --json", environment: environment)
        #expect(run.status == status, "\(run.all)")
        #expect(run.output.contains("\"code\": \"\(code)\""), "\(run.all)")
        #expect(run.errors.contains("help: "))
        #expect(try await sandbox.run("test -e cdn/channels").status != 0)
    }

    /// Keys from a file, a variable, standard input and a program.
    static let sources: [String] = [
        "PACKTOOL_PASSPHRASE=correct-horse packtool publish --to cdn --sign-key keys/release.key",
        "KEY=\"$(cat keys/release.key)\" packtool publish --to cdn --sign-key env:KEY --passphrase-file pass",
        "packtool publish --to cdn --sign-key - --passphrase-file pass < keys/release.key",
        "packtool publish --to cdn --sign-key plain.key",
        "packtool publish --to cdn --sign-with './sign.sh \"plain.key\"'",
    ]

    /// Signs the request's message with OpenSSL for the first accepted key.
    private static let signScript = """
        cat > sign.sh <<'END'
        #!/bin/sh
        env > environment.txt
        tr '\\0' ' ' < /proc/$PPID/cmdline > cmdline.txt
        cat > request.json
        echo signing >&2
        value() { sed -n "s/.*\\"$1\\": \\"\\([^\\"]*\\)\\".*/\\1/p" request.json; }
        keyid=$(sed -n '/"keyids"/,$p' request.json | sed -n 's/ *"\\([0-9a-f]\\{64\\}\\)".*/\\1/p' | head -1)
        value message | base64 -d > message.bin
        openssl pkeyutl -sign -inkey "$1" -rawin -in message.bin -out sig.bin
        printf '{"schema": 1, "signatures": [{"keyid": "%s", "sig": "%s"}]}' "$keyid" "$(base64 -w0 sig.bin)"
        END
        chmod +x sign.sh
        openssl pkey -in keys/release.key -passin file:pass -out plain.key; chmod 600 plain.key
        """

    @Test(arguments: sources) func signsBy(_ line: String) async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(Self.signScript)
        let run = try await sandbox.run(line, environment: ["PACKTOOL_PASSPHRASE": ""])
        #expect(run.status == 0, "\(run.all)")
        let verify = try await sandbox.run("packtool verify cdn --trust keys/1.root.json")
        #expect(verify.status == 0, "\(verify.all)")
    }

    @Test func aProgramThatSignsGetsNoSecrets() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(Self.signScript)
        let run = try await sandbox.run(
            "packtool publish --to cdn --sign-with './sign.sh plain.key'",
            environment: ["PACKTOOL_PASSPHRASE": "correct-horse", "OTHER": "kept"])
        #expect(run.status == 0, "\(run.all)")
        #expect(run.errors.contains("signing"))
        let environment = try await sandbox.run("cat environment.txt").output
        #expect(environment.contains("OTHER=kept"))
        #expect(!environment.contains("correct-horse"))
        let line = try await sandbox.run("cat cmdline.txt").output
        #expect(line.contains("--sign-with") && !line.contains("correct-horse"), "\(line)")
        let request = try await sandbox.run("cat request.json").output
        #expect(request.contains("\"summary\": \"shop production 1: publish "), "\(request)")
        // A dry run starts no program.
        try await sandbox.prepare("rm request.json")
        let plan = try await sandbox.run(
            "packtool publish --to cdn --renew --dry-run --sign-with './sign.sh plain.key'")
        #expect(plan.status == 0, "\(plan.all)")
        #expect(try await sandbox.run("test -e request.json").status != 0)
    }

    /// No output or file contains the passphrase or any encoding of the seed.
    @Test func secretsStaySecret() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            exec > all.txt 2>&1
            export PACKTOOL_PASSPHRASE=correct-horse
            openssl pkey -in keys/release.key -passin file:pass -out plain.key; chmod 600 plain.key
            for key in keys/release.key plain.key; do
                packtool publish --to cdn --sign-key $key --renew --json
                packtool publish --to cdn --sign-key $key --renew --dry-run
                packtool publish --to cdn --sign-key $key --renew --sign-with false
                packtool keys sign keys/1.root.json --sign-key $key
                packtool publish --to unsigned --sign-key $key
                PACKTOOL_PASSPHRASE=other packtool publish --to cdn --sign-key $key
            done
            packtool keys show plain.key; packtool keys show keys/release.key
            packtool keys publish plain.key --to cdn; packtool install cdn --into phone --trust plain.key
            packtool keys root keys/1.root.json -o 2.json --key x=plain.key
            echo "$(head -c 40 plain.key)" > damaged.key; chmod 600 damaged.key
            packtool publish --to cdn --sign-key damaged.key
            exit 0
            """)
        #expect(run.status == 0, "\(run.all)")
        let search = try await sandbox.run(
            """
            openssl pkey -in plain.key -outform DER | tail -c 32 > seed
            xxd -p -c 64 seed > words; base64 -w0 seed >> words; echo >> words
            sed -n 2p plain.key >> words; echo correct-horse >> words
            grep -r -F -f words all.txt cdn phone 2>/dev/null; wc -l < words; wc -c < all.txt
            """)
        #expect(search.lines.count == 2, "\(search.all)")
        #expect(search.lines.first == "4")
        #expect(Int(search.lines.last ?? "") ?? 0 > 2000)
    }

    @Test func keyFilesAreTheOwnersAlone() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            "umask 0; packtool keys new a.key --passphrase-file pass --quiet; stat -c %a a.key; head -1 a.key"
        )
        #expect(run.lines == ["600", "-----BEGIN ENCRYPTED PRIVATE KEY-----"])
    }

    @Test func formats() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            packtool keys show keys/release.key.pub --format der | sha256sum | cut -c1-64
            packtool keys show keys/release.key.pub --json | grep -o '"keyid": "[0-9a-f]*"' | cut -d'"' -f4
            packtool keys show keys/release.key.pub --format pem | cmp - keys/release.key.pub && echo same
            packtool keys show keys/release.key.pub --format raw | xxd -p -c 32
            packtool keys show keys/release.key.pub --format hex
            """)
        #expect(run.status == 0, "\(run.all)")
        #expect(run.lines[0] == run.lines[1])
        #expect(run.lines[2] == "same")
        #expect(run.lines[3] == run.lines[4])
    }

    /// Two people, two root keys and a new release key: each step lists the missing signers.
    @Test func aCeremony() async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            set -e
            export PACKTOOL_PASSPHRASE=correct-horse
            packtool keys new anna.key --quiet
            packtool keys new ben.key --algorithm p256 --quiet
            packtool keys root keys/1.root.json -o 2.json --key anna=anna.key.pub --key ben=ben.key.pub \
                --role root:2=anna,ben --remove root --new-epoch --floor production=7 --json | grep missing -A5
            packtool keys sign 2.json --sign-key anna.key --json | grep -c missing
            if packtool keys check 2.json --previous keys/1.root.json --quiet; then exit 9; fi
            packtool keys sign 2.json --previous keys/1.root.json --sign-key ben.key --sign-key keys/root.key --quiet
            packtool keys check 2.json --previous keys/1.root.json --quiet
            packtool keys publish 2.json --to cdn --quiet
            packtool keys publish 2.json --to cdn | grep 'nothing changed'
            packtool publish --to cdn --sign-key keys/release.key | grep 'sequence 7'
            packtool install cdn --into phone --trust keys/1.root.json | grep 'root 2, epoch 2'
            """)
        #expect(run.status == 0, "\(run.all)")
    }
}
