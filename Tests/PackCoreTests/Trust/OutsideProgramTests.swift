import PackKeys
import PackSigning
import Testing

struct OutsideProgramTests {
    /// A write to its closed input raises SIGPIPE, which the process of the tests does not ignore, nor
    /// need an app.
    @Test func aProgramNeedNotReadItsInput() throws {
        let moreThanAPipeHolds = [UInt8](repeating: 7, count: 1 << 20)
        let program = OutsideProgram(["sh", "-c", "exec <&-; echo answer"], hidden: [])
        let answer = try program.run(moreThanAPipeHolds, seconds: 20, answerLimit: 100) { _ in }
        #expect(answer == Array("answer\n".utf8))
    }
}
