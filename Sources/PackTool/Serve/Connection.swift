import FlyingSocks
import PackServe

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One client's connection: reads and answers requests in sequence.
struct Connection: Sendable {
    let id: Int
    let socket: AsyncSocket
    let others: OpenConnections
    let settings: WebServer.Settings
    let answer: WebServer.Answer

    /// The maximum number of bytes discarded after refusing a client: it would not see the answer
    /// if the connection was closed while it is still sending.
    private static let ignoredLimit = 2 << 20

    func run() async {
        defer { others.close(id) }
        var reader = RequestHeadReader()
        do {
            while let head = try await next(&reader) {
                if try await !respond(to: head) { return await wait() }
            }
        } catch let refusal as RequestRefusal {
            settings.refused(refusal)
            guard (try? await send(refusal.answer, isLast: true)) != nil else { return }
            await wait()
        } catch {
            // The client has disconnected, or the server is stopping.
        }
    }

    /// The next request; `nil` if the client sends none.
    private func next(_ reader: inout RequestHeadReader) async throws -> RequestHead? {
        others.waits(id)
        while true {
            if let head = try reader.next() { return head }
            do {
                reader.add(try await socket.read(atMost: 4096))
            } catch SocketError.disconnected {
                guard others.isEnded(id), !reader.isEmpty else { return nil }
            }
            guard !others.isEnded(id) else {
                throw RequestRefusal(408, "the request took more than \(settings.patience) seconds")
            }
        }
    }

    /// - Returns: Whether another request may follow.
    private func respond(to head: RequestHead) async throws -> Bool {
        others.works(id)
        let answer: ServeAnswer
        do {
            answer = try await self.answer(head.request)
        } catch {
            answer = .failed
        }
        // The content would be parsed as the next request.
        if head.hasBody, answer.status != 405 {
            throw RequestRefusal(413, "requests with content are not answered")
        }
        let isLast = !head.isPersistent || head.hasBody
        try await send(answer, isLast: isLast, withBody: head.request.method != "HEAD")
        return !isLast
    }

    private func send(_ answer: ServeAnswer, isLast: Bool, withBody: Bool = true) async throws {
        var bytes = answer.head(isPersistent: !isLast, now: settings.now())
        guard withBody, case .file(let file, let offset, let count) = answer.body else {
            if withBody, case .bytes(let body) = answer.body { bytes += body }
            return try await write(bytes)
        }
        try await write(bytes)
        var content = FileContent(file: file, offset: offset, count: count, fault: settings.fault)
        while let piece = try await content.next() { try await write(piece) }
    }

    private func write(_ bytes: [UInt8]) async throws {
        others.sends(id)
        try await socket.write(Data(bytes))
        others.works(id)
    }

    /// Ends the connection so that the client receives the whole answer.
    private func wait() async {
        others.stopsSending(id)
        var ignored = 0
        while ignored < Self.ignoredLimit, !others.isEnded(id) {
            guard let bytes = try? await socket.read(atMost: 4096) else { return }
            ignored += bytes.count
        }
    }
}
