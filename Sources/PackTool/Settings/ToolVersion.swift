/// The version of this tool: "-dev" until there is a tag.
package let toolVersion = "1.0.0-dev"

/// The tool as `--version` and every manifest's `build.tool` name it.
package let toolName = "packtool \(toolVersion)"
