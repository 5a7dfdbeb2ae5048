import PackGround

extension Console {
    /// Prints notes about files excluded from hash and package.
    func note(_ leftOut: LeftOut) {
        let junk = leftOut.junk
        if !junk.isEmpty {
            note(
                "\(counted(junk.count, "junk entry", plural: "junk entries")) left out: "
                    + shortList(junk))
        }
        guard !leftOut.excluded.isEmpty else { return }
        note("excluded: \(leftOut.excludedText)")
    }

    private func shortList(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    }
}

extension LeftOut {
    /// The counts of files excluded by `exclude`.
    var excludedText: String {
        var parts: [String] = []
        if excludedFiles > 0 {
            parts.append("\(counted(excludedFiles, "file")) (\(readableSize(excludedBytes)))")
        }
        if excludedDirectories > 0 {
            parts.append(counted(excludedDirectories, "directory", plural: "directories"))
        }
        return parts.joined(separator: " and ")
    }

    var json: JSONValue {
        .members([
            "junk": .strings(junk), "files": .integer(excludedFiles),
            "directories": .integer(excludedDirectories), "bytes": .integer(excludedBytes),
        ])
    }
}
