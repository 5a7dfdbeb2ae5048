import ArgumentParser
import PackOrigin

/// Leaves a new pointer for others to sign.
struct ProposeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Do everything except the commit; write the new pointer to this file, for 'keys sign'.",
            valueName: "file"), completion: .path)
    var propose: String?

    /// Rejects a file that could not be written or would be served.
    func check(outside inputs: [OutputInput]) throws {
        guard let propose else { return }
        _ = try OutputLocation.check(propose, inputs: inputs, replacing: .proposal)
        // An earlier proposal is replaced; a trust root is not.
        try KeyFile.refuseRoot(at: propose)
    }

    /// Writes the proposal, if any.
    func write(_ proposal: [UInt8]?, to origin: String, _ console: Console) async throws {
        guard let propose, let proposal else { return }
        try await ReadableFile.replace(propose, with: proposal, console)
        console.stdout("proposal: \(propose), valid for \(Pointer.proposalDays) days")
        console.stdout(
            "next: 'packtool keys sign \(propose) --trust ROOT --sign-key KEY', then "
                + "'packtool publish --pointer \(propose) --to \(origin)'")
    }
}
