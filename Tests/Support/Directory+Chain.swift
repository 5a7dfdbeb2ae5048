import PackGround

extension Directory {
    /// A chain of directories far deeper than a path can spell, with a file at its end.
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
