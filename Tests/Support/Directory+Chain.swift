import PackGround

extension Directory {
    /// Creates nested directories, deeper than the longest path, with a file at the end.
    package func makeChain(_ name: String, depth: Int) throws {
        var current = self
        try current.makeDirectory(name)
        current = try current.directory(name)
        for _ in 0..<depth {
            try current.makeDirectory("d")
            current = try current.directory("d")
        }
        try current.createFile("f").close()
    }
}
