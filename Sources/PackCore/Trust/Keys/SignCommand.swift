package import PackOrigin

/// A program that signs with a key that packtool never sees: `--sign-with`.
///
/// It is started without a shell.
package struct SignCommand: Sendable {
    /// The command line as it was given.
    package let commandLine: String
    private let program: OutsideProgram

    /// - Parameter hidden: names of variables that the program does not get, because they have secrets.
    /// - Throws: ``SignCommandError/empty``, ``SignCommandError/unbalanced(command:)``.
    package init(_ line: String, hidden: [String]) throws(SignCommandError) {
        commandLine = line
        program = OutsideProgram(try shellWords(line), hidden: hidden)
    }

    /// Asks for signatures and checks them.
    ///
    /// - Parameters:
    ///   - seconds: how long it may take.
    ///   - messages: gets what the program wrote for people, at most ``SignRequest/messageLimit`` bytes.
    /// - Throws: ``SignCommandError``.
    package func signatures(
        for request: SignRequest, seconds: Int = SignRequest.timeLimit,
        messages: ([UInt8]) -> Void
    ) throws(SignCommandError) -> [Envelope.Signature] {
        let answer: [UInt8]
        do throws(OutsideProgram.Failure) {
            answer = try program.run(
                request.encode(), seconds: seconds, answerLimit: SignRequest.answerLimit,
                messageLimit: SignRequest.messageLimit, report: messages)
        } catch {
            switch error {
            case .cannotStart(let reason):
                throw .cannotStart(command: program.name, reason: reason)
            case .tookTooLong: throw .tookTooLong(command: program.name)
            case .tooMuch: throw .tooMuch(command: program.name)
            case .ended(let status): throw .failed(command: program.name, status: status)
            }
        }
        return try request.signatures(answer, command: program.name)
    }
}
