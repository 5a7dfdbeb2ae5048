import Foundation
import PackGround
import Synchronization
import Testing

/// A crash reports the file of the crashing thread.
struct CurrentFileTests {
    private static let isReady = Atomic<Bool>(false)

    /// Crashes while another thread works on another file.
    private static func crash() {
        CurrentFile.reportCrashes()
        Thread.detachNewThread {
            CurrentFile.begin("other.html")
            isReady.store(true, ordering: .releasing)
            sleep(60)
        }
        while !isReady.load(ordering: .acquiring) { usleep(1000) }
        CurrentFile.begin("earlier.html")
        CurrentFile.end()
        CurrentFile.begin("a\u{1B}[31m'\u{E9}.html")
        raise(SIGSEGV)
    }

    private static func crashAfterwards() {
        CurrentFile.reportCrashes()
        CurrentFile.begin("earlier.html")
        CurrentFile.end()
        raise(SIGFPE)
    }

    @Test func namesTheFileOfTheThreadThatCrashed() async {
        let result = await #expect(
            processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]
        ) { CurrentFileTests.crash() }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("crashed (signal 11) while working on 'a\\x1b[31m'\u{E9}.html'\nhelp: "),
            "\(text)")
    }

    @Test func namesNoFileOfEarlierWork() async {
        let result = await #expect(
            processExitsWith: .signal(SIGFPE), observing: [\.standardErrorContent]
        ) { CurrentFileTests.crashAfterwards() }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("error: packtool crashed (signal 8)\nhelp: "), "\(text)")
    }
}
