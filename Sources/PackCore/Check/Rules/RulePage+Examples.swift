// Parses the examples on a rule's page: a heading, settings as a list, and files.

import PackGround
import PackProfile
import PackRelease

extension RulePageLines {
    mutating func examples(of id: String) throws(RulePage.Malformed) -> [Example] {
        var examples: [Example] = []
        while line != nil {
            guard let kind = ["Bad", "Good"].first(where: { line?.hasPrefix("## \($0)") == true }),
                let end = rest(after: "## \(kind)"), end.isEmpty || end.hasPrefix(": ")
            else { throw malformed("expected '## Bad' or '## Good'") }
            var example = Example(
                isBad: kind == "Bad", caption: String(end.dropFirst(2)),
                source: "\(id).md:\(number)")
            advance()
            try expect("")
            if line?.hasPrefix("- ") == true {
                while let setting = rest(after: "- ") {
                    guard example.set(setting) else { throw malformed("unknown setting") }
                    advance()
                }
                try expect("")
            }
            try readFiles(into: &example)
            examples.append(example)
        }
        guard !examples.isEmpty else { throw malformed("expected an example") }
        return examples
    }

    /// Parses the files of an example; the first is the main file.
    private mutating func readFiles(into example: inout Example) throws(RulePage.Malformed) {
        repeat {
            guard let rest = rest(after: "`"), rest.hasSuffix("`:") else {
                throw malformed("expected the name of a file")
            }
            let path = String(rest.dropLast(2))
            guard path != example.path, example.others[path] == nil else {
                throw malformed("'\(path)' is there twice")
            }
            advance()
            guard line?.hasPrefix("```") == true else { throw malformed("expected '```'") }
            advance()
            var content: [String] = []
            while let line, line != "```" {
                guard !line.hasPrefix("```") else { throw malformed("expected '```'") }
                content.append(line)
                advance()
            }
            try expect("```")
            let text = Self.withHiddenCharacters(content.joined(separator: "\n"))
            if example.path.isEmpty {
                example.path = path
                example.markedContent = text
            } else {
                example.others[path] = text
            }
            if line != nil { try expect("") }
        } while line?.hasPrefix("`") == true
    }

    /// Decodes `⟨U+00A0⟩`, the notation for invisible characters.
    private static func withHiddenCharacters(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "⟨U+"), let end = rest.firstRange(of: "⟩"),
            start.upperBound <= end.lowerBound,
            let scalar = UInt32(rest[start.upperBound..<end.lowerBound], radix: 16)
                .flatMap({ Unicode.Scalar($0) })
        {
            result += rest[..<start.lowerBound]
            result.unicodeScalars.append(scalar)
            rest = rest[end.upperBound...]
        }
        return result + rest
    }
}

extension Example {
    /// Applies a setting, named as in `packtool.yaml` if possible; false for an unknown one.
    fileprivate mutating func set(_ setting: String) -> Bool {
        guard let colon = setting.firstRange(of: ": ") else { return false }
        let value = String(setting[colon.upperBound...])
        let values = value.split(separator: ", ").map(String.init)
        switch setting[..<colon.lowerBound] {
        case "empty files": for path in values { others[path] = "" }
        case "deployed": previous = Self.deployed(values)
        case "junk": leftOut.junk = values
        case "refused":
            guard let name = RefusedName(example: value) else { return false }
            refused.append(name)
        case "silent variants": return Self.set(&silent, values)
        case "skipped variants": return Self.set(&except, values)
        case "check.api": options.api = values
        case "check.external": options.external = values
        case "check.user-agent": options.userAgentToken = value
        case "check.budgets.file": return Self.set(&options.budgets.file, UInt64(value))
        case "check.budgets.files": return Self.set(&options.budgets.files, Int(value))
        case "check.budgets.package": return Self.set(&options.budgets.package, UInt64(value))
        case "launch":
            profile.setLaunch(value)
            options.namesLaunch = true
        case let key: return profile.set(key, values, value)
        }
        return true
    }

    private static func set(_ variants: inout Set<Variant>, _ names: [String]) -> Bool {
        let found =
            switch names {
            case ["none"]: [Variant]()
            case ["all"]: Variant.allCases
            default: names.compactMap { Variant(rawValue: $0) }
            }
        variants = Set(found)
        return ["all", "none"].contains(names.first) || found.count == names.count
    }

    private static func set<Value>(_ target: inout Value?, _ value: Value?) -> Bool {
        target = value
        return value != nil
    }

    /// A deployed manifest with files whose content matches no example.
    package static func deployed(_ paths: [String]) -> String {
        let hash = String(repeating: "0", count: 64)
        let url = { (path: String) in "https://cdn.example.com/objects/\(hash)/\(path)" }
        let listing = Release(
            assets: paths.compactMap { try? AssetPath($0) }.compactMap { path in
                Digest(hash).map { Asset(path: path, size: 3, sha256: $0) }
            })
        let files = paths.map { path in "\"\(url(path))\"" }.joined(separator: ", ")
        let assets = paths.map {
            "{\"path\": \"\($0)\", \"url\": \"\(url($0))\", \"sha256\": \"\(hash)\", \"size\": 3, "
                + "\"type\": \"application/octet-stream\"}"
        }.joined(separator: ", ")
        return """
            {"version": "\(listing.version)", "files": [\(files)], "schema": 1, "app": "shop",
             "packageHash": "\(listing.packageHash)", "launch": null, "scheme": "customscheme",
             "assets": [\(assets)], "build": {"commit": null, "tool": "packtool 1.0.0"}}
            """
    }
}

extension Profile {
    fileprivate mutating func set(_ key: Substring, _ values: [String], _ value: String) -> Bool {
        func take<Value>(_ target: inout Value, _ value: Value?) -> Bool {
            if let value { target = value }
            return value != nil
        }
        switch key {
        case "profile": return take(&self, Profile.builtIn(named: value))
        case "scheme": scheme = value
        case "host": hosts = values
        case "page-origin": return take(&pageOrigin, PageOrigin(rawValue: value))
        case "profile.app-schemes": appSchemes = Set(values)
        case "profile.cors": return take(&client.sendsCORS, Bool(value))
        case "profile.fallback":
            return take(&client.fallback, ClientModel.Fallback(rawValue: value))
        case "profile.index-file":
            return take(&client.indexFile, ClientModel.IndexFile(rawValue: value))
        case "profile.media-types":
            let words = value.split(separator: " ").map(String.init)
            guard words.count == 2 else { return false }
            client.mediaTypes[words[0]] = words[1]
        case "profile.minimum-ios":
            statesMinimum = true
            return take(&minimumIOS, IOSVersion(value))
        case "profile.minimum-webview":
            statesMinimum = true
            return take(&minimumWebView, Int(value))
        case "profile.root": root = value
        case "profile.service-workers": return take(&client.answersServiceWorkers, Bool(value))
        default: return false
        }
        return true
    }
}

extension RefusedName {
    /// Parses `NAME (PROBLEM)`.
    fileprivate init?(example: String) {
        guard example.hasSuffix(")"), let start = example.firstRange(of: " (") else { return nil }
        let words = example[start.upperBound...].dropLast()
        let problem: NameProblem
        switch words {
        case "backslash": problem = .backslash
        case "component too long": problem = .componentTooLong
        case "control character": problem = .controlCharacter
        case "symbolic link": problem = .symbolicLink
        default:
            guard words.hasPrefix("collides with ") else { return nil }
            problem = .collides(with: String(words.dropFirst("collides with ".count)))
        }
        self.init(name: String(example[..<start.lowerBound]), problem: problem)
    }
}
