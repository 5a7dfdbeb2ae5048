// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "app-linux",
    dependencies: [.package(name: "packtool", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CWebKitGTK", pkgConfig: "webkitgtk-6.0",
            providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        // A window with a WebKitGTK view, without GTK's types.
        .target(name: "CWebView", dependencies: ["CWebKitGTK"]),
        .executableTarget(
            name: "App",
            dependencies: [
                "CWebView", .product(name: "PackClient", package: "packtool"),
                .product(name: "PackClientURLSession", package: "packtool"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
