import PackGround
import PackKeys
import PackPublish
import PackSigning
import PackTrust

extension Remedies {
    static let trust: Table = [
        .trustInvalidRoot: "check the file; 'packtool keys check FILE' prints its contents",
        .trustRootDiffers: """
        compare both with 'packtool keys show'; one of them was not published by the owner
        """,
        .trustRootCannotFollow: """
        run 'packtool keys check FILE --previous OLD' to see the keys that have to sign it
        """,
        .trustRootGap: Remedy {
            "publish root \($0["next"]) first ('packtool keys publish'), then its successors, in order"
        },
        .trustRootExpired: Remedy {
            "make the next root with 'packtool keys root', sign it and publish it"
                + ($0["version"] == "1"
                    ? "; if root 1 was never published, make it again ('packtool keys init' with "
                        + "another --dir)" : "")
        },
        .trustRootAhead: """
        correct this machine's clock if it is wrong; otherwise make the root again with a correct \
        clock (no device has it yet)
        """,
        .trustRootMissing: publishRoot,
        .trustNoRoot: publishRoot,
        .trustBadSignature: Remedy {
            $0["role"].hasPrefix(TrustRoot.rootRole)
                ? "have the missing keys sign it with 'packtool keys sign'; 'packtool keys check FILE "
                    + "--previous OLD' names them"
                : signAgain
        },
        .trustUnsigned: Remedy { _ in signAgain },
        .trustNoRole: "name keys for it: 'packtool keys root --role release:1=NAME'",
        .trustWrongPin: "check the pin; it names another root",
        .trustFloorTooLow: Remedy {
            $0["version"] == "1"
                ? "make root 1 again with --floor \($0["floor"]) ('packtool keys init' with another "
                    + "--dir); or publish it with --force, and then a next root that has the floor"
                : "make the root with --floor \($0["floor"]) ('keys init' and 'keys root' take it); "
                    + "--force publishes it nevertheless"
        },
        .trustRefusedByRoot: """
        if you did not publish it, someone else wrote to the origin: restore the pointer from its \
        log, and 'root/'; if you did, sign it with the channel's keys ('packtool renew' or \
        'packtool publish' with --sign-key)
        """,
        .trustRootLost: "name the root with --trust, or install into an empty directory",
        .trustRootNotVisible: Remedy {
            ($0["kept"].isEmpty
                ? "copy the origin to the directory that the CDN reads, or check the base URL"
                : "purge '\($0["kept"])' at the CDN")
                + "; publish no pointer before; then run the same command again to wait once more"
        },
    ]

    static let root: Table = [
        .rootBadName: chooseKeyName,
        .rootNameTaken: chooseKeyName,
        .rootKeyTaken: "use it by the name that 'packtool keys show' prints",
        .rootNoSuchKey: "use a name or id that 'packtool keys show' prints",
        .rootBadRole: "use 'root', 'release' or 'release:CHANNEL'",
        .rootTooFewKeys: "name its keys: --role ROLE:THRESHOLD=NAME,NAME",
        .rootLowerFloor: "give a number that is not lower",
    ]

    static let proposal: Table = [
        .proposalInvalid: "name a file that a command with --propose wrote",
        .proposalOvertaken: """
        run 'packtool history' to see the new pointers, then propose the change again
        """,
        .proposalTooOld: proposeAgain,
        .proposalExpired: proposeAgain,
        .proposalOtherRoot: proposeAgain,
        .proposalClockBehind: "correct the clock of this machine, or of the one that proposed it",
        .proposalNotEnough: Remedy {
            "have it signed: 'packtool keys sign \($0["path"]) --trust ROOT --sign-key KEY'"
        },
        .proposalRefused: """
        do not sign it; ask its author how it was made, and have it proposed again
        """,
        .proposalIdentityChanged: """
        if this is intentional, add --allow-identity-change; otherwise do not sign it
        """,
        .proposalNeedsRoot: Remedy {
            "add --trust with your copy of the origin's root/\($0["version"]).json"
        },
    ]

    static let signing: Table = [
        .signingUnknownKey: "use a key that 'packtool keys show' lists for this role",
        .signingNotEnough: """
        name the missing keys with --sign-key or --sign-with; or write the pointer with --propose \
        FILE, for the owners of these keys to sign
        """,
        .signingNoRoot: Remedy {
            "run 'packtool keys init' and 'packtool keys publish 1.root.json --to \($0["origin"])', or "
                + "leave out --sign-key, --sign-with and --propose"
        },
        .signingNewOrigin: Remedy {
            "check the address; for a new origin, publish the root first: 'packtool keys publish "
                + "1.root.json --to \($0["origin"])'"
        },
        .signingRootsMissing: """
        put all versions of the files of 'root/' back, from a copy of the origin or of the keys; a \
        new first root would lock out every app that has the old one
        """,
        .signingUnsignedPointer: Remedy {
            "if you published it before there were keys, publish a root with --floor \($0["floor"]); "
                + "if not, someone else wrote to the origin: restore the pointer from its log"
        },
        .signingForgedPointer: Remedy {
            "copy the newest entry that you published from the 'log' directory beside it to "
                + "'\($0["path"])', then run the same command again; 'packtool history' lists the "
                + "entries"
        },
        .signingUnauthorized: """
        publish the build that all devices should have: 'packtool publish' with --sign-key and \
        '--rollout 100 --min-native none --max-native none'
        """,
        .signWithInvalid: "use a value such as --sign-with './sign.sh --profile release'",
        .signWithCannotStart: "check its path; it is not looked up by a shell",
        .signWithFailed: runByHand,
        .signWithTimeout: runByHand,
        .signWithTooMuch: signWithFormat,
        .signWithBadAnswer: signWithFormat,
    ]

    static let key: Table = [
        .keyNotAKey: "name a PEM file that 'packtool keys new' or 'openssl genpkey' wrote",
        .keyUnsupported: """
        use an Ed25519 or P-256 key; 'openssl pkcs8 -topk8 -v2 aes-256-cbc -iter 600000' encrypts \
        one again
        """,
        .keyWeak: "make a new key with 'packtool keys new'",
        .keyNeedsPassphrase: givePassphrase,
        .keyWrongPassphrase: givePassphrase,
        .keyEmptyPassphrase: givePassphrase,
        .keyNoTerminal: givePassphrase,
        .keyPassphrasesDiffer: "run the same command again",
        .keyReadableByOthers: Remedy {
            "run 'chmod 600 \(shellWord($0["file"]))'; if others may have read it, create a new key"
        },
        .keyInside(.build): moveKey,
        .keyInside(.file): moveKey,
        .keyInside(.installation): moveKey,
        .keyInside(.origin): moveKey,
        .keyNoVariable: "set it to the text of the key file",
        .keyExists: "choose another name; packtool never overwrites a key",
        .keySignedFile: "choose another name, or remove it first",
        .keyPublic: Remedy {
            $0["private"].isEmpty ? "name the private key" : "name '\($0["private"])'"
        },
        .keyAsArgument: """
        give a file, env:NAME or -; others can read arguments, so replace this key by a new one
        """,
    ]

    private static let publishRoot: Remedy = """
        publish the root with 'packtool keys publish', or check the path
        """
    private static let signAgain = """
        publish again with the keys of this channel (--sign-key); if none of you published, someone \
        else wrote to the origin
        """
    private static let chooseKeyName: Remedy = "choose another name: --key NAME=FILE.pub"
    private static let proposeAgain: Remedy = "run the command with --propose again"
    private static let runByHand: Remedy = "read its messages above, and run it by hand"
    private static let signWithFormat: Remedy = "see 'Signing with a command' in docs/formats.md"
    private static let givePassphrase: Remedy = """
        set PACKTOOL_PASSPHRASE, or name a file with --passphrase-file
        """
    private static let moveKey: Remedy = """
        move it elsewhere; if it was ever served, make a new key and a new root
        """
}
