package import PackGround
import PackKeys
package import PackOrigin
import PackTrust

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
    /// - Throws: ``Failure/signWithEmpty``, ``Failure/signWithUnbalanced(command:)``.
    package init(_ line: String, hidden: [String]) throws(Failure) {
        commandLine = line
        program = OutsideProgram(try shellWords(line), hidden: hidden)
    }

    /// Requests signatures and verifies them.
    ///
    /// - Parameters:
    ///   - seconds: The time limit.
    ///   - messages: Receives the program's messages for people, at most
    ///     ``SignRequest/messageLimit`` bytes.
    /// - Throws: ``Failure``.
    package func signatures(
        for request: SignRequest, seconds: Int = SignRequest.timeLimit,
        messages: ([UInt8]) -> Void
    ) throws(Failure) -> [Envelope.Signature] {
        let answer: [UInt8]
        do throws(OutsideProgram.Failure) {
            answer = try program.run(
                request.encode(), seconds: seconds, answerLimit: SignRequest.answerLimit,
                messageLimit: SignRequest.messageLimit, report: messages)
        } catch {
            switch error {
            case .cannotStart(let reason):
                throw .signWithCannotStart(command: program.name, reason: reason)
            case .tookTooLong: throw .signWithTimeout(command: program.name)
            case .tooMuch: throw .signWithTooMuch(command: program.name)
            case .ended(let status): throw .signWithFailed(command: program.name, status: status)
            }
        }
        return try request.signatures(answer, command: program.name)
    }
}
