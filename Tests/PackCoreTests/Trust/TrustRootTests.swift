import PackGround
import PackKeys
import PackOrigin
import PackRelease
import PackTrust
import TestSupport
import Testing

struct TrustRootTests {
    @Test("a root that seventeen keys had signed could not be read any more")
    func manyKeysSign() throws {
        let keys = Array(100..<132)
        let root = try TrustLab.root(1, keys: keys, threshold: 32, release: [100])
        let signed = try TrustLab.signed(root, by: keys)
        var proposal = try RootProposal(
            try TrustLab.root(2, keys: Array(132..<164), threshold: 32, release: [132]))
        let message = Envelope.signedBytes(
            payloadType: TrustRoot.payloadType, payload: proposal.envelope.payload)
        for number in keys + Array(132..<164) {
            let key = try TrustLab.key(number)
            proposal.add([
                .init(keyID: key.publicKey.keyID.description, bytes: try key.sign(message))
            ])
            proposal = try RootProposal(proposal.bytes, path: "2.json")
        }
        #expect(try signed.next(proposal.bytes, path: "2.json").root.version == 2)
    }

    @Test func roundTrip() throws {
        let root = try TrustLab.root(
            3, keys: [0, 1, 2], threshold: 2, release: [3, 5], releaseThreshold: 2, epoch: 2,
            floors: ["beta": 7, "production": 418])
        #expect(try TrustRootCoding.decode(TrustRootCoding.encode(root)) == root)
        #expect(root.floor(.production) == 418)
        #expect(root.floor(try Channel("other")) == 0)
    }

    @Test func theRoleOfAChannelReplacesTheCommonOne() throws {
        let own = TrustRoot.Role(
            name: "release:production", keys: [try TrustLab.id(1)], threshold: 1)
        let root = try TrustLab.root(1, keys: [1], release: [2], roles: [own])
        #expect(root.signers(of: .production) == own)
        #expect(root.signers(of: try Channel("beta"))?.name == "release")
    }

    // MARK: Refusals

    private static let good = """
        {"schema": 1, "app": "shop", "version": 1, "epoch": 1, "createdAt": "2026-11-21T08:00:00Z",
         "expires": "2028-11-20T08:00:00Z",
         "keys": {"a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5":
           {"algorithm": "ed25519", "public": "MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="}},
         "roles": {"root": {"keys": ["a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5"], "threshold": 1}}}
        """

    static let refusals: [(String, String)] = [
        ("\"schema\": 1", "\"schema\": 2"), ("\"schema\": 1", "\"schema\": 1, \"schema\": 1"),
        ("\"shop\"", "\"sh op\""), ("\"version\": 1", "\"version\": 0"),
        ("\"version\": 1", "\"version\": 1.0"), ("\"epoch\": 1", "\"epoch\": 0"),
        ("\"epoch\": 1,", ""), ("2028-11-20T08:00:00Z", "2026-11-21T08:00:00Z"),
        ("2028-11-20T08:00:00Z", "2031-11-23T08:00:00Z"),
        ("2028-11-20T08:00:00Z", "2028-11-20"), ("\"threshold\": 1", "\"threshold\": 0"),
        ("\"threshold\": 1", "\"threshold\": 2"), ("\"root\": {", "\"other\": {"),
        ("\"ed25519\"", "\"ecdsa-p256-sha256\""), ("MCowBQYDK2Vw", "MCowBQYDK2Vu"),
        ("VMbg=", "VMbh="),
        (
            "a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5\"]",
            "b050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5\"]"
        ),
        (
            "[\"a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5\"]",
            "[\"a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5\", \"a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5\"]"
        ),
        ("\"keys\": {\"a050", "\"keys\": {\"A050"),
        ("\"schema\": 1", "\"schema\": 1, \"floors\": {\"production\": 0}"),
        ("\"schema\": 1", "\"schema\": 1, \"floors\": {\"Not a channel\": 1}"),
        ("\"schema\": 1", "\"schema\": 1, \"floors\": []"),
    ]

    @Test(arguments: refusals) func refuses(_ part: String, _ other: String) throws {
        _ = try TrustRootCoding.decode(Array(Self.good.utf8))
        let text = Self.good.replacing(part, with: other)
        #expect(text != Self.good)
        #expect(throws: (any Error).self) { try TrustRootCoding.decode(Array(text.utf8)) }
    }

    static let kept: [(String, String)] = [
        ("\"schema\": 1", "\"schema\": 1, \"later\": {\"x\": []}"),
        ("\"ed25519\"", "\"ml-dsa-65\""), ("\"ed25519\"", "\"ed25519\", \"hint\": 1"),
        (
            "\"roles\": {",
            "\"roles\": {\"timestamp\": {\"keys\": [\"a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5\"], \"threshold\": 1}, "
        ),
        ("2028-11-20T08:00:00Z", "2031-11-22T08:00:00Z"),
    ]

    @Test(arguments: kept) func ignoresWhatItDoesNotKnow(_ part: String, _ other: String) throws {
        let text = Self.good.replacing(part, with: other)
        #expect(text != Self.good)
        _ = try TrustRootCoding.decode(Array(text.utf8))
    }

    // MARK: Signatures

    /// A key counts once, regardless of its number of valid signatures.
    @Test func aKeyCountsOnce() throws {
        let root = try TrustLab.root(1, keys: [0, 1, 2], threshold: 2)
        expectFailure(of: "trust") { try TrustLab.signed(root, by: [0, 0, 0]) }
        _ = try TrustLab.signed(root, by: [0, 0, 2])
    }

    @Test func signaturesOfOthersDoNotCount() throws {
        let root = try TrustLab.root(1, keys: [0, 1], threshold: 2, release: [3])
        expectFailure(of: "trust") { try TrustLab.signed(root, by: [0, 3]) }
        expectFailure(of: "trust") { try TrustLab.signed(root, by: [0, 4]) }
        // They do no harm with enough valid ones.
        _ = try TrustLab.signed(root, by: [4, 3, 1, 0])
    }

    @Test func aSignatureCountsForTheKeyThatItNames() throws {
        let root = try TrustLab.root(1, keys: [1, 2], threshold: 2)
        let envelope = try TrustLab.envelope(
            TrustRoot.payloadType, TrustRootCoding.encode(root), by: [1, 2])
        let swapped = Envelope(
            payloadType: envelope.payloadType, payload: envelope.payload,
            signatures: [
                .init(keyID: envelope.signatures[1].keyID, bytes: envelope.signatures[0].bytes),
                .init(keyID: envelope.signatures[0].keyID, bytes: envelope.signatures[1].bytes),
            ])
        expectFailure(of: "trust") { try SignedRoot(swapped.encode(), path: "r") }
    }

    @Test func aPointerIsNoRoot() throws {
        let root = try TrustLab.root(1, keys: [1])
        let envelope = try TrustLab.envelope(
            Envelope.pointerType, TrustRootCoding.encode(root), by: [1])
        expectFailure(of: "trust") { try SignedRoot(envelope.encode(), path: "r") }
        let renamed = Envelope(
            payloadType: TrustRoot.payloadType, payload: envelope.payload,
            signatures: envelope.signatures)
        expectFailure(of: "trust") { try SignedRoot(renamed.encode(), path: "r") }
    }

    /// Every bit of a small root's file: an error, or the same root.
    @Test func everyBit() throws {
        let file = try TrustLab.file(TrustLab.root(1, keys: [1, 2], threshold: 2), by: [1, 2])
        let root = try SignedRoot(file, path: "r").root
        for index in file.indices {
            for bit in Soak.sample(0..<8, 1) {
                var damaged = file
                damaged[index] ^= 1 << UInt8(bit)
                guard let read = try? SignedRoot(damaged, path: "r") else { continue }
                #expect(read.root == root)
            }
        }
    }

    // MARK: Edits

    @Test func editing() throws {
        var first = RootEdit(createdAt: TrustLab.now, expires: TrustLab.now.adding(days: 730))
        first.keys = [
            ("anna", try TrustLab.key(1).publicKey), ("ben", try TrustLab.key(2).publicKey),
        ]
        first.roles = [("root", ["anna"], 1), ("release", ["ben"], 1)]
        let one = try first.root(after: nil, app: AppName("shop"))
        #expect(one.version == 1 && one.epoch == 1)
        var second = RootEdit(createdAt: TrustLab.now, expires: TrustLab.now.adding(days: 730))
        second.keys = [("carl", try TrustLab.key(3).publicKey)]
        second.removed = ["ben"]
        second.roles = [("release", ["carl"], 1)]
        second.isNewEpoch = true
        second.floors = [.init(channel: .production, sequence: 419)]
        let two = try second.root(after: one, app: AppName("shop"))
        #expect(two.version == 2 && two.epoch == 2)
        #expect(two.keys.map(\.name) == ["anna", "carl"])
        #expect(two.signers(of: .production)?.keys == [try TrustLab.id(3)])
        #expect(two.floor(.production) == 419)
        second.roles = []
        #expect(throws: Failure.rootTooFewKeys(role: "release", keys: 0, threshold: 1)) {
            try second.root(after: one, app: AppName("shop"))
        }
        second.roles = [("release", [], 1)]
        #expect(try second.root(after: one, app: AppName("shop")).roles.map(\.name) == ["root"])
        second.roles = [("admin", ["carl"], 1)]
        #expect(throws: Failure.rootBadRole(name: "admin")) {
            try second.root(after: one, app: AppName("shop"))
        }
        second.roles = []
        second.removed = ["nobody"]
        #expect(throws: Failure.rootNoSuchKey(name: "nobody")) {
            try second.root(after: one, app: AppName("shop"))
        }
        second.removed = []
        second.keys = []
        second.floors = [.init(channel: .production, sequence: 418)]
        #expect(throws: Failure.rootLowerFloor(channel: "production", from: 419, to: 418)) {
            try second.root(after: two, app: AppName("shop"))
        }
    }
}
