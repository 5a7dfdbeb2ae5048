import PackGround
import PackOrigin
import PackRelease
import PackTrust
import TestSupport
import Testing

/// The order of a client's checks: each refusal with a valid counterpart.
struct TrustSessionTests {
    /// A client and an origin with their state.
    private struct Scene {
        var roots: [Int: [UInt8]] = [:]
        var pin: SignedRoot
        var stored: SignedRoot?
        var clock = TrustLab.now
        var seen: TrustSession.Seen?
        var checkedAt: Timestamp? = TrustLab.now
        var pointer: Pointer
        var signers = [100]
        var fetched: [Int] = []

        init() throws {
            pin = try TrustLab.signed(TrustLab.root(1, keys: [1]), by: [1])
            pointer = try Sample.pointer()
            pointer.root = 1
            pointer.previous = nil
            pointer.expires = TrustLab.now.adding(days: 30)
        }

        /// Publishes the next root.
        mutating func rotate(_ root: TrustRoot, by signers: [Int]) throws {
            roots[root.version] = try TrustLab.file(root, by: signers)
        }

        mutating func run() throws -> Pointer {
            guard
                var session = try TrustSession(
                    pinned: pin, stored: stored, clock: clock, channel: .production, seen: seen,
                    checkedAt: checkedAt)
            else { throw Failure.trustNoRoot(path: "") }
            let envelope = try TrustLab.envelope(pointer, by: signers)
            fetched = []
            while true {
                switch try session.step(envelope, path: "p") {
                case .fetchRoot(let version):
                    fetched.append(version)
                    _ = try session.follow(roots[version], path: "root/\(version).json")
                case .accepted(let pointer, let hash):
                    #expect(hash == StreamHasher.digest(of: envelope.payload))
                    return pointer
                }
            }
        }
    }

    private let day = 86_400

    @Test func accepts() throws {
        var scene = try Scene()
        #expect(try scene.run() == scene.pointer)
        #expect(scene.fetched.isEmpty, "nothing but the pointer is fetched")
    }

    /// Every bit of a pointer's file: an accepted change is equivalent.
    @Test func everyBitOfAPointer() throws {
        let scene = try Scene()
        let envelope = try TrustLab.envelope(scene.pointer, by: scene.signers)
        // Without the digest, which would show every change of the payload first.
        let text = String(decoding: envelope.encode(), as: UTF8.self)
        let whole = Array(text.replacing(/"digest": "[0-9a-f]+",/, with: "").utf8)
        let payloadHash = StreamHasher.digest(of: envelope.payload)
        var (read, accepted) = (0, 0)
        for bit in 0..<(whole.count * 8) {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            guard
                let changed = try? Envelope(decoding: bytes, payloadType: Envelope.pointerType),
                var session = try TrustSession(
                    pinned: scene.pin, stored: nil, clock: scene.clock, channel: .production,
                    seen: nil, checkedAt: nil)
            else { continue }
            read += 1
            while let step = try? session.step(changed, path: "p") {
                switch step {
                case .fetchRoot: _ = try session.follow(nil, path: "root")
                case .accepted(let pointer, let hash):
                    #expect(pointer == scene.pointer && hash == payloadHash, "bit \(bit)")
                    accepted += 1
                }
                if case .accepted = step { break }
            }
        }
        // Most flips still give an envelope, so its signature decides.
        #expect(read > whole.count * 2)
        #expect(accepted < 20, "\(accepted) of \(read)")
    }

    @Test func asksForANewRootOnceADay() throws {
        var scene = try Scene()
        scene.checkedAt = nil
        _ = try scene.run()
        #expect(scene.fetched == [2])
        scene.checkedAt = Timestamp(seconds: TrustLab.now.seconds - day + 1)
        _ = try scene.run()
        #expect(scene.fetched.isEmpty)
        scene.checkedAt = Timestamp(seconds: TrustLab.now.seconds - day)
        _ = try scene.run()
        #expect(scene.fetched == [2])
        // The clock was set back.
        scene.checkedAt = Timestamp(seconds: TrustLab.now.seconds + 1)
        _ = try scene.run()
        #expect(scene.fetched == [2])
    }

    @Test func signatures() throws {
        var scene = try Scene()
        scene.signers = []
        #expect(throws: Failure.trustUnsigned(path: "p")) { try scene.run() }
        scene.signers = [7]
        expectFailure(of: "trust") { try scene.run() }
        // The root's key only signs roots.
        scene.signers = [1]
        expectFailure(of: "trust") { try scene.run() }
        scene.signers = [7, 1, 100]
        _ = try scene.run()
    }

    @Test func aRotationIsFollowed() throws {
        var scene = try Scene()
        try scene.rotate(TrustLab.root(2, keys: [1], release: [7]), by: [1])
        scene.signers = [7]
        scene.pointer.root = 2
        _ = try scene.run()
        #expect(scene.fetched == [2], "the pointer names it, so nobody asks for another")
        // A root newer than the named one revokes the key within a day.
        try scene.rotate(TrustLab.root(3, keys: [1], release: [8]), by: [1])
        _ = try scene.run()
        scene.checkedAt = nil
        expectFailure(of: "trust") { try scene.run() }
        #expect(scene.fetched == [2, 3, 4])
        scene.roots[3] = nil
        _ = try scene.run()
        #expect(scene.fetched == [2, 3])
        // The old key is revoked as soon as the client has the new root.
        scene.signers = [100]
        expectFailure(of: "trust") { try scene.run() }
    }

    @Test func aPointerThatNamesAHiddenRoot() throws {
        var scene = try Scene()
        scene.pointer.root = 2
        #expect(throws: Failure.trustRootMissing(version: 2, newest: 1)) { try scene.run() }
        #expect(scene.fetched == [2])
        scene.pointer.root = nil
        _ = try scene.run()
        try scene.rotate(TrustLab.root(2, keys: [1]), by: [1])
        scene.pointer.root = 2
        _ = try scene.run()
    }

    @Test func expiredRoots() throws {
        var scene = try Scene()
        scene.clock = TrustLab.now.adding(days: 365)
        scene.checkedAt = scene.clock
        scene.pointer.expires = nil
        expectFailure(of: "trust") { try scene.run() }
        #expect(scene.fetched == [2], "the walk comes before the refusal")
        scene.clock = Timestamp(seconds: scene.clock.seconds - 1)
        scene.checkedAt = scene.clock
        _ = try scene.run()
        // Only the last root must be valid: keys of the expired one sign the next.
        scene.clock = TrustLab.now.adding(days: 500)
        try scene.rotate(
            TrustLab.root(2, keys: [1], created: TrustLab.now.adding(days: 1), days: 10), by: [1])
        try scene.rotate(
            TrustLab.root(3, keys: [1], created: TrustLab.now.adding(days: 400)), by: [1])
        _ = try scene.run()
        #expect(scene.fetched == [2, 3, 4], "the walk of the day goes on to the end")
        scene.checkedAt = scene.clock
        _ = try scene.run()
        #expect(scene.fetched == [2, 3, 4], "the pointer names an older root")
        scene.pointer.root = 3
        _ = try scene.run()
        #expect(scene.fetched == [2, 3])
        scene.pointer.root = 2
        _ = try scene.run()
        #expect(scene.fetched == [2, 3, 4], "root 2 has expired")
    }

    @Test func aClockThatWasSetBack() throws {
        var scene = try Scene()
        scene.clock = Timestamp(seconds: 0)
        scene.checkedAt = scene.clock
        scene.pointer.expires = TrustLab.now
        let error = #expect(throws: PointerRefusal.self) { try scene.run() }
        guard case .expired(TrustLab.now, let root?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(root.version == 1)
        scene.pointer.expires = Timestamp(seconds: TrustLab.now.seconds + 1)
        _ = try scene.run()
    }

    @Test func replays() throws {
        var scene = try Scene()
        scene.pointer.sequence = 10
        let hash = StreamHasher.digest(of: PointerCoding.encode(scene.pointer))
        scene.seen = .init(sequence: 11, payloadHash: nil, epoch: 1)
        #expect(throws: PointerRefusal.replayed(offered: 10, lowest: 11)) { try scene.run() }
        scene.seen = .init(sequence: 10, payloadHash: hash, epoch: 1)
        _ = try scene.run()
        scene.seen = .init(
            sequence: 10, payloadHash: StreamHasher.digest(of: []), epoch: 1)
        #expect(throws: PointerRefusal.splitView(sequence: 10)) { try scene.run() }
        // Sequence numbers of other epochs are ignored.
        scene.seen = .init(sequence: 11, payloadHash: nil, epoch: nil)
        _ = try scene.run()
        scene.seen = .init(
            sequence: 10, payloadHash: StreamHasher.digest(of: []), epoch: 2)
        _ = try scene.run()
    }

    @Test func aStolenKeyIsOvercome() throws {
        var scene = try Scene()
        scene.seen = .init(sequence: Pointer.sequenceLimit, payloadHash: nil, epoch: 1)
        try scene.rotate(
            TrustLab.root(
                2, keys: [1], release: [7], epoch: 2, floors: ["production": 50]), by: [1])
        scene.signers = [7]
        scene.pointer.root = 2
        scene.pointer.sequence = 49
        #expect(throws: PointerRefusal.replayed(offered: 49, lowest: 50)) { try scene.run() }
        scene.pointer.sequence = 50
        _ = try scene.run()
    }

    @Test func anotherAppOrChannel() throws {
        var scene = try Scene()
        scene.pointer.app = try AppName("other")
        expectFailure(of: "origin") { try scene.run() }
        scene = try Scene()
        scene.pointer.channel = try Channel("beta")
        expectFailure(of: "origin") { try scene.run() }
    }

    @Test func theHigherRootWins() throws {
        var scene = try Scene()
        // All keys were lost: the next app release contains an unrelated root with a higher
        // version.
        scene.stored = scene.pin
        scene.pin = try TrustLab.signed(TrustLab.root(9, keys: [2], release: [8]), by: [2])
        scene.signers = [8]
        _ = try scene.run()
        (scene.pin, scene.stored) = (try #require(scene.stored), scene.pin)
        _ = try scene.run()
    }

    @Test func aChannelWithoutSigners() throws {
        var scene = try Scene()
        var root = try TrustLab.root(1, keys: [1])
        root.roles.removeLast()
        scene.pin = try TrustLab.signed(root, by: [1])
        #expect(throws: Failure.trustNoRole(channel: "production", version: 1)) { try scene.run() }
    }
}
