/// The commented `packtool.yaml` that `init` writes.
package enum ConfigurationTemplate {
    /// - Parameters:
    ///   - build: the build output, relative to the file.
    ///   - launch: the page the app opens first, where one was found.
    package static func text(
        app: AppName, build: String, launch: String?, baseURL: String?, scheme: String?,
        hosts: [String], channel: Channel, pageOrigin: String?, profile: String?
    ) -> String {
        """
        # How packtool packages and publishes this build.
        # Every key is the name of a flag; a flag on the command line wins over this file.
        # Editors complete it by docs/packtool.schema.json.

        # The app's name: it stands in every manifest, and no app installs another's release.
        app: \(quoted(app.description))

        # The build output, relative to this file.
        build: \(quoted(build))

        # The public URL of the origin that 'publish' writes to.
        base-url: \(quoted(baseURL ?? "https://cdn.example.com/\(app)"))

        # The directory that the CDN serves under that URL, relative to this file.
        # to: ../cdn/\(app)

        # The line of releases that a publish moves.
        channel: \(quoted(channel.description))

        # The page that the app opens first.
        \(launch.map { "launch: \(quoted($0))" } ?? "# launch: index.html")

        # The custom scheme that the app registers, and the hosts its pages use with it.
        scheme: \(quoted(scheme ?? "customscheme"))
        \(hosts.isEmpty ? "# host: [shop.example.com]" : "host: [\(hosts.map(quoted).joined(separator: ", "))]")

        # How the app loads its pages: custom, https or dual.
        page-origin: \(pageOrigin ?? "custom")

        # What the app's scheme handler and client can do: seed003, capacitor, cordova, path-strict.
        profile: \(quoted(profile ?? "seed003"))

        # How many earlier releases get a delta, by which their clients update.
        deltas: {count: 3}

        # How hard packages are compressed: fast, default or max.
        level: default

        """
    }

    /// Quotes anything that YAML could read as something other than text.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || "-._/:".utf8.contains($0)
            }
            && text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
                ?? false
        let isWord = !["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
            .contains(text.lowercased())
        if isPlain, isWord, !text.hasSuffix(":") { return text }
        // Scalars, not characters: a quote with a combining mark is one character and still a quote.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": escaped += "\\\(scalar)"
            case "\u{2028}", "\u{2029}", "\u{FEFF}": escaped += "\\u" + fourDigits(scalar)
            case _ where scalar.isControl: escaped += "\\u" + fourDigits(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }

    private static func fourDigits(_ scalar: Unicode.Scalar) -> String {
        hexadecimal([UInt8(scalar.value >> 8), UInt8(scalar.value & 255)])
    }
}
