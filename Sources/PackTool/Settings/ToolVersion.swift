/// The version of this tool: "-dev" until there is a tag.
package let toolVersion = "1.0.0-dev"

/// The tool's name in `--version` and in `build.tool` of every manifest.
package let toolName = "packtool \(toolVersion)"
