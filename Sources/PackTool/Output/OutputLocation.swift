import PackDeltaFile
import PackGround
import PackRelease
import PackSettings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An input of a command, which must not contain any of its outputs.
struct OutputInput {
    enum Kind: String, CaseIterable {
        case build, file, installation, origin
    }

    let kind: Kind
    let path: String

    static func build(_ path: String) -> OutputInput { OutputInput(kind: .build, path: path) }
    static func origin(_ path: String) -> OutputInput { OutputInput(kind: .origin, path: path) }
    static func file(_ path: String) -> OutputInput { OutputInput(kind: .file, path: path) }
}

extension OutputInput {
    /// A release as named by users: a build, or one of an origin or installation; `nil` for a
    /// remote one.
    init?(release text: String) {
        if OriginAddress(text).isRemote { return nil }
        let origin = try? OriginRelease.findDirectory(text)
        let isInstalled = (try? InstalledRelease.find(text)) != nil
        self =
            origin.map { .origin($0.path) }
            ?? OutputInput(kind: isInstalled ? .installation : .build, path: text)
    }
}

/// Validates the location of an output file before the work starts.
enum OutputLocation {
    /// - Parameters:
    ///   - inputs: The inputs; an output may neither be inside a directory of them nor replace one.
    ///   - isDirectory: Whether the output is a directory, which must not exist yet.
    ///   - isOptional: Whether the output goes to standard output by default.
    ///   - mark: The kind of an existing file that may be replaced; `nil` for any.
    static func check(
        _ file: String, inputs: [OutputInput], isDirectory: Bool = false, isOptional: Bool = false,
        replacing mark: OutputMark? = nil
    ) throws -> (directory: Directory, name: String) {
        guard !file.isEmpty else {
            throw Failure.invalidArgument(
                kind: "output file", word: file, problem: "has no name", example: "shop.zip")
        }
        let (directory, name) = try ReadableFile.locate(file)
        if isDirectory {
            guard try directory.status(name) == nil else {
                throw Failure.deltaTargetExists(path: file)
            }
        } else {
            try refuseSpecial(file, isOptional: isOptional)
        }
        // Later errors would show a temporary name unknown to the user.
        do throws(Failure) {
            try directory.checkWritable()
        } catch {
            throw Failure.fileSystem("write", file, number: error.number ?? EIO)
        }
        for input in inputs {
            try refuse(file, in: directory.path, inside: input)
            // A link of this name is replaced, not followed.
            if !isDirectory, try directory.status(name)?.kind == .file,
                resolvedPath(input.path)
                    == resolvedPath(
                        directory.path == "/" ? "/" + name : "\(directory.path)/\(name)")
            {
                throw Failure.outputIsInput(file)
            }
        }
        if let origin = origin(around: directory.path) {
            throw Failure.outputInside(file, .origin(origin))
        }
        if let mark { try refuseForeign(file, directory, name, mark) }
        return (directory, name)
    }

    /// Rejects replacing a file not written by packtool.
    private static func refuseForeign(
        _ file: String, _ directory: Directory, _ name: String, _ mark: OutputMark
    ) throws {
        guard let status = try directory.status(name), status.kind == .file, status.size > 0 else {
            return
        }
        let head = try directory.openFile(name).bytes(at: 0, count: OutputMark.length)
        guard mark.matches(head) else { throw Failure.outputForeign(file, mark) }
    }

    /// The origin containing a directory, if any: only publishers may write there.
    private static func origin(around directory: String) -> String? {
        var path = resolvedPath(directory)
        while true {
            let workspace = (path == "/" ? "" : path) + "/\(OriginLayout.workspace)"
            if FileStatus.following(workspace)?.kind == .directory { return path }
            guard path != "/", let slash = path.lastSlash else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// Rejects a directory, a pipe or a device, also behind a link.
    static func refuseSpecial(_ file: String, isOptional: Bool = false) throws {
        switch FileStatus.following(file)?.kind {
        case .directory: throw Failure.fileSystem("write", file, number: EISDIR)
        case .other: throw Failure.outputNotAFile(file, isOptional: isOptional)
        case .file, .symbolicLink, nil: break
        }
    }

    /// Rejects two outputs at the same path.
    static func refuseSame(
        _ outputs: [(file: String, location: (directory: Directory, name: String))]
    ) throws {
        for (number, one) in outputs.enumerated() {
            for other in outputs[..<number]
            where try one.location.name == other.location.name
                && one.location.directory.status(".")?.identity
                    == other.location.directory.status(".")?.identity
            {
                throw Failure.outputSameFile(one.file, other.file)
            }
        }
    }

    /// - Parameter path: The directory of the output; it need not exist.
    static func refuse(
        _ output: String, in path: String, inside input: OutputInput
    ) throws(Failure) {
        guard !isInside(path, input.path) else {
            throw .outputInside(output, input)
        }
    }

    /// Renames a staged tree to its final name, and makes both durable.
    ///
    /// - Throws: ``Failure/deltaTargetExists(path:)`` if the name was taken since the check;
    ///   ``Failure`` if the tree has its name but is not durable; ``Failure``.
    static func move(
        _ tree: String, of staging: Directory, at output: String,
        _ location: (directory: Directory, name: String)
    ) throws {
        // The files must be durable before the name, so that it never leads to missing files after
        // a power failure.
        try staging.directory(tree).syncFileSystem()
        guard try location.directory.status(location.name) == nil else {
            throw Failure.deltaTargetExists(path: output)
        }
        try staging.rename(tree, to: location.directory, as: location.name)
        try settle(output, in: location.directory)
    }

    /// Renames a staged file to its final name, replacing an existing file, and makes both durable.
    ///
    /// - Throws: ``Failure`` if the file has its name but is not durable;
    ///   ``Failure``.
    static func move(
        file: String, of staging: Directory, at output: String,
        _ location: (directory: Directory, name: String)
    ) throws {
        try staging.openFile(file).sync()
        try staging.rename(file, to: location.directory, as: location.name)
        try settle(output, in: location.directory)
    }

    /// Writes a file at a validated location, replacing an existing file.
    ///
    /// - Throws: ``Failure`` if the file has its name but is not durable;
    ///   ``Failure``.
    static func write(
        _ bytes: [UInt8], to output: String, _ location: (directory: Directory, name: String),
        _ console: Console
    ) async throws {
        try await TemporaryDirectory.with(in: location.directory, console) { staging in
            let file = try staging.createFile("output")
            try file.write(bytes)
            try file.close()
            try self.move(file: "output", of: staging, at: output, location)
        }
    }

    /// Makes the name of an output durable.
    ///
    /// - Throws: ``Failure``; the output has its name nevertheless.
    private static func settle(_ output: String, in directory: Directory) throws(Failure) {
        do throws(Failure) {
            try directory.sync()
        } catch {
            throw Failure.outputNotDurable(output, cause: error)
        }
    }
}

extension Failure.Code {
    static let outputNotDurable = Self("output.not-durable")
    static func outputInside(_ kind: OutputInput.Kind) -> Self {
        Self("output.inside-\(kind.rawValue)")
    }
    static let outputNotAFile = Self("output.not-a-file")
    static let outputSameFile = Self("output.same-file")
    static let outputIsInput = Self("output.is-input")
}

extension Failure {
    private static let nothingWritten = "existing files; nothing was written"

    /// The output is complete, but the disk did not confirm its name.
    fileprivate static func outputNotDurable(_ output: String, cause: Failure) -> Failure {
        Failure(
            .outputNotDurable,
            "'\(output)' was written, but may not survive a power failure: \(cause.description)",
            unaffected: "'\(output)', which is complete and can be used",
            details: ["output": output])
    }

    /// The output would be inside the build or origin from which it is made, and change it.
    fileprivate static func outputInside(_ file: String, _ input: OutputInput) -> Failure {
        Failure(
            .outputInside(input.kind),
            "'\(file)' is inside the \(input.kind) '\(input.path)' and would change it",
            unaffected: nothingWritten, details: ["input": input.path])
    }

    /// The output path is a pipe or a device, which must not be replaced by a file.
    fileprivate static func outputNotAFile(_ file: String, isOptional: Bool) -> Failure {
        Failure(
            .outputNotAFile, "'\(file)' is a pipe or a device, and a file would replace it",
            unaffected: nothingWritten, details: isOptional ? ["isOptional": "true"] : [:])
    }

    /// Two outputs of a command have the same path, or one is inside the other.
    static func outputSameFile(_ file: String, _ other: String) -> Failure {
        Failure(
            .outputSameFile,
            file == other
                ? "'\(file)' is named for two outputs"
                : "the outputs '\(other)' and '\(file)' cannot both be written there",
            unaffected: nothingWritten, exitCode: .usage)
    }

    /// The output file is also an input.
    fileprivate static func outputIsInput(_ file: String) -> Failure {
        Failure(
            .outputIsInput, "'\(file)' is an input and would be overwritten",
            unaffected: nothingWritten)
    }
}
