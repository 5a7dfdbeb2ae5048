// swift-tools-version:6.2
import PackageDescription

/// Whether a build tool downloaded this package for another one.
let isDependency = Context.packageDirectory.split(separator: "/").contains("checkouts")

/// Warnings are errors, but not in a downloaded package: Xcode 26 compiles it with `-suppress-warnings`,
/// and the compiler refuses both (swift-package-manager issue 9517).
let basic: [SwiftSetting] =
    (isDependency ? [] : [.treatAllWarnings(as: .error)]) + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

/// Sources import each module whose members they use; tests need not.
let common = basic + [.enableUpcomingFeature("MemberImportVisibility")]

/// 'make test' builds libraries, program and tests once, optimized; optimizing the tests themselves would take longer
/// than it saves.
let testing = basic + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The names of pkg-config. On Debian, libyaml is linked statically, libarchive and libcurl are loaded when they are
/// needed, and the headers of all three are where compilers look.
#if os(macOS)
    let systemLibraries = "libarchive libcurl libdeflate liblzma yaml-0.1 zlib"
#else
    let systemLibraries = "libdeflate liblzma zlib"
#endif

/// The folder of the archives that 'make dist' links into the program, from Scripts/static-libraries.sh.
let archives = Context.environment["PACKTOOL_STATIC"]

/// What the C target is compiled with: for 'make dist', the commit that '--version' names.
let definitions: [CSetting] =
    archives == nil
    ? []
    : [
        .define("CARCHIVE_STATIC"),
        .define("CARCHIVE_COMMIT", to: "\"\(Context.environment["PACKTOOL_COMMIT"] ?? "")\""),
    ]

/// The libraries besides those of the modules, and flags of the program.
let (libraries, program): ([LinkerSetting], [LinkerSetting]) = {
    #if os(macOS)
        let flags = archives.map { [.unsafeFlags(["-L\($0)"])] } ?? []
        return (flags + ["archive", "curl", "yaml"].map { .linkedLibrary($0) }, [])
    #else
        // The program then needs no library of its own for one small file.
        guard let archives else { return ([.linkedLibrary(":libyaml.a")], []) }
        // The order is that of dependence.
        let names = [
            "yaml", "archive", "nettle", "bz2", "zstd", "lzma", "curl", "ssl", "crypto", "nghttp2",
            "cares", "z",
        ]
        // CArchive.c explains the wrapped function. The engine's program has to load WebKitGTK.
        let isEngine = Context.environment["PACKTOOL_ENGINE"] != nil
        return (
            [.unsafeFlags(["-L\(archives)", "-Xlinker", "--wrap=nl_langinfo"])]
                + names.map { .linkedLibrary($0) },
            isEngine ? [] : [.unsafeFlags(["-static-executable"])]
        )
    #endif
}()

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

/// A module of the libraries: its folder below Sources/PackCore, and the modules that it may import.
///
/// Every unsafe use is marked.
func module(
    _ name: String, _ folder: String, _ dependencies: [Target.Dependency] = [],
    exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(folder)", exclude: exclude,
        swiftSettings: common + [.strictMemorySafety()])
}

/// The tests of a module, or of the concern that a folder is named after.
func tests(_ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: "Pack\(folder)Tests", dependencies: dependencies + ["TestSupport"],
        path: "Tests/PackCoreTests/\(folder)", swiftSettings: testing)
}

/// The modules, each after those that it imports.
let modules: [Target] = [
    // Readers of the web's formats: bytes in, references out. The standard library alone.
    module("PackURL", "PackCore/Web/URL"),
    module("PackWeb", "PackCore/Web", exclude: ["URL"]),
    // The codec of delta streams. The standard library alone, so that an app can depend on it.
    module("PackDelta", "PackCore/Delta/Codec"),
    // Files below a descriptor, strict JSON, hashes, errors and progress as values.
    module("PackGround", "PackCore/Ground", ["CFiles", crypto]),
    // Assets, versions and manifests.
    module("PackRelease", "PackCore/Release", ["PackGround", "PackURL"]),
    // Reads every zip under the strict profile, with zlib.
    module("PackZip", "PackCore/Zip", ["CFiles", "PackGround", "PackRelease"]),
    // Writes the zip, and proves it by readers that share no code with the writer.
    module(
        "PackArchive", "PackCore/Archive",
        ["CArchive", "CFiles", "PackGround", "PackRelease", "PackZip"]),
    // Delta files: read and applied.
    module(
        "PackDeltaFile", "PackCore/Delta", ["PackDelta", "PackGround", "PackRelease", "PackZip"],
        exclude: ["Codec", "Making"]),
    // Delta files: planned and made.
    module(
        "PackDeltaMaking", "PackCore/Delta/Making",
        ["PackArchive", "PackDelta", "PackDeltaFile", "PackGround", "PackRelease", "PackZip"]),
    // An origin's documents and what they refer to, in a directory, in memory or on a web server.
    module(
        "PackOrigin", "PackCore/Origin", ["PackGround", "PackRelease", "PackURL"],
        exclude: ["Store/S3"]),
    // The files of an origin for live-update clients of other projects.
    module("PackFeeds", "PackCore/Feeds", ["PackGround", "PackOrigin", "PackRelease", "PackZip"]),
    // A bucket as a store.
    module(
        "PackS3", "PackCore/Origin/Store/S3",
        ["PackGround", "PackOrigin", "PackRelease", "PackURL", crypto]),
    // Public keys and signatures.
    module("PackKeys", "PackCore/Trust/Keys", ["CFiles", "PackGround", crypto]),
    // Trust roots: who may sign what, and the order of a client's checks.
    module(
        "PackTrust", "PackCore/Trust", ["PackGround", "PackKeys", "PackOrigin", "PackRelease"],
        exclude: ["Keys", "Signing"]),
    // Private keys, their files, and signing programs.
    module(
        "PackSigning", "PackCore/Trust/Signing",
        [
            "CArchive", "PackGround", "PackKeys", "PackOrigin", "PackRelease", "PackTrust", crypto,
            .product(name: "CryptoExtras", package: "swift-crypto"),
        ]),
    // Stages a release and commits it by its pointer; rollouts, rollbacks, prunes.
    module(
        "PackPublish", "PackCore/Publish",
        [
            "PackArchive", "PackDelta", "PackDeltaFile", "PackDeltaMaking", "PackFeeds",
            "PackGround", "PackKeys", "PackOrigin", "PackRelease", "PackSigning", "PackTrust",
            "PackZip",
        ]),
    // The client: what an app links. Of C libraries, it needs zlib alone.
    module(
        "PackClient", "PackCore/Client",
        [
            "PackDelta", "PackDeltaFile", "PackGround", "PackOrigin", "PackPages", "PackRelease",
            "PackTrust",
            "PackZip",
        ],
        exclude: ["Pages", "URLSession", "WebKit"]),
    // Moves the bytes of HTTP for an app, by Foundation's URLSession.
    module(
        "PackClientURLSession", "PackCore/Client/URLSession",
        ["PackClient", "PackGround", "PackOrigin"]),
    // Proves that everything that an origin refers to is there and right.
    module(
        "PackVerify", "PackCore/Verify",
        [
            "PackArchive", "PackDelta", "PackDeltaFile", "PackFeeds", "PackGround", "PackOrigin",
            "PackRelease", "PackTrust", "PackZip",
        ]),
    // What the app's handler does with a URL: the one model of a look-up.
    module("PackProfile", "PackCore/Check/Profile", ["PackGround", "PackURL"]),
    // Answers the requests of a web view from installed releases, or plans a request to the network.
    module(
        "PackPages", "PackCore/Client/Pages",
        ["PackGround", "PackProfile", "PackRelease", "PackURL"]),
    // The handler for WKWebView; empty on systems without it.
    module("PackClientWebKit", "PackCore/Client/WebKit", ["PackPages"]),
    // Finds what is wrong with a build under the app's profile, fixes and rewrites it.
    module(
        "PackCheck", "PackCore/Check",
        ["CRulePages", "PackGround", "PackProfile", "PackRelease", "PackURL", "PackWeb"],
        exclude: ["Profile", "Rules/Pages"]),
    // Opening pages in an engine: the plan of visits, the meaning of events, merged findings.
    module(
        "PackEngine", "PackCore/Engine",
        ["PackCheck", "PackGround", "PackPages", "PackProfile", "PackURL"]),
    // Answers requests as a well set up CDN or the app's handler would; no sockets.
    module(
        "PackServe", "PackCore/Serve",
        ["PackGround", "PackOrigin", "PackPages", "PackProfile", "PackRelease", "PackURL"]),
    // Moves the bytes of HTTP by libcurl.
    module("PackNet", "PackCore/Net", ["CArchive", "PackGround", "PackOrigin"]),
    // packtool.yaml and flags as one value.
    module(
        "PackSettings", "PackTool/Settings",
        [
            "CArchive", "PackArchive", "PackCheck", "PackFeeds", "PackGround", "PackOrigin",
            "PackProfile", "PackPublish", "PackRelease", "PackS3", "PackURL", "PackZip",
        ]),
    // The page of 'packtool report': values in, bytes out.
    module("PackReport", "PackTool/Report", ["PackGround"]),
]

let package = Package(
    name: "packtool",
    platforms: [.iOS(.v16), .macOS(.v15)],
    products: [
        .executable(name: "packtool", targets: ["PackTool"]),
        .library(name: "PackClient", targets: ["PackClient", "PackPages"]),
        .library(name: "PackClientURLSession", targets: ["PackClientURLSession"]),
        .library(name: "PackDelta", targets: ["PackDelta"]),
        .library(name: "PackClientWebKit", targets: ["PackClientWebKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: modules + [
        // No code: finds the system libraries, and names the packages that bring them.
        .systemLibrary(
            name: "CSystemLibraries", path: "Sources/CArchive/system",
            pkgConfig: systemLibraries,
            providers: [
                .apt([
                    "libarchive-dev", "libcurl4-openssl-dev", "libdeflate-dev", "liblzma-dev",
                    "libyaml-dev", "zlib1g-dev",
                ]),
                .brew(["curl", "libarchive", "libdeflate", "libyaml", "xz", "zlib"]),
            ]),
        // A C target of our own: it holds the shims that Swift cannot express (macros, variadic
        // functions, calls that module Glibc does not export) beside the libraries' headers.
        .target(
            name: "CArchive", dependencies: ["CFiles", "CSystemLibraries"],
            exclude: ["engine", "files", "pages", "system"],
            cSettings: definitions, linkerSettings: libraries),
        // The shims of the modules that an app links.
        .target(
            name: "CFiles", path: "Sources/CArchive/files",
            linkerSettings: [.linkedLibrary("z")]),
        // WebKitGTK, loaded when pages are opened, in a process of its own.
        .target(
            name: "CEngine", dependencies: ["CFiles"], path: "Sources/CArchive/engine"),
        // The Markdown pages of the rules as bytes of the binary: #embed exists in C alone.
        .target(name: "CRulePages", path: "Sources/CArchive/pages"),
        // Sockets for 'packtool serve'.
        .target(
            name: "PackSockets",
            dependencies: [
                "PackGround", "PackServe", .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Sources/PackTool/Serve", swiftSettings: common),
        // The commands as a library: arguments, environment and streams are values, so that tests run it.
        .target(
            name: "PackCommands",
            dependencies: [
                "CEngine", "PackArchive", "PackCheck", "PackClient", "PackDeltaFile",
                "PackDeltaMaking", "PackEngine",
                "PackFeeds", "PackGround", "PackKeys", "PackNet", "PackOrigin", "PackPages",
                "PackProfile", "PackPublish",
                "PackRelease", "PackReport", "PackS3", "PackServe", "PackSettings", "PackSigning",
                "PackSockets", "PackTrust", "PackURL", "PackVerify", "PackZip",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/PackTool", exclude: ["Main", "Report", "Serve", "Settings"],
            swiftSettings: common),
        // The process: its streams, signals and exit code.
        .executableTarget(
            name: "PackTool", dependencies: ["PackCommands"], path: "Sources/PackTool/Main",
            swiftSettings: common,
            linkerSettings: program),
        // packtool with an app's transport instead of libcurl, for the rigs of HTTP.
        .executableTarget(
            name: "PackToolURLSession",
            dependencies: ["PackClientURLSession", "PackCommands", "PackGround", "PackOrigin"],
            path: "Tests/PackToolURLSession", swiftSettings: basic),
        // What the test targets share; not a test target, since those cannot be depended on.
        .target(
            name: "TestSupport",
            dependencies: [
                "CArchive", "PackArchive", "PackClient", "PackGround", "PackKeys", "PackOrigin",
                "PackPublish", "PackRelease", "PackS3", "PackSigning", "PackTrust", "PackVerify",
                "PackZip",
            ],
            path: "Tests/Support", exclude: ["Python"], swiftSettings: basic),
        tests("Archive", ["CArchive", "PackArchive", "PackGround", "PackRelease", "PackZip"]),
        tests(
            "Check",
            ["PackCheck", "PackGround", "PackProfile", "PackRelease", "PackURL", "PackWeb"]),
        tests(
            "Client",
            [
                "PackArchive", "PackClient", "PackDeltaFile", "PackDeltaMaking", "PackGround",
                "PackOrigin", "PackPages", "PackPublish", "PackRelease", "PackSigning", "PackTrust",
                "PackVerify", "PackZip",
            ]),
        tests(
            "DeltaFile",
            [
                "PackArchive", "PackClient", "PackDelta", "PackDeltaFile", "PackDeltaMaking",
                "PackGround", "PackOrigin", "PackPublish", "PackRelease", "PackVerify", "PackZip",
            ]),
        tests("Engine", ["PackCheck", "PackEngine", "PackGround", "PackProfile", "PackURL"]),
        tests("Ground", ["PackGround", "PackRelease"]),
        tests(
            "Mutants",
            [
                "PackArchive", "PackGround", "PackKeys", "PackOrigin", "PackRelease", "PackSigning",
                "PackTrust", "PackZip",
            ]),
        tests("Origin", ["PackGround", "PackOrigin", "PackPublish", "PackRelease", "PackS3"]),
        tests(
            "Pages", ["PackGround", "PackPages", "PackProfile", "PackRelease", "PackURL"]),
        tests(
            "Publish",
            [
                "PackArchive", "PackClient", "PackDeltaFile", "PackDeltaMaking", "PackFeeds",
                "PackGround", "PackOrigin", "PackPublish", "PackRelease", "PackS3", "PackSigning",
                "PackTrust", "PackVerify", "PackZip",
            ]),
        tests("Release", ["PackCheck", "PackGround", "PackRelease"]),
        tests("Serve", ["PackGround", "PackOrigin", "PackProfile", "PackServe"]),
        tests(
            "Trust",
            [
                "PackClient", "PackGround", "PackKeys", "PackOrigin", "PackPublish", "PackRelease",
                "PackSigning", "PackTrust", "PackVerify",
            ]),
        tests(
            "URLSession",
            [
                "PackClient", "PackClientURLSession", "PackGround", "PackNet", "PackOrigin",
                "PackRelease",
            ]),
        tests(
            "Verify",
            ["PackGround", "PackOrigin", "PackPublish", "PackRelease", "PackS3", "PackVerify"]),
        tests("Web", ["PackGround", "PackURL", "PackWeb"]),
        // As an app sees the codec: without access to what is declared 'package'.
        .testTarget(
            name: "PackDeltaTests", dependencies: ["PackDelta"], packageAccess: false,
            swiftSettings: testing),
        // Commands run in the test process; a few tests start the built binary, which is beside the test bundle.
        .testTarget(
            name: "PackToolTests",
            dependencies: [
                "PackArchive", "PackCheck", "PackClient", "PackCommands", "PackDeltaFile",
                "PackDeltaMaking", "PackGround", "PackKeys", "PackOrigin", "PackProfile",
                "PackPublish", "PackRelease", "PackReport", "PackS3", "PackSettings", "PackSigning",
                "PackTrust", "PackZip", "TestSupport",
            ],
            exclude: ["Golden", "Snapshots"], swiftSettings: testing),
    ],
    swiftLanguageModes: [.v6]
)
