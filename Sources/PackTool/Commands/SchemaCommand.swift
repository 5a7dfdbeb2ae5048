import ArgumentParser
import PackGround
import PackSettings

/// `packtool schema`.
struct SchemaCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON schema of packtool.yaml, for editors.",
        usage: "packtool schema [--output <file>]",
        discussion: """
            Editors with a YAML language server use it to complete and check packtool.yaml. \
            'packtool init' writes it next to that file, whose first line references it.

            Example:
              packtool schema
              packtool schema --output packtool.schema.json
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write.", valueName: "file"))
    var file: String?

    @OptionGroup var output: OutputOptions

    func run(_ console: Console) async throws -> Int32 {
        _ = try settings(console)
        guard let file else {
            console.print(json: ConfigurationSchema.json)
            return 0
        }
        _ = try OutputLocation.check(file, inputs: [], isOptional: true, replacing: .schema)
        try await ReadableFile.replace(
            file, with: JSONWriter.write(ConfigurationSchema.json), console)
        if output.json {
            console.print(json: .members(["file": .string(file)]))
        } else {
            console.stdout("wrote \(file)")
        }
        return 0
    }
}
