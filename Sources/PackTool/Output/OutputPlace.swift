import PackDeltaFile
import PackGround
import PackRelease

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Something a command reads, which nothing that it writes may become part of.
struct OutputInput {
    let kind: String
    let path: String

    static func build(_ path: String) -> OutputInput { OutputInput(kind: "build", path: path) }
    static func origin(_ path: String) -> OutputInput { OutputInput(kind: "origin", path: path) }
    static func file(_ path: String) -> OutputInput { OutputInput(kind: "file", path: path) }
}

extension OutputInput {
    /// A release as a user names it: a build, or that of an origin or an installation; `nil` for one that is not on this machine.
    init?(release text: String) {
        if OriginOpener.isRemote(text) { return nil }
        let origin = try? OriginRelease.findDirectory(text)
        let isInstalled = (try? InstalledRelease.find(text)) != nil
        self =
            origin.map { .origin($0.path) }
            ?? OutputInput(kind: isInstalled ? "installation" : "build", path: text)
    }
}

/// The place of an output file, looked at before the work starts rather than after it.
enum OutputPlace {
    /// - Parameters:
    ///   - inputs: what the command reads; the output is neither in a directory of it nor in its place.
    ///   - isDirectory: whether a directory is made there, which must not exist yet.
    ///   - isOptional: whether the output goes to standard output where no file is named.
    ///   - mark: by which a file is recognised that may be replaced; `nil` for any.
    static func check(
        _ file: String, inputs: [OutputInput], isDirectory: Bool = false, isOptional: Bool = false,
        replacing mark: OutputMark? = nil
    ) throws -> (directory: Directory, name: String) {
        guard !file.isEmpty else {
            throw InvalidArgument(
                kind: "output file", word: file, problem: "has no name", example: "shop.zip")
        }
        let (directory, name) = try ReadableFile.locate(file)
        if isDirectory {
            guard try directory.status(name) == nil else {
                throw DeltaError.targetExists(path: file)
            }
        } else {
            try refuseSpecial(file, isOptional: isOptional)
        }
        // What is opened later is a temporary name that no user knows.
        do throws(FileSystemError) {
            try directory.checkWritable()
        } catch {
            throw FileSystemError(operation: "write", path: file, number: error.number)
        }
        for input in inputs {
            try refuse(file, in: directory.path, inside: input)
            // A link of that name is replaced, not followed.
            if !isDirectory, try directory.status(name)?.kind == .file,
                resolvedPath(input.path)
                    == resolvedPath(
                        directory.path == "/" ? "/" + name : "\(directory.path)/\(name)")
            {
                throw OutputIsInput(file: file)
            }
        }
        if let origin = origin(around: directory.path) {
            throw OutputInsideInput(file: file, input: .origin(origin))
        }
        if let mark { try refuseForeign(file, directory, name, mark) }
        return (directory, name)
    }

    /// Refuses to replace a file that packtool did not write.
    private static func refuseForeign(
        _ file: String, _ directory: Directory, _ name: String, _ mark: OutputMark
    ) throws {
        guard let status = try directory.status(name), status.kind == .file, status.size > 0 else {
            return
        }
        let head = try directory.openFile(name).bytes(at: 0, count: OutputMark.length)
        guard mark.matches(head) else { throw OutputForeign(file: file, mark: mark) }
    }

    /// The origin that a directory is in, if any: only publishers write there.
    private static func origin(around directory: String) -> String? {
        var path = resolvedPath(directory)
        while true {
            let workspace = (path == "/" ? "" : path) + "/\(OriginLayout.workspace)"
            if FileStatus.following(workspace)?.kind == .directory { return path }
            guard path != "/", let slash = path.lastSlash else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// Refuses what a file must not replace: a directory, a pipe or a device, also behind a link.
    static func refuseSpecial(_ file: String, isOptional: Bool = false) throws {
        switch FileStatus.following(file)?.kind {
        case .directory: throw FileSystemError(operation: "write", path: file, number: EISDIR)
        case .other: throw OutputNotAFile(file: file, isOptional: isOptional)
        case .file, .symbolicLink, nil: break
        }
    }

    /// Refuses two outputs in one place.
    static func refuseSame(
        _ outputs: [(file: String, place: (directory: Directory, name: String))]
    ) throws {
        for (number, one) in outputs.enumerated() {
            for other in outputs[..<number]
            where try one.place.name == other.place.name
                && one.place.directory.status(".")?.identity
                    == other.place.directory.status(".")?.identity
            {
                throw OutputTwice(file: one.file, other: other.file)
            }
        }
    }

    /// - Parameter place: the directory that gets the output; it need not exist.
    /// - Throws: ``OutputInsideInput``.
    static func refuse(
        _ output: String, in place: String, inside input: OutputInput
    ) throws(OutputInsideInput) {
        guard !isInside(place, input.path) else {
            throw OutputInsideInput(file: output, input: input)
        }
    }

    /// Gives a tree that was built next to its place its name, and makes both durable.
    ///
    /// - Throws: ``DeltaError/targetExists(path:)`` where something took the name since it was checked;
    ///   ``OutputNotDurable`` where the tree is in its place nevertheless; ``FileSystemError``.
    static func place(
        _ tree: String, of staging: Directory, at output: String,
        _ place: (directory: Directory, name: String)
    ) throws {
        // A name that outlives a power cut must not lead to files that did not.
        try staging.directory(tree).syncFileSystem()
        guard try place.directory.status(place.name) == nil else {
            throw DeltaError.targetExists(path: output)
        }
        try staging.rename(tree, to: place.directory, as: place.name)
        try settle(output, in: place.directory)
    }

    /// Gives a file that was written next to its place its name, replacing what has it, and makes both durable.
    ///
    /// - Throws: ``OutputNotDurable`` where the file is in its place nevertheless; ``FileSystemError``.
    static func place(
        file: String, of staging: Directory, at output: String,
        _ place: (directory: Directory, name: String)
    ) throws {
        try staging.openFile(file).sync()
        try staging.rename(file, to: place.directory, as: place.name)
        try settle(output, in: place.directory)
    }

    /// Writes a file at a place that was checked before, over what has its name.
    ///
    /// - Throws: ``OutputNotDurable`` where the file is in its place nevertheless; ``FileSystemError``.
    static func write(
        _ bytes: [UInt8], to output: String, _ place: (directory: Directory, name: String),
        _ console: Console
    ) async throws {
        try await TemporaryDirectory.with(in: place.directory, console) { staging in
            let file = try staging.createFile("output")
            try file.write(bytes)
            try file.close()
            try self.place(file: "output", of: staging, at: output, place)
        }
    }

    /// Makes the name that an output has got durable.
    ///
    /// - Throws: ``OutputNotDurable``; the output is in its place nevertheless.
    private static func settle(_ output: String, in directory: Directory) throws(OutputNotDurable) {
        do throws(FileSystemError) {
            try directory.sync()
        } catch {
            throw OutputNotDurable(output: output, cause: error)
        }
    }
}

/// An output is whole and has its name, which the disk did not confirm.
struct OutputNotDurable: Remedied {
    let output: String
    let cause: FileSystemError

    var code: String { "output.not-durable" }
    var description: String {
        "'\(output)' got its name, but it is not sure to outlive a power cut: \(cause.description)"
    }
    var unaffected: String? { "'\(output)', which is complete and can be used" }
    var remedy: String {
        "check the disk; then remove '\(output)' and run the same command again"
    }
}

/// An output would be part of the build or origin that it is made from, and change it.
struct OutputInsideInput: Remedied {
    let file: String
    let input: OutputInput

    var code: String { "output.inside-\(input.kind)" }
    var description: String {
        "'\(file)' is inside the \(input.kind) '\(input.path)' and would change it"
    }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String { "choose a place outside '\(input.path)'" }
}

/// A place that is no file and must not become one.
struct OutputNotAFile: Remedied {
    let file: String
    let isOptional: Bool

    var code: String { "output.not-a-file" }
    var description: String { "'\(file)' is a pipe or a device, and a file would replace it" }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String {
        "name a file" + (isOptional ? ", or omit the option for standard output" : "")
    }
}

/// Two outputs of one command are named to one place, or one inside the other.
struct OutputTwice: Remedied {
    let file: String
    let other: String

    var code: String { "output.same-place" }
    var description: String {
        file == other
            ? "'\(file)' is named for two outputs"
            : "the outputs '\(other)' and '\(file)' cannot both be written there"
    }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String { "choose another name for one of them" }
    var exitCode: ExitCode { .usage }
}

/// An output file has the name of a file that is read.
struct OutputIsInput: Remedied {
    let file: String

    var code: String { "output.is-input" }
    var description: String { "'\(file)' is read and would be overwritten" }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String { "choose another name for the output" }
}
