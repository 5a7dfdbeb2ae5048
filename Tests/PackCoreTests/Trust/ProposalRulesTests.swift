import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import TestSupport
import Testing

/// An attacker with one of two keys gives a forged proposal to the second signer.
@Suite(.eachStore) struct ProposalRulesTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static let later = Playground.now.adding(days: 1)

    /// Publishes a release signed with both keys.
    ///
    /// - Returns: The root, and a pointer for the next release, proposed with key 7.
    private func proposal() async throws -> (root: SignedRoot, pointer: Pointer) {
        let file = try TrustLab.file(
            TrustLab.root(1, keys: [1], release: [7, 8], releaseThreshold: 2), by: [1])
        try play.write("origin/root/1.json", file)
        var first = try await play.request(Playground.first, label: "1.0", lifetimeDays: 30)
        first.signers = Signers(keys: [try TrustLab.key(7), try TrustLab.key(8)], commands: [])
        try await play.publish(first)
        var next = try await play.request(
            Playground.second, label: "2.0", now: Self.later, lifetimeDays: 30)
        next.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        next.isProposal = true
        let report = try await play.publish(next)
        let bytes = try #require(report.proposal)
        return (try SignedRoot(file, path: "root"), try PointerProposal(bytes).pointer)
    }

    private func forged(
        _ pointer: Pointer, by keys: [Int] = [7], _ edit: (inout Pointer) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var pointer = pointer
        try edit(&pointer)
        return try TrustLab.envelope(pointer, by: keys).encode()
    }

    /// The messages about a proposal for the second signer.
    private func judge(
        _ file: [UInt8], _ root: SignedRoot, knowsLive: Bool = true, allowsMove: Bool = false
    ) async throws -> [String] {
        let rules = try ProposalRules(file, path: "next.json")
        let base =
            knowsLive
            ? try await ProposalBase.read(for: rules.proposal, at: play.store(), root: root) : nil
        try rules.checkTime(now: Self.later, clock: Self.later)
        try rules.check(root: root.root)
        try rules.check(after: base, root: root.root, allowsMove: allowsMove)
        return (base?.live).map { rules.changes(from: $0) } ?? []
    }

    private func refusal(
        _ file: [UInt8], _ root: SignedRoot, knowsLive: Bool = true
    ) async -> String {
        do {
            return "signed: \(try await judge(file, root, knowsLive: knowsLive))"
        } catch {
            return "\(errorCode(error) ?? ""): \(error)"
        }
    }

    typealias Edit = @Sendable (inout Pointer) throws -> Void

    /// Proposals that must not be signed, their messages, and whether they are detected without the
    /// live pointer.
    static let refused: [(name: String, says: String, isAlone: Bool, edit: Edit)] = [
        ("highest sequence", "the next one is 2", true, { $0.sequence = Pointer.sequenceLimit }),
        ("far sequence", "the next one is 2", true, { $0.sequence = 900_000 }),
        ("skipped sequence", "the next one is 2", false, { $0.sequence = 3 }),
        (
            "another pointer before", "proposal.overtaken", false,
            { ($0.sequence, $0.previous) = (8, 7) }
        ),
        (
            "made in the future", "proposal.clock-behind", true,
            { $0.createdAt = Self.later.adding(days: 1) }
        ),
        ("old", "proposal.too-old", true, { $0.createdAt = Self.later.adding(days: -30) }),
        (
            "before the live one", "before the live pointer", false,
            { $0.createdAt = Playground.now.adding(days: -1) }
        ),
        ("expired", "proposal.expired", true, { $0.expires = Self.later }),
        (
            "lasts for ever", "at most 3,650 days", true,
            { $0.expires = Self.later.adding(days: 4000) }
        ),
        ("escape", "'label'", true, { $0.label = "2.0\u{1B}[2K" }),
        ("two lines", "'label'", true, { $0.label = "2.0\n  packageHash 00" }),
        ("right to left", "'by'", true, { $0.by = "\u{202E}anna" }),
        ("salt", "'rolloutSalt'", true, { $0.entry.rolloutSalt = "a\u{7}" }),
        ("empty label", "'label'", true, { $0.label = "" }),
        (
            "long label", "'label'", true,
            { $0.label = String(repeating: "a", count: Pointer.labelLimit + 1) }
        ),
        ("a fallback's label", "'label'", true, { try offerOther(&$0) { $0.label = "\u{7}" } }),
        ("another app", "it is of app 'bank'", false, { $0.app = try AppName("bank") }),
        ("not proposed", "proposal.invalid", true, { $0.isProposed = false }),
        ("mandatory since never", "no mandatory sequence", true, { $0.isMandatory = true }),
        (
            "package elsewhere", "proposal.invalid", true,
            { $0.package = elsewhere($0.package) }
        ),
        (
            "all files elsewhere", "proposal.identity-changed", false,
            { ($0.package, $0.info) = (elsewhere($0.package), elsewhere($0.info)) }
        ),
        (
            "a fallback elsewhere", "proposal.identity-changed", false,
            {
                try offerOther(&$0) {
                    ($0.package, $0.info) = (elsewhere($0.package), elsewhere($0.info))
                }
            }
        ),
        ("no renewal", "its operation is 'renew'", false, { $0.operation = .renew }),
    ]

    /// Offers the release to 1 % of the devices, and the entry changed by `edit` to the others.
    private static func offerOther(
        _ pointer: inout Pointer, _ edit: (inout Pointer.Entry) throws -> Void
    ) throws {
        pointer.rollout = 1
        var entry = pointer.entry
        entry.rollout = 100
        try edit(&entry)
        pointer.fallbacks = [entry]
    }

    private static func elsewhere(_ reference: ContentReference) -> ContentReference {
        ContentReference(
            url: reference.url.replacing("cdn.example.com", with: "evil.example"),
            sha256: reference.sha256, size: reference.size)
    }

    @Test("a second signer signed what ended the channel, or sent devices elsewhere")
    func refusals() async throws {
        let (root, pointer) = try await proposal()
        #expect(try await refusal(forged(pointer), root).hasPrefix("signed: "))
        for (name, says, isAlone, edit) in Self.refused {
            let file = try forged(pointer, edit)
            let said = await refusal(file, root)
            #expect(!said.hasPrefix("signed") && said.contains(says), "\(name): \(said)")
            let alone = await refusal(file, root, knowsLive: false)
            #expect(alone.hasPrefix("signed") != isAlone, "\(name): \(alone)")
        }
        let move = try forged(pointer) {
            ($0.package, $0.info) = (Self.elsewhere($0.package), Self.elsewhere($0.info))
        }
        let changes = try await judge(move, root, allowsMove: true)
        #expect(changes.contains { $0.contains("fetch from https://evil.example/shop instead of") })
    }

    @Test func aMemberThatIsUnknown() async throws {
        let (root, pointer) = try await proposal()
        let payload = String(decoding: PointerCoding.encode(pointer), as: UTF8.self)
        for (old, new, name) in [
            ("{\n", "{\n  \"evil\": [1],\n", "'evil'"),
            ("\"tree\": {", "\"tree\": {\"x\": 1, ", "'tree.x'"),
            ("\"operation\": \"publish\"", "\"operation\": \"sabotage\"", "'operation'"),
        ] {
            let edited = payload.replacing(old, with: new, maxReplacements: 1)
            #expect(edited != payload, "\(old)")
            let file = try TrustLab.envelope(Envelope.pointerType, Array(edited.utf8), by: [7])
                .encode()
            let said = await refusal(file, root)
            #expect(said.hasPrefix("proposal.refused") && said.contains(name), "\(said)")
        }
    }

    /// Possibly intended changes are described in a sentence.
    static let shown: [(says: String, edit: Edit)] = [
        ("every app loads the https pages", { $0.bypasses = true }),
        ("pauses the channel", { $0.isEnabled = false }),
        ("is valid for ever; the live pointer for 30 days", { $0.expires = nil }),
        ("to 1 % of the devices instead of 100 %", { $0.rollout = 1 }),
        (
            "app versions from 999999999 on instead of all app versions",
            { $0.native = NativeRanges(NativeRange(lowest: try NativeVersion("999999999"))) }
        ),
        (
            """
            iOS versions up to 3, Android versions from 104 on and versions of apps that name no platform from \
            999999999.999999999.999999999.999999999 on instead of all app versions
            """,
            {
                $0.native = NativeRanges(
                    ios: NativeRange(highest: try NativeVersion("3")),
                    android: NativeRange(lowest: try NativeVersion("104")))
            }
        ),
        ("by the salt 'xx' instead of none", { $0.entry.rolloutSalt = "xx" }),
        ("author (not verified): 'anna approved'", { $0.by = "anna approved" }),
        ("is mandatory", { ($0.isMandatory, $0.mandatorySequence) = (true, 2) }),
        ("on; before: none", { $0.mandatorySequence = 2 }),
        ("offers 'other' (", { $0.label = "other" }),
        (
            "offers other devices 'else' (",
            { try offerOther(&$0) { $0.label = "else" } }
        ),
    ]

    @Test func everythingElseIsSaid() async throws {
        let (root, pointer) = try await proposal()
        let usual = try await judge(forged(pointer), root)
        #expect(usual.count == 2 && usual[0] == "sequence 2; the live pointer has 1", "\(usual)")
        for (says, edit) in Self.shown {
            let changes = try await judge(forged(pointer, edit), root)
            #expect(changes.contains { $0.contains(says) }, "\(says): \(changes)")
        }
    }

    @Test("publish --pointer goes by the same rules")
    func theCommitterRefuses() async throws {
        let (_, pointer) = try await proposal()
        for name in ["lasts for ever", "escape", "all files elsewhere", "no renewal"] {
            let test = try #require(Self.refused.first { $0.name == name })
            let request = ProposalRequest(
                file: try forged(pointer, by: [7, 8], test.edit), path: "next.json",
                now: Self.later, jobs: 2)
            let error = await #expect(throws: Failure.self, "\(name)") {
                try await ProposalPublisher.run(request, on: play.writable)
            }
            #expect(
                error?.code == .proposalRefused || error?.code == .proposalIdentityChanged,
                "\(name)")
        }
        let good = ProposalRequest(
            file: try forged(pointer, by: [7, 8]), path: "next.json", now: Self.later, jobs: 2)
        #expect(try await ProposalPublisher.run(good, on: play.writable).outcome == .changed)
    }

    @Test func theLivePointerHasToBeTheOwners() async throws {
        let (root, pointer) = try await proposal()
        let file = try forged(pointer)
        let proposal = try PointerProposal(file)
        let saved = try play.read("origin/channels/production/pointer.json")
        let base = try ProposalBase.read(saved, path: "saved", for: proposal, root: root)
        #expect(base.live?.pointer.sequence == 1 && base.notes.count == 1)
        let rules = try ProposalRules(file, path: "next.json")
        #expect(throws: Never.self) {
            try rules.check(after: base, root: root.root, allowsMove: false)
        }
        var forgery = try await play.pointer()
        forgery.root = nil
        let unsigned = try TrustLab.envelope(forgery, by: []).encode()
        expectFailure(of: "trust") {
            try ProposalBase.read(unsigned, path: "saved", for: proposal, root: root)
        }
        let byOthers = try await TrustLab.envelope(play.pointer(), by: [9]).encode()
        expectFailure(of: "trust") {
            try ProposalBase.read(byOthers, path: "saved", for: proposal, root: root)
        }
        for path in ["pointer.json", "log/1.json"] {
            try play.write("origin/channels/production/\(path)", unsigned)
        }
        let said = await refusal(file, root)
        #expect(said.hasPrefix("trust.refused-by-root"), "\(said)")
    }

    /// A root that is newer than the live pointer.
    @Test func aRootOfALaterEpoch() async throws {
        let (_, pointer) = try await proposal()
        let rules = try ProposalRules(forged(pointer), path: "next.json")
        for (root, says) in [
            (try TrustLab.root(2, keys: [1], floors: ["production": 3]), "none below 3"),
            (
                try TrustLab.root(2, keys: [1], created: Self.later.adding(days: 40)),
                "before root 2 was made"
            ),
        ] {
            let error = #expect(throws: Failure.self) { try rules.check(root: root) }
            #expect(error?.description.contains(says) == true, "\(String(describing: error))")
        }
        // The key of the live pointer is no longer trusted, so there is no comparison with it.
        let file = try TrustLab.file(TrustLab.root(2, keys: [1], release: [7], epoch: 2), by: [1])
        try play.write("origin/root/2.json", file)
        let base = try await ProposalBase.read(
            for: rules.proposal, at: play.store(), root: SignedRoot(file, path: "root"))
        #expect(base.live == nil)
        #expect(base.notes.contains { $0.contains("before epoch 2 began") }, "\(base.notes)")
    }

    /// A killed run has used number 2.
    @Test func aNumberThatIsTaken() async throws {
        let (root, pointer) = try await proposal()
        let other = try forged(pointer) { $0.label = "3.0" }
        try play.write(Playground.entry(2), other)
        #expect(try await refusal(forged(pointer), root).hasPrefix("proposal.overtaken"))
        let next = try forged(pointer) { $0.sequence = 3 }
        #expect(await refusal(next, root).hasPrefix("signed"))
        // The same proposal, recorded by a commit that was killed.
        #expect(await refusal(other, root).hasPrefix("signed"))
    }
}
