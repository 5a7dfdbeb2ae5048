import PackGround

/// The tool that wrote a build, recognized by file names.
enum Bundler: String {
    case angular = "Angular"
    case astro = "Astro"
    case createReactApp = "Create React App"
    case gatsby = "Gatsby"
    case next = "Next.js"
    case nuxt = "Nuxt"
    case svelteKit = "SvelteKit"
    case vite = "Vite"
    case vueCLI = "Vue CLI"

    /// The tool, and the file identifying it; `nil` if none is recognized.
    static func guess(from paths: [AssetPath]) -> (bundler: Bundler, file: String)? {
        for (bundler, isTelling) in marks {
            if let path = paths.map(\.description).first(where: isTelling) {
                return (bundler, path)
            }
        }
        return nil
    }

    /// In order of precedence: frameworks before the tools on which they are built.
    private static let marks: [(Bundler, @Sendable (String) -> Bool)] = [
        (.next, { $0.contains("_next/static/") }),
        (.nuxt, { $0.contains("_nuxt/") }),
        (.svelteKit, { $0.contains("_app/immutable/") }),
        (.astro, { $0.contains("_astro/") }),
        (.gatsby, { $0.hasSuffix("page-data/app-data.json") }),
        (.angular, { $0.hasSuffix("ngsw.json") || isNamed("polyfills", $0) }),
        (.createReactApp, { $0.contains("static/js/main.") && $0.hasSuffix(".js") }),
        (.vueCLI, { $0.contains("js/chunk-vendors") }),
        (.vite, { $0.hasSuffix(".js") && $0.contains("assets/index-") }),
    ]

    /// Whether the file is a script of this name with a content hash: `polyfills-5CFQRCPP.js`.
    private static func isNamed(_ name: String, _ path: String) -> Bool {
        guard let last = path.pathComponents().last, last.hasSuffix(".js") else {
            return false
        }
        return last.hasPrefix(name + "-") || last.hasPrefix(name + ".")
    }
}
