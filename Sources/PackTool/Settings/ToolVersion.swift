import CArchive

/// The version of this tool: "-dev" until there is a tag.
package let toolVersion = "1.0.0-dev"

/// The tool's name in `build.tool` of every manifest.
package let toolName = "packtool \(toolVersion)"

/// What `--version` prints: the name, and in a distributed program the commit of its sources.
package let toolDescription = toolName + (commit.isEmpty ? "" : " (commit \(commit))")

private let commit = unsafe String(cString: carchive_commit())
