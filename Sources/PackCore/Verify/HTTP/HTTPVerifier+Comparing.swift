import PackGround
import PackOrigin
import PackRelease

/// A pointer, and the route that returned it.
struct ShownPointer {
    /// The route of a request.
    enum Route {
        case asClients
        case pastCaches
        /// The answers with and without a query are equal.
        ///
        /// The query may not have bypassed the cache.
        case anyQuery
        /// The origin of `--against`.
        case source(String)

        var shown: String {
            switch self {
            case .asClients: "as clients get it"
            case .pastCaches: "past the caches"
            case .anyQuery: "with and without a query"
            case .source(let address): "in '\(address)'"
            }
        }
    }

    let published: OriginReader.Published
    /// `nil` for the source.
    let answer: ProbeAnswer?
    let route: Route

    /// The pointers to compare.
    ///
    /// Equal answers with and without a query count as one.
    static func routes(_ plain: ShownPointer?, _ fresh: ShownPointer?) -> [ShownPointer] {
        guard let plain, let fresh, plain.published.bytes == fresh.published.bytes else {
            return [plain, fresh].compactMap { $0 }
        }
        return [
            ShownPointer(published: fresh.published, answer: fresh.answer, route: .anyQuery)
        ]
    }
}

extension HTTPVerifier {
    // MARK: The origin of --against

    /// The source's pointer, or `nil` if its history differs from the server's.
    func sourcePointer(
        of served: OriginReader.Published, _ run: inout AuditRun
    ) async throws -> ShownPointer? {
        guard let source = request.source else { return nil }
        let reader = OriginReader(source, policy: .recordedInLog)
        guard let published = try await reader.pointer(request.channel) else {
            throw Failure.originNothingPublished(
                channel: request.channel.description, origin: source.address)
        }
        let app = served.pointer.app
        guard app == published.pointer.app else {
            throw Failure.originInvalidPointer(
                path: published.path,
                problem: "it is of the app '\(published.pointer.app)', and clients get '\(app)'")
        }
        if let problem = try await otherHistory(of: served, published, reader) {
            run.findings.add(
                .differs, .error, OriginLayout.pointer(request.channel),
                "\(problem): the two have different histories",
                advice: """
                    do not copy '\(source.address)' to the server: devices with the server's \
                    releases would reject later ones; publish to the origin from which the \
                    server's files were copied, and name it with --against
                    """)
            return nil
        }
        run.source = source
        return ShownPointer(published: published, answer: nil, route: .source(source.address))
    }

    /// Evidence that the server's pointer was never live in the source, or `nil`.
    private func otherHistory(
        of served: OriginReader.Published, _ published: OriginReader.Published,
        _ reader: OriginReader
    ) async throws -> String? {
        let sequence = served.pointer.sequence
        guard sequence <= published.pointer.sequence else { return nil }
        var recorded = published
        if sequence < published.pointer.sequence {
            do {
                recorded = try await reader.logEntry(request.channel, sequence)
            } catch let failure as Failure where failure.code == .originMissing {
                return
                    "has sequence \(sequence), for which the log of '\(reader.store.address)' has no entry"
            } catch {
                if error.isLocalOrTransient { throw error }
                // Damage in the source is reported when the source itself is verified.
                return nil
            }
        }
        guard recorded.payloadHash != served.payloadHash else { return nil }
        return "has another pointer of sequence \(sequence) than '\(reader.store.address)'"
    }

    // MARK: Comparing

    /// Reports routes that return an older pointer for longer than caches may keep it.
    func compare(_ all: [ShownPointer], _ run: inout AuditRun) {
        guard
            let newest = all.max(by: {
                $0.published.pointer.sequence < $1.published.pointer.sequence
            })
        else { return }
        var seen: Set<Int> = []
        // Start with the source: an outdated server also explains outdated caches.
        for shown in all.reversed() {
            let sequence = shown.published.pointer.sequence
            if sequence != newest.published.pointer.sequence {
                if seen.insert(sequence).inserted { add(shown, behind: newest, &run) }
            } else if shown.published.bytes != newest.published.bytes {
                run.findings.add(
                    .differs, .error, OriginLayout.pointer(request.channel),
                    "is another pointer of sequence \(sequence) \(shown.route.shown) than "
                        + newest.route.shown,
                    (shown.answer ?? newest.answer)?.head)
            }
        }
    }

    private func add(_ shown: ShownPointer, behind newest: ShownPointer, _ run: inout AuditRun) {
        let path = OriginLayout.pointer(request.channel)
        let now = newest.published.pointer
        let age = max(0, request.now.seconds - now.createdAt.seconds)
        let cached = shown.answer?.age.map { " (age \(grouped($0)) s)" } ?? ""
        let text =
            "has sequence \(shown.published.pointer.sequence)\(cached) \(shown.route.shown), and "
            + "\(now.sequence) \(newest.route.shown), published \(grouped(age)) second\(age == 1 ? "" : "s") ago"
        guard let answer = shown.answer else { return run.note("\(path) \(text)") }
        guard age > request.patience else {
            return run.note("\(path) \(text): caches have up to \(request.patience) seconds")
        }
        let isBehind: Bool
        switch shown.route {
        case .asClients, .source: isBehind = false
        // A cache with only the path in its key also answers requests with a query.
        case .pastCaches: isBehind = !answer.isFromCache
        // Such a cache may not identify itself, but the server's own address bypasses it.
        case .anyQuery: isBehind = !answer.isFromCache && !(run.source is HTTPStore)
        }
        run.findings.add(isBehind ? .behind : .stale, .error, path, text, answer.head)
    }
}
