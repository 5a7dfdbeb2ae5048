import CArchive

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A program that signs with a key that packtool never sees: `--sign-with`.
///
/// It is started without a shell.
package struct SignCommand: Sendable {
    /// The command line as it was given.
    package let commandLine: String
    private let words: [String]
    private let hidden: [String]

    /// - Parameter hidden: names of variables that the program does not get, because they have secrets.
    /// - Throws: ``SignCommandError/empty``, ``SignCommandError/unbalanced(command:)``.
    package init(_ line: String, hidden: [String]) throws(SignCommandError) {
        commandLine = line
        words = try shellWords(line)
        self.hidden = hidden
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
        var answer = [UInt8](repeating: 0, count: SignRequest.answerLimit)
        var talk = [UInt8](repeating: 0, count: SignRequest.messageLimit)
        var status: Int32 = 0
        let result = run(request.encode(), seconds, &answer, &talk, &status)
        if !talk.isEmpty { messages(talk) }
        switch result {
        case Int32(CARCHIVE_RUN_NOT_STARTED):
            throw .cannotStart(command: words[0], reason: unsafe String(cString: strerror(status)))
        case Int32(CARCHIVE_RUN_TOO_LONG): throw .tookTooLong(command: words[0])
        case Int32(CARCHIVE_RUN_TOO_MUCH): throw .tooMuch(command: words[0])
        default: break
        }
        guard status == 0 else { throw .failed(command: words[0], status: status) }
        return try request.signatures(answer, command: words[0])
    }

    /// - Parameters:
    ///   - answer: its capacity going in, what was written coming out.
    private func run(
        _ input: [UInt8], _ seconds: Int, _ answer: inout [UInt8], _ talk: inout [UInt8],
        _ status: inout Int32
    ) -> Int32 {
        let words = unsafe words.map { unsafe strdup($0) }
        let hidden = unsafe hidden.map { unsafe strdup($0) }
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe hidden.indices { unsafe free(hidden[index]) }
        }
        let wordList = unsafe words.map { unsafe UnsafePointer($0) } + [nil]
        let hiddenList = unsafe hidden.map { unsafe UnsafePointer($0) } + [nil]
        let result = unsafe answer.withUnsafeMutableBufferPointer { answer in
            unsafe talk.withUnsafeMutableBufferPointer { talk in
                var output = unsafe carchive_text(
                    start: answer.baseAddress, capacity: answer.count, used: 0)
                var messages = unsafe carchive_text(
                    start: talk.baseAddress, capacity: talk.count, used: 0)
                let result = unsafe carchive_run(
                    wordList, hiddenList, input, input.count, Int32(clamping: seconds), &output,
                    &messages, &status)
                return unsafe (result, output.used, messages.used)
            }
        }
        answer.removeLast(answer.count - result.1)
        talk.removeLast(talk.count - result.2)
        return result.0
    }
}
