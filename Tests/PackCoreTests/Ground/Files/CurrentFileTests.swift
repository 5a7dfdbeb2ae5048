import Foundation
import PackCore
import Testing

/// Of several threads, a crash names the file of the one that crashed.
struct CurrentFileTests {
    @Test func namesTheFileOfTheThreadThatCrashed() async {
        let result = await #expect(
            processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]
        ) {
            CurrentFile.reportCrashes()
            let isReady = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                CurrentFile.begin("other.html")
                isReady.signal()
                sleep(60)
            }
            isReady.wait()
            CurrentFile.begin("earlier.html")
            CurrentFile.end()
            CurrentFile.begin("a\u{1B}[31m'\u{E9}.html")
            raise(SIGSEGV)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("crashed (signal 11) while working on 'a\\x1b[31m'\u{E9}.html'\nhelp: "),
            "\(text)")
    }

    @Test func namesNoFileOfEarlierWork() async {
        let result = await #expect(
            processExitsWith: .signal(SIGFPE), observing: [\.standardErrorContent]
        ) {
            CurrentFile.reportCrashes()
            CurrentFile.begin("earlier.html")
            CurrentFile.end()
            raise(SIGFPE)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("error: packtool crashed (signal 8)\nhelp: "), "\(text)")
    }
}
