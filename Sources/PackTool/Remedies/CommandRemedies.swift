import PackGround
import PackSockets

extension Remedies {
    static let run: Table = [
        .interrupted: Remedy {
            $0["advice"].isEmpty
                ? "run the same command again; it starts over or continues, as needed"
                : $0["advice"]
        },
        .limitOpenFiles: """
        raise the limit of open files (ulimit -n) and run the same command again
        """,
        .runTemporaryLeft: "remove it; otherwise the next run in the same directory removes it",
        .usageCommandLine: Remedy { $0["remedy"] },
        .usageUnusedFlag: Remedy { "leave out \($0["flag"])" },
        .usageChannelCommand: useCommand,
        .usageKeysCommand: useCommand,
    ]

    static let check: Table = [
        .checkFixPackage: "name the build output's directory",
        .checkNoBaseline: Remedy {
            "write it with 'packtool check --baseline \(shellWord($0["path"])) --update-baseline', or "
                + "remove it from packtool.yaml ('check.baseline')"
        },
        .checkMaxWarnings: """
        fix them ('packtool check' shows them), or accept them: \
        'packtool check --baseline packtool-baseline.json --update-baseline'
        """,
        .checkErrors: Remedy {
            "fix \($0["errors"] == "1" ? "it" : "them") in the build"
                + ($0["proposes"].isEmpty ? "" : ", or add intentional ones to packtool.yaml")
                + "; 'packtool check' shows every error with its location"
                + ($0["remaining"].isEmpty
                    ? ""
                    : "; or accept \($0["remaining"] == "1" ? "it" : "them"): 'packtool check "
                        + "\($0["build"])--baseline \($0["baseline"]) --update-baseline'"
                        + ($0["accepts"].isEmpty
                            ? ", with 'check.baseline: \($0["baseline"])' in packtool.yaml" : ""))
        },
    ]

    static let engine: Table = [
        .engineMissing: """
        install WebKitGTK and the virtual display: \
        'apt-get install libwebkit2gtk-4.1-0 xvfb' (Debian, Ubuntu), or leave out --engine
        """,
        .engineNoProgram: """
        unpack the archive packtool-engine of the same release where this program was unpacked, or \
        leave out --engine
        """,
        .engineNotStarted: "see the reason; then run the same command again",
        .engineNoDisplay: """
        run it in a desktop session, or with 'xvfb-run'; without a window, 'packtool check --engine' \
        opens the pages, and 'packtool serve DIR --page' shows them in a browser
        """,
        .engineAndroid:
            "omit --engine, or also name the profile of the iOS app: --profile capacitor",
        .engineHTTPS: """
        add --network, or open the pages over the custom scheme: --page-origin custom
        """,
    ]

    static let input: Table = [
        .inputRelease: Remedy {
            "name the origin, '\($0["origin"])'; 'packtool status \($0["origin"])' lists the offers of "
                + "its channels"
        },
        .inputOrigin: "name the build output's directory, or a release's package",
        .inputInstallation: Remedy {
            "name the build output's directory, or the installed files: '\($0["current"])'"
        },
        .inputRemote: Remedy {
            "install it first: 'packtool install \($0["address"]) --into DIR'; then name DIR/current"
        },
        .inputNothingInstalled: Remedy {
            "run 'packtool install ORIGIN --into \(shellWord($0["path"]))' first"
        },
        .inputNotAPackage: nameBuildOrPackage,
        .inputNotARelease: nameBuildOrPackage,
        .inputPackageJunk: """
        unpack it and name the directory, whose junk files are left out, or package the build with \
        'packtool package'
        """,
        .inputNotAFile: checkPath,
        .inputTooLarge: checkPath,
        .inputOtherDelta: """
        name the delta between the two releases; 'packtool delta' makes it
        """,
        .deltaInfoRefused: """
        name the info.json that 'packtool publish' or 'packtool manifest' wrote
        """,
        .compareEmpty: allowMissing,
        .compareMissing: allowMissing,
        .compareUnpublished: allowMissing,
    ]

    static let output: Table = [
        .outputNotDurable: Remedy {
            "check the disk; then remove '\($0["output"])' and run the same command again"
        },
        .outputInside(.build): outsideInput,
        .outputInside(.file): outsideInput,
        .outputInside(.installation): outsideInput,
        .outputInside(.origin): outsideInput,
        .outputNotAFile: Remedy {
            "name a file"
                + ($0["isOptional"].isEmpty ? "" : ", or omit the option for standard output")
        },
        .outputSameFile: "choose another name for one of them",
        .outputIsInput: "choose another name for the output",
        .outputForeign: Remedy { "choose another name, or remove '\($0["file"])' first" },
        .reportTerminal: Remedy {
            "write it to a file: '\($0["command"]) -o report.html', or read it here: "
                + "'\($0["command"]) --format markdown'"
        },
    ]

    static let project: Table = [
        .initExists: "edit it, or use --force to replace it",
        .initNoBuild: Remedy {
            "run the front-end build first, or name its output: 'packtool init \($0["build"])'"
                + ($0["hasPage"].isEmpty
                    ? ""
                    : "; move pages that need no build to a directory of their own, such as "
                        + "'public', so that package.json and node_modules are not shipped")
        },
        .initSeveralBuilds: Remedy {
            "name the build of the app: 'packtool init \($0["build"])'"
        },
        .initInsideBuild: Remedy {
            "write it one directory up: 'cd .. && packtool init \($0["build"])'"
        },
        .serveNeedsBuild: """
        name the build's directory, or omit the flag: an origin is read again for every request
        """,
        .serveAddress: """
        stop the program that uses the port, or choose another with --listen
        """,
    ]

    private static let useCommand = Remedy { "use one of: " + $0["commands"] }
    private static let nameBuildOrPackage: Remedy = """
        name the build output's directory, or a package
        """
    private static let checkPath: Remedy = "check the path: this is another kind of file"
    private static let allowMissing: Remedy = """
        check the path and --channel; if the first release is still to come, add --allow-missing
        """
    private static let outsideInput = Remedy { "choose a path outside '\($0["input"])'" }
}
