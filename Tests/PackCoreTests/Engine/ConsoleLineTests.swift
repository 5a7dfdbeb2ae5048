import PackEngine
import Testing

struct ConsoleLineTests {
    @Test func readsThePlace() throws {
        let line = try #require(
            ConsoleLine("customscheme://shop/a.js:4:14: CONSOLE JS ERROR TypeError: null: x"))
        #expect(line.source == "JS")
        #expect(line.message == "TypeError: null: x")
        #expect(line.url == "customscheme://shop/a.js")
        #expect(line.line == 4)
        #expect(line.column == 14)
        #expect(line.meaning == .failure(.exception))
    }

    @Test(arguments: [
        ("CONSOLE ERROR JS ERROR is text", ConsoleLine.Meaning.failure(.console)),
        ("CONSOLE LOG CONSOLE ERROR", .other),
        ("CONSOLE JS ERROR Unhandled Promise Rejection: Error: a", .failure(.rejection)),
        ("CONSOLE JS ERROR TypeError: 'text/plain' is not a valid JavaScript MIME type.", .refusal),
        ("CONSOLE SECURITY ERROR Origin null is not allowed", .refusal),
        (
            "CONSOLE JS ERROR Unhandled Promise Rejection: TypeError: '' is not a valid JavaScript MIME type.",
            .refusal
        ),
        ("CONSOLE SECURITY ERROR Refused to load a.js because of its policy", .refusal),
        ("CONSOLE SECURITY ERROR [blocked] The page was not allowed to display it", .refusal),
        ("CONSOLE SECURITY ERROR Unrecognized Content-Security-Policy directive 'x'.", .other),
        ("CONSOLE SECURITY WARN something", .other),
        ("CONSOLE NETWORK ERROR Failed to load resource: gone", .other),
    ])
    func knowsTheMeaning(_ text: String, _ meaning: ConsoleLine.Meaning) throws {
        #expect(try #require(ConsoleLine(text)).meaning == meaning)
    }

    @Test func otherOutputIsNoMessage() {
        #expect(ConsoleLine("Gtk-WARNING: no theme") == nil)
    }
}
