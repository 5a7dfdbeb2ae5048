import PackGround
import PackOrigin
import PackRelease

extension HTTPVerifier {
    /// The first and the longest pause between two looks at the pointer, in seconds.
    private static let pauses = (first: 0.5, longest: 5.0)

    /// Asks for the pointer as clients do, until it has a sequence or caches have had their time.
    func isShown(_ sequence: Int) async throws -> Bool {
        var waited = 0.0
        var pause = Self.pauses.first
        while true {
            do {
                if let shown = try await shownSequence(), shown >= sequence { return true }
            } catch HTTPError.redirected {
                // Waiting changes no redirect; the verification reports it.
                return true
            }
            let left = Double(request.patience) - waited
            guard left > 0 else { return false }
            try await store.client.wait(seconds: min(pause, left))
            waited += pause
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    /// The sequence that clients get; `nil` where they get no pointer, which the verification reports.
    private func shownSequence() async throws -> Int? {
        let place = OriginLayout.pointer(request.channel)
        var question = HTTPProbe.Question(limit: UInt64(Pointer.sizeLimit))
        question.keepsBytes = true
        let answer = try await probe.ask(place, question)
        guard answer.head.status == 200, !answer.isTooLong else { return nil }
        let stored = StoredObject(
            bytes: answer.bytes, revision: Revision(.content(answer.digest.sha256)))
        return try? reader.published(stored, at: place, of: request.channel).pointer.sequence
    }
}
