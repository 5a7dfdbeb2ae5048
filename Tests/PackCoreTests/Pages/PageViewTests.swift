import PackGround
import PackPages
import TestSupport
import Testing

/// One release for a page.
struct PageViewTests {
    /// A view, and a provider that changes its release.
    private final class Device: Sendable {
        let current: Locked<PageSources>
        let view: PageView

        init(_ sources: PageSources) {
            let current = Locked(sources)
            self.current = current
            view = PageView(newest: { current.withLock { $0 } })
        }

        func open(_ path: String) throws -> [UInt8] {
            let request = PageSample.request(path, isMainDocument: true)
            let body = try ReadAnswer(view.plan(request)).body
            view.delivered(request)
            return body
        }

        func load(_ path: String, page: String?) throws -> [UInt8] {
            var request = PageSample.request(path)
            request.page = page.map { PageSample.request($0).url }
            return try ReadAnswer(view.plan(request)).body
        }
    }

    private func withDevice(_ body: (Device, PageSources, PageSources) throws -> Void) async throws
    {
        try await PageSample.with { (one) async throws in
            try await PageSample.with { (two) async throws in
                for (sample, byte) in [(one, UInt8(1)), (two, 2)] {
                    for name in ["a.html", "b.html", "a.js"] {
                        try sample.folder.write([byte], as: name)
                    }
                }
                try body(Device(try one.sources()), one.sources(), two.sources())
            }
        }
    }

    @Test func aPageKeepsItsReleaseDuringAnUpdate() async throws {
        try await withDevice { (device, _, two) throws in
            #expect(try device.open("/a.html") == [1])
            device.current.withLock { $0 = two }
            #expect(try device.load("/a.js", page: "/a.html#x") == [1])
            #expect(try device.load("/a.js", page: nil) == [1])
            #expect(try device.open("/a.html") == [2])
            #expect(try device.load("/a.js", page: "/a.html") == [2])
        }
    }

    @Test func theShownPageStaysUntilTheNextIsDelivered() async throws {
        try await withDevice { (device, _, two) throws in
            _ = try device.open("/a.html")
            device.current.withLock { $0 = two }
            let next = PageSample.request("/b.html", isMainDocument: true)
            _ = device.view.plan(next)
            #expect(try device.load("/a.js", page: "/a.html") == [1])
            // The navigation was stopped, and another one completes.
            #expect(try device.load("/a.js", page: "/b.html") == [1])
            #expect(try device.open("/b.html") == [2])
            #expect(try device.load("/a.js", page: "/b.html") == [2])
        }
    }

    @Test func aPageOfTheBackForwardCacheKeepsItsRelease() async throws {
        try await withDevice { (device, _, two) throws in
            _ = try device.open("/a.html")
            device.current.withLock { $0 = two }
            #expect(try device.open("/b.html") == [2])
            #expect(try device.load("/a.js", page: "/a.html") == [1])
            #expect(try device.load("/a.js", page: "/unknown.html") == [2])
            for number in 0..<4 { _ = try device.open("/b.html?\(number)") }
            #expect(try device.load("/a.js", page: "/a.html") == [2])
        }
    }

    @Test func aViewWithoutADocumentKeepsTheFirstRelease() async throws {
        try await withDevice { (device, _, two) throws in
            #expect(try device.load("/a.js", page: "https://a.example/") == [1])
            device.current.withLock { $0 = two }
            #expect(try device.load("/a.js", page: "https://a.example/") == [1])
        }
    }
}
