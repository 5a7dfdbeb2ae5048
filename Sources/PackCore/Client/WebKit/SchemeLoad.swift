#if canImport(WebKit)
    import Foundation
    import PackPages
    import WebKit

    /// One task of a web view, until it is finished or stopped.
    @MainActor
    final class SchemeLoad {
        private let task: any WKURLSchemeTask
        private let request: PageRequest
        private let pages: PageView
        private let network: PageNetwork
        private let cookies: CookieJar
        private let onEnd: () -> Void
        /// Whether the task must not be called any more.
        private var isOver = false
        private var body: PageBody?
        private var transfer: URLSessionDataTask?

        init(
            _ task: any WKURLSchemeTask, _ pages: PageView, _ network: PageNetwork,
            _ cookies: CookieJar, onEnd: @escaping () -> Void
        ) {
            self.task = task
            request = PageRequest(task.request)
            self.pages = pages
            self.network = network
            self.cookies = cookies
            self.onEnd = onEnd
        }

        func start() {
            Task {
                let plan = await Self.plan(request, pages)
                switch plan {
                case .answer(let answer): await deliver(answer)
                case .fetch(let fetch): await send(fetch)
                }
            }
        }

        /// Ends without calling the task: the web view stopped it.
        func stop() {
            isOver = true
            body?.close()
            if let transfer { network.cancel(transfer) }
            transfer = nil
        }

        // MARK: Outside the main thread

        @concurrent
        private nonisolated static func plan(
            _ request: PageRequest, _ pages: PageView
        ) async -> PagePlan { pages.plan(request) }

        @concurrent
        private nonisolated static func next(_ body: PageBody) async throws -> [UInt8]? {
            try body.next()
        }

        // MARK: Answers

        private func deliver(_ answer: PageAnswer) async {
            defer { answer.body.close() }
            guard !isOver else { return }
            body = answer.body
            guard receive(answer.head) else { return }
            do {
                while let piece = try await Self.next(answer.body) {
                    guard !isOver else { return }
                    task.didReceive(Data(piece))
                }
                finish()
            } catch {
                fail(error)
            }
        }

        /// Passes the head on; fails if it is not one of HTTP.
        private func receive(_ head: PageHead) -> Bool {
            guard !isOver else { return false }
            var fields: [String: String] = [:]
            for header in head.headers {
                fields[header.name] = (fields[header.name].map { $0 + ", " } ?? "") + header.value
            }
            guard let url = task.request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: head.status, httpVersion: "HTTP/1.1",
                    headerFields: fields)
            else {
                fail(URLError(.badServerResponse))
                return false
            }
            task.didReceive(response)
            pages.delivered(request)
            return true
        }

        private func finish() {
            guard !isOver else { return }
            isOver = true
            task.didFinish()
            onEnd()
        }

        private func fail(_ error: any Error) {
            guard !isOver else { return }
            isOver = true
            task.didFailWithError(error)
            onEnd()
        }

        // MARK: The network

        private func send(_ fetch: PageFetch) async {
            guard let url = URL(string: fetch.url) else { return fail(URLError(.badURL)) }
            var sent = URLRequest(url: url)
            sent.httpMethod = fetch.method
            for header in fetch.headers {
                sent.setValue(header.value, forHTTPHeaderField: header.name)
            }
            if fetch.sendsBody {
                sent.httpBody = task.request.httpBody
                if sent.httpBody == nil { sent.httpBodyStream = task.request.httpBodyStream }
            }
            if fetch.sendsCookies,
                let text = await cookies.header(for: fetch.url)
            {
                sent.setValue(text, forHTTPHeaderField: "Cookie")
            }
            guard !isOver else { return }
            transfer = network.start(
                sent,
                PageTransfer(
                    head: { [weak self] response in
                        await self?.received(response, fetch) ?? false
                    },
                    data: { [weak self] data in self?.received(data) },
                    end: { [weak self] error in self?.ended(error) }))
        }

        /// Handles the head of the network's answer.
        ///
        /// - Returns: Whether the page gets the body.
        private func received(_ response: URLResponse, _ fetch: PageFetch) async -> Bool {
            guard let response = response as? HTTPURLResponse else {
                fail(URLError(.badServerResponse))
                return false
            }
            if fetch.sendsCookies { await cookies.store(response) }
            guard !isOver else { return false }
            let headers = response.allHeaderFields.compactMap { name, value in
                (name as? String).map { PageHeader($0, "\(value)") }
            }
            switch fetch.received(PageHead(status: response.statusCode, headers: headers)) {
            case .deliver(let head): return receive(head)
            case .follow(let next): await follow(next)
            case .answer(let answer): await deliver(answer)
            case .fail(let error): fail(error)
            }
            return false
        }

        private func follow(_ next: PageFetch) async {
            // A stream has been read by the first request.
            guard !next.sendsBody || task.request.httpBody != nil else {
                return fail(URLError(.requestBodyStreamExhausted))
            }
            await send(next)
        }

        private func received(_ data: Data) {
            guard !isOver else { return }
            task.didReceive(data)
        }

        private func ended(_ error: (any Error)?) {
            if let error { fail(error) } else { finish() }
        }
    }
#endif
