// swift-tools-version:6.2
import PackageDescription

/// Warnings are errors everywhere; the library also has to mark every unsafe use.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
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
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // No code: finds the system libraries, and names the packages that bring them.
        .systemLibrary(
            name: "CSystemLibraries", path: "Sources/CArchive/system",
            pkgConfig: "libarchive libcurl libdeflate liblzma zlib",
            providers: [
                .apt([
                    "libarchive-dev", "libcurl4-openssl-dev", "libdeflate-dev", "liblzma-dev",
                    "zlib1g-dev",
                ]),
                .brew(["curl", "libarchive", "libdeflate", "xz", "zlib"]),
            ]),
        // A C target of our own: it holds the shims that Swift cannot express (macros, variadic
        // functions, calls that module Glibc does not export) beside the libraries' headers.
        .target(
            name: "CArchive", dependencies: ["CSystemLibraries"], exclude: ["pages", "system"]),
        // The Markdown pages of the rules as bytes of the binary: #embed exists in C alone.
        .target(name: "CRulePages", path: "Sources/CArchive/pages"),
        // Readers of the web's formats: bytes in, references out. The standard library alone.
        .target(
            name: "PackWeb", path: "Sources/PackCore/Web",
            swiftSettings: common + [.strictMemorySafety()]),
        // The codec of delta streams. The standard library alone, so that an app can depend on it.
        .target(
            name: "PackDelta", path: "Sources/PackCore/Delta/Codec",
            swiftSettings: common + [.strictMemorySafety()]),
        .target(
            name: "PackCore",
            dependencies: [
                "CArchive",
                "CRulePages",
                "PackDelta",
                "PackWeb",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Check/Rules/Pages", "Delta/Codec", "Net", "Web"],
            swiftSettings: common + [.strictMemorySafety()]
        ),
        // What moves bytes over the network: an effect, so PackCore cannot name it.
        .target(
            name: "PackNet", dependencies: ["CArchive", "PackCore"], path: "Sources/PackCore/Net",
            swiftSettings: common + [.strictMemorySafety()]),
        // What answers over the network, for 'packtool serve'.
        .target(
            name: "PackServe",
            dependencies: [
                "PackCore",
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Sources/PackTool/Serve", swiftSettings: common),
        // packtool.yaml and flags as one value: apart from the command line, so that tests import it.
        .target(
            name: "PackSettings",
            dependencies: ["PackCore", "PackWeb", .product(name: "Yams", package: "Yams")],
            path: "Sources/PackTool/Settings",
            swiftSettings: common + [.strictMemorySafety()]
        ),
        // The page of 'packtool report': values in, bytes out, so that tests import it.
        .target(
            name: "PackReport", dependencies: ["PackCore"], path: "Sources/PackTool/Report",
            swiftSettings: common + [.strictMemorySafety()]),
        // The commands as a library: arguments, environment and streams are values, so that tests run it.
        .target(
            name: "PackCommands",
            dependencies: [
                "PackCore", "PackNet", "PackReport", "PackServe", "PackSettings", "PackWeb",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/PackTool", exclude: ["Main", "Report", "Serve", "Settings"],
            swiftSettings: common
        ),
        // The process: its streams, signals and exit code.
        .executableTarget(
            name: "PackTool", dependencies: ["PackCommands"], path: "Sources/PackTool/Main",
            swiftSettings: common
        ),
        // What the test targets share; not a test target, since those cannot be depended on.
        .target(
            name: "TestSupport", dependencies: ["CArchive", "PackCore"], path: "Tests/Support",
            exclude: ["Python"], swiftSettings: common),
        .testTarget(
            name: "PackCoreTests",
            dependencies: ["PackCore", "PackDelta", "PackWeb", "TestSupport"],
            swiftSettings: common),
        // As an app sees the codec: without access to what is declared 'package'.
        .testTarget(
            name: "PackDeltaTests", dependencies: ["PackDelta"], packageAccess: false,
            swiftSettings: common),
        // Commands run in the test process; a few tests start the built binary, which is beside the test bundle.
        .testTarget(
            name: "PackToolTests",
            dependencies: [
                "PackCommands", "PackCore", "PackReport", "PackSettings", "TestSupport",
            ],
            exclude: ["Golden", "Snapshots"],
            swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)
