import PackDeltaFile
import PackGround
import PackRelease

extension DeltaExplanation {
    /// The output of `delta --explain`.
    var text: Text {
        var lines = Lines("\(manifest.from) -> \(manifest.to), \(readableSize(size))")
        lines.add("memory", "\(readableSize(UInt64(manifest.memory))) to apply it")
        lines.add("codec", DeltaManifest.codec)
        var rows: [String] = []
        rows += members.sorted { $0.compressed > $1.compressed }.map {
            "  \(readableSize($0.compressed))  \($0.name)"
        }
        rows += manifest.delete.map { "  - \($0)" }
        rows += copies.map { "  > \($0.old) -> \($0.new)" }
        rows += manifest.add.map { "  + \($0)" }
        if let coded {
            // The largest first; files of unknown cost are last.
            let ordered = coded.enumerated().sorted {
                let (one, other) = ($0.element.cost ?? -1, $1.element.cost ?? -1)
                return one == other ? $0.offset < $1.offset : one > other
            }.map(\.element)
            rows += ordered.map { file in
                let cost = file.cost.map { "\($0) B" } ?? "?"
                let base = file.base.map { $0 == file.path ? "" : "  along \($0)" } ?? "  new"
                return "  ~ \(file.path)  \(readableSize(UInt64(file.size))) in \(cost)\(base)"
            }
            let known = coded.compactMap(\.cost)
            let sum = known.reduce(0, +)
            rows.append(
                "  total: \(counted(known.count, "coded file")) in \(readableSize(UInt64(sum))) of "
                    + readableSize(size))
        } else if !manifest.patch.isEmpty {
            rows.append(
                "the streams are relative to the old release; name it to see their content"
            )
        }
        for row in rows { lines.add(row) }
        return lines.text
    }

    var json: JSONValue {
        .members([
            "from": .string(manifest.from.description), "to": .string(manifest.to.description),
            "size": .integer(size), "memory": .integer(manifest.memory),
            "codec": .string(DeltaManifest.codec),
            "members": .array(
                members.map {
                    .members([
                        "name": .string($0.name), "size": .integer($0.size),
                        "compressed": .integer($0.compressed),
                    ])
                }),
            "delete": .strings(manifest.delete.map(\.description)),
            "copy": .array(
                copies.map {
                    .members([
                        "from": .string($0.old.description), "to": .string($0.new.description),
                    ])
                }),
            "add": .strings(manifest.add.map(\.description)),
            "coded": coded.map { files in
                .array(
                    files.map {
                        .members([
                            "path": .string($0.path), "base": $0.base.json,
                            "size": .integer($0.size), "bytes": $0.cost.map { .integer($0) },
                        ])
                    })
            },
        ])
    }
}
