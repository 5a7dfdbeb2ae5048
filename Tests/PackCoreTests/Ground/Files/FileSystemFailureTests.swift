import Foundation
import PackGround
import Testing

/// Whether a file system error is evidence of damage.
@Suite struct FileSystemFailureTests {
    /// Regression: a temporary error while reading a log entry was taken as damage, and a publish
    /// continued without its deltas.
    @Test(
        "an error that says nothing about the file is no damage",
        arguments: [EIO, EACCES, EPERM, ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, ESTALE, ETIMEDOUT])
    func saysNothing(_ number: Int32) {
        #expect(!error(number).meansAnotherContent)
    }

    @Test(
        "nothing there, or something that is no such file, is",
        arguments: [ENOENT, ENOTDIR, EISDIR, ELOOP, EFBIG])
    func saysWhatLiesThere(_ number: Int32) {
        #expect(error(number).meansAnotherContent)
    }

    private func error(_ number: Int32) -> Failure {
        Failure.fileSystem("open", "log/1.json", number: number)
    }
}
