// swift-tools-version:6.2
import PackageDescription

/// Warnings are errors everywhere.
let basic: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
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
    module("PackGround", "PackCore/Ground", ["CArchive", crypto]),
    // Assets, versions and manifests.
    module("PackRelease", "PackCore/Release", ["PackGround", "PackURL"]),
    // Writes the zip, and reads every zip under the strict profile.
    module("PackArchive", "PackCore/Archive", ["CArchive", "PackGround", "PackRelease"]),
    // Delta files: planned, made and applied.
    module(
        "PackDeltaFile", "PackCore/Delta",
        ["PackArchive", "PackDelta", "PackGround", "PackRelease"],
        exclude: ["Codec"]),
    // An origin's documents and what they refer to, in a directory, in memory or on a web server.
    module(
        "PackOrigin", "PackCore/Origin", ["PackGround", "PackRelease", "PackURL"],
        exclude: ["Store/S3"]),
    // A bucket as a store.
    module(
        "PackS3", "PackCore/Origin/Store/S3",
        ["PackGround", "PackOrigin", "PackRelease", "PackURL", crypto]),
    // Keys, their files, signatures and signing programs.
    module(
        "PackKeys", "PackCore/Trust/Keys",
        [
            "CArchive", "PackGround", "PackOrigin", "PackRelease", crypto,
            .product(name: "CryptoExtras", package: "swift-crypto"),
        ]),
    // Trust roots: who may sign what, and the order of a client's checks.
    module(
        "PackTrust", "PackCore/Trust", ["PackGround", "PackKeys", "PackOrigin", "PackRelease"],
        exclude: ["Keys"]),
    // Stages a release and commits it by its pointer; rollouts, rollbacks, prunes.
    module(
        "PackPublish", "PackCore/Publish",
        [
            "PackArchive", "PackDelta", "PackDeltaFile", "PackGround", "PackKeys", "PackOrigin",
            "PackRelease", "PackTrust",
        ]),
    // The reference client.
    module(
        "PackClient", "PackCore/Client",
        [
            "PackArchive", "PackDelta", "PackDeltaFile", "PackGround", "PackOrigin", "PackRelease",
            "PackTrust",
        ]),
    // Proves that everything that an origin refers to is there and right.
    module(
        "PackVerify", "PackCore/Verify",
        [
            "PackArchive", "PackDelta", "PackDeltaFile", "PackGround", "PackOrigin", "PackRelease",
            "PackTrust",
        ]),
    // What the app's handler does with a URL: the one model of a look-up.
    module("PackProfile", "PackCore/Check/Profile", ["PackGround", "PackURL"]),
    // Finds what is wrong with a build under the app's profile, fixes and rewrites it.
    module(
        "PackCheck", "PackCore/Check",
        ["CRulePages", "PackGround", "PackProfile", "PackRelease", "PackURL", "PackWeb"],
        exclude: ["Profile", "Rules/Pages"]),
    // Answers requests as a well set up CDN or the app's handler would; no sockets.
    module(
        "PackServe", "PackCore/Serve",
        ["PackGround", "PackOrigin", "PackProfile", "PackRelease", "PackURL"]),
    // Moves the bytes of HTTP by libcurl.
    module("PackNet", "PackCore/Net", ["CArchive", "PackGround", "PackOrigin"]),
    // packtool.yaml and flags as one value.
    module(
        "PackSettings", "PackTool/Settings",
        [
            "CArchive", "PackArchive", "PackCheck", "PackGround", "PackOrigin", "PackProfile",
            "PackPublish", "PackRelease", "PackS3", "PackURL",
        ]),
    // The page of 'packtool report': values in, bytes out.
    module("PackReport", "PackTool/Report", ["PackGround"]),
]

let package = Package(
    name: "packtool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "packtool", targets: ["PackTool"]),
        .library(name: "PackDelta", targets: ["PackDelta"]),
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
            name: "CArchive", dependencies: ["CSystemLibraries"], exclude: ["pages", "system"],
            // Linked into the program, which then needs no library of its own for one small file.
            linkerSettings: [
                .linkedLibrary(":libyaml.a", .when(platforms: [.linux])),
                .linkedLibrary("archive", .when(platforms: [.macOS])),
                .linkedLibrary("curl", .when(platforms: [.macOS])),
                .linkedLibrary("yaml", .when(platforms: [.macOS])),
            ]),
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
                "PackArchive", "PackCheck", "PackClient", "PackDeltaFile", "PackGround", "PackKeys",
                "PackNet", "PackOrigin", "PackProfile", "PackPublish", "PackRelease", "PackReport",
                "PackS3", "PackServe", "PackSettings", "PackSockets", "PackTrust",
                "PackURL", "PackVerify",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/PackTool", exclude: ["Main", "Report", "Serve", "Settings"],
            swiftSettings: common),
        // The process: its streams, signals and exit code.
        .executableTarget(
            name: "PackTool", dependencies: ["PackCommands"], path: "Sources/PackTool/Main",
            swiftSettings: common),
        // What the test targets share; not a test target, since those cannot be depended on.
        .target(
            name: "TestSupport",
            dependencies: [
                "CArchive", "PackArchive", "PackClient", "PackGround", "PackKeys", "PackOrigin",
                "PackPublish", "PackRelease", "PackS3", "PackTrust", "PackVerify",
            ],
            path: "Tests/Support", exclude: ["Python"], swiftSettings: basic),
        tests("Archive", ["CArchive", "PackArchive", "PackGround", "PackRelease"]),
        tests(
            "Check",
            ["PackCheck", "PackGround", "PackProfile", "PackRelease", "PackURL", "PackWeb"]),
        tests(
            "Client",
            [
                "PackArchive", "PackClient", "PackDeltaFile", "PackGround", "PackOrigin",
                "PackPublish", "PackRelease", "PackTrust", "PackVerify",
            ]),
        tests(
            "DeltaFile",
            [
                "PackArchive", "PackClient", "PackDelta", "PackDeltaFile", "PackGround",
                "PackOrigin", "PackPublish", "PackRelease", "PackVerify",
            ]),
        tests("Ground", ["PackGround", "PackRelease"]),
        tests(
            "Mutants",
            ["PackArchive", "PackGround", "PackKeys", "PackOrigin", "PackRelease", "PackTrust"]),
        tests("Origin", ["PackGround", "PackOrigin", "PackPublish", "PackRelease", "PackS3"]),
        tests(
            "Publish",
            [
                "PackArchive", "PackClient", "PackDeltaFile", "PackGround", "PackOrigin",
                "PackPublish", "PackRelease", "PackS3", "PackTrust", "PackVerify",
            ]),
        tests("Release", ["PackCheck", "PackGround", "PackRelease"]),
        tests("Serve", ["PackGround", "PackOrigin", "PackProfile", "PackServe"]),
        tests(
            "Trust",
            [
                "PackClient", "PackGround", "PackKeys", "PackOrigin", "PackPublish", "PackRelease",
                "PackTrust", "PackVerify",
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
                "PackGround",
                "PackKeys", "PackOrigin", "PackProfile", "PackPublish", "PackRelease", "PackReport",
                "PackS3",
                "PackSettings", "PackTrust", "TestSupport",
            ],
            exclude: ["Golden", "Snapshots"], swiftSettings: testing),
    ],
    swiftLanguageModes: [.v6]
)
