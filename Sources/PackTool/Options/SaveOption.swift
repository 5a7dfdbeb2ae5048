import ArgumentParser
import PackGround

/// Writes the output to files in additional formats: one run serves a log, a code scanner and a
/// comment.
struct SaveOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also write the output to a file in another form, such as markdown=summary.md; repeatable.",
            valueName: "format=file"))
    var save: [String] = []

    /// The given formats, valid or not.
    var formats: [String] {
        save.map { String($0.prefix { $0 != "=" }) }
    }

    /// The files, validated before the work starts.
    ///
    /// - Parameter inputs: The paths read by the command.
    /// - Throws: ``Failure``, and the errors of
    ///   ``OutputLocation/check(_:inputs:isDirectory:isOptional:replacing:)``.
    func files<Format: RawRepresentable<String> & CaseIterable>(
        _ formats: Format.Type, inputs: [OutputInput]
    ) throws -> [SavedFile<Format>] {
        try Self.files(save, formats, inputs: inputs)
    }

    static func invalid<Format: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ formats: Format.Type, example: String
    ) -> Failure {
        let names = formats.allCases.map(\.rawValue).joined(separator: ", ")
        return Failure.invalidArgument(
            kind: "file to save", word: text,
            problem: "does not start with a format and '=' (\(names))", example: example)
    }

    static func files<Format: RawRepresentable<String> & CaseIterable>(
        _ texts: [String], _ formats: Format.Type, inputs: [OutputInput]
    ) throws -> [SavedFile<Format>] {
        try texts.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let format = Format(rawValue: String(parts[0])) else {
                throw invalid(text, formats, example: "markdown=summary.md")
            }
            let file = String(parts[1])
            let location = try OutputLocation.check(
                file, inputs: inputs, replacing: OutputMark(format: format.rawValue))
            return SavedFile(format: format, file: file, location: location)
        }
    }
}

/// A file that receives the output in another format.
struct SavedFile<Format> {
    let format: Format
    let file: String
    let location: (directory: Directory, name: String)

    func write(_ bytes: [UInt8], _ console: Console) async throws {
        try await OutputLocation.write(bytes, to: file, location, console)
    }
}
