import CArchive
import PackKeys
import PackTrust

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A user's program, started without a shell, with limits on its output and time.
package struct OutsideProgram: Sendable {
    /// The reason why a program gave no usable output.
    package enum Failure: Error {
        case cannotStart(reason: String)
        case tookTooLong
        case tooMuch
        case ended(status: Int32)
    }

    private let words: [String]
    private let hidden: [String]

    /// Describes a program.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - hidden: Names of environment variables with secrets, which the program does not get.
    ///     Variables with a private key are always removed.
    package init(_ words: [String], hidden: [String]) {
        self.words = words
        self.hidden = hidden
    }

    var name: String { words.first ?? "" }

    /// Ends all running programs and prevents new ones, because this process is about to end.
    package static func endAll() { carchive_end_programs() }

    /// Runs the program until it exits.
    ///
    /// If this process controls the terminal, the program gets it for the duration of the run, to
    /// prompt for a PIN or passphrase on `/dev/tty`, and `seconds` is not applied.
    ///
    /// - Parameter report: Receives the program's messages for people, on success and failure.
    package func run(
        _ input: [UInt8], seconds: Int, answerLimit: Int, messageLimit: Int = 65_536,
        report: ([UInt8]) -> Void
    ) throws(Failure) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: answerLimit)
        var talk = [UInt8](repeating: 0, count: messageLimit)
        var status: Int32 = 0
        let result = run(input, seconds, &answer, &talk, &status)
        if !talk.isEmpty { report(talk) }
        switch result {
        case Int32(CARCHIVE_RUN_NOT_STARTED):
            throw .cannotStart(reason: unsafe String(cString: strerror(status)))
        case Int32(CARCHIVE_RUN_TOO_LONG): throw .tookTooLong
        case Int32(CARCHIVE_RUN_TOO_MUCH): throw .tooMuch
        default: break
        }
        guard status == 0 else { throw .ended(status: status) }
        return answer
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - answer: Its capacity on entry, the program's output on return.
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
