package import PackOrigin

/// A program that signs with a key outside packtool: `--sign-with`.
///
/// It is started without a shell.
package struct SignCommand: Sendable {
    /// The command line as given.
    package let commandLine: String
    private let program: OutsideProgram

    /// Parses a command line.
    ///
    /// - Parameter hidden: Names of environment variables with secrets, which the program does not
    ///   get.
    /// - Throws: ``SignCommandError/empty``, ``SignCommandError/unbalanced(command:)``.
    package init(_ line: String, hidden: [String]) throws(SignCommandError) {
        commandLine = line
        program = OutsideProgram(try shellWords(line), hidden: hidden)
    }

    /// Requests signatures and verifies them.
    ///
    /// - Parameters:
    ///   - seconds: The time limit.
    ///   - messages: Receives the program's messages for people, at most
    ///     ``SignRequest/messageLimit`` bytes.
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
