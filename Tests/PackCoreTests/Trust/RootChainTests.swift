import Foundation
import PackOrigin
import PackRelease
import PackTrust
import TestSupport
import Testing

/// Chains of roots, with the result expected from their construction.
struct RootChainTests {
    /// A chain: its files from version 1, and the version that a client reaches from root 1.
    private struct Chain {
        var files: [[UInt8]] = []
        /// `nil` if the walk ends with a refusal.
        var reached: Int? = 1
    }

    private enum Flaw: CaseIterable {
        case none, oldThreshold, newThreshold, gap, otherApp, lowerEpoch, twin, expiredMiddle,
            hidden
    }

    private func chain(_ seed: UInt64, _ flaw: Flaw) throws -> Chain {
        var dice = Dice(seed)
        let length = Int.random(in: 1...40, using: &dice)
        let flawed = length == 1 ? 0 : Int.random(in: 2...length, using: &dice)
        var chain = Chain()
        var previous: (keys: [Int], threshold: Int)?
        var isOpen = true
        var epoch = 1
        for version in 1...length {
            // Keys are added and removed at each step.
            let count = Int.random(in: 1...5, using: &dice)
            let threshold = Int.random(in: 1...count, using: &dice)
            let keys = Array(Array(0..<12).shuffled(using: &dice).prefix(count))
            if Int.random(in: 0..<6, using: &dice) == 0 { epoch += 1 }
            let isFlawed = version == flawed
            let root = try TrustLab.root(
                isFlawed && flaw == .gap ? version + 1 : version, keys: keys, threshold: threshold,
                release: [20], epoch: isFlawed && flaw == .lowerEpoch ? max(1, epoch - 1) : epoch,
                app: isFlawed && flaw == .otherApp ? "other" : "shop",
                created: isFlawed && flaw == .expiredMiddle ? Timestamp(seconds: 0) : TrustLab.now)
            let own = Array(keys.shuffled(using: &dice).prefix(threshold))
            let old =
                previous.map { Array($0.keys.shuffled(using: &dice).prefix($0.threshold)) } ?? []
            var signers = Set(own + old)
            var isBroken = false
            if isFlawed, let previous {
                switch flaw {
                case .oldThreshold:
                    // One signature of the old root is missing.
                    let kept = Set(previous.keys.prefix(previous.threshold - 1))
                    signers = kept.union(Set(keys).subtracting(previous.keys))
                    isBroken = true
                case .newThreshold:
                    let kept = Set(keys.prefix(threshold - 1))
                    signers = kept.union(Set(previous.keys).subtracting(keys))
                    isBroken = true
                case .gap, .otherApp: isBroken = true
                case .lowerEpoch: isBroken = epoch > 1 && lastEpoch(chain) > max(1, epoch - 1)
                default: break
                }
            }
            if isFlawed, flaw == .hidden { isOpen = false }
            chain.files.append(
                isOpen ? try TrustLab.file(root, by: signers.sorted()) : [])
            if isBroken {
                chain.reached = nil
                return chain
            }
            if isOpen { chain.reached = version }
            previous = (keys, threshold)
        }
        return chain
    }

    private func lastEpoch(_ chain: Chain) -> Int {
        chain.files.last.flatMap { try? RootProposal($0, path: "r").root.epoch } ?? 1
    }

    @Test func chains() throws {
        var refused = 0
        let count = Soak.isLong ? 600 : 60
        for seed in 0..<count {
            let flaw = Flaw.allCases[seed % Flaw.allCases.count]
            let chain = try chain(UInt64(seed), flaw)
            let pin = try SignedRoot(chain.files[0], path: "pin")
            var stored = pin
            var result: Int?
            // More than 32 steps need a second run.
            for _ in 0..<2 {
                result = try walk(chain.files, from: &stored, pin)
                if result == nil { break }
            }
            if result == nil { refused += 1 }
            #expect(result == chain.reached, "chain \(seed) of \(chain.files.count), \(flaw)")
        }
        #expect(refused > count / 6)
    }

    /// One run of a client; `nil` if it refuses a root.
    private func walk(
        _ files: [[UInt8]], from stored: inout SignedRoot, _ pin: SignedRoot
    ) throws -> Int? {
        var session = try #require(
            try TrustSession(
                pinned: pin, stored: stored, clock: TrustLab.now, channel: .production, seen: nil,
                checkedAt: nil))
        let pointer = try TrustLab.envelope("t", [], by: [])
        var steps = 0
        while !session.didRefreshRoots {
            guard case .fetchRoot(let version)? = try? session.step(pointer, path: "p") else {
                Issue.record("the walk did not begin")
                return nil
            }
            let file = version <= files.count ? files[version - 1] : []
            do {
                if try session.follow(file.isEmpty ? nil : file, path: "r") {
                    stored = session.root
                }
            } catch {
                return nil
            }
            steps += 1
            #expect(steps <= TrustRoot.stepLimit + 1)
        }
        return session.root.root.version
    }

    @Test func twoRootsOfOneVersion() throws {
        let one = try TrustLab.signed(TrustLab.root(2, keys: [1]), by: [1])
        let other = try TrustLab.signed(TrustLab.root(2, keys: [1], days: 300), by: [1])
        expectFailure(of: "trust") {
            try TrustSession(
                pinned: one, stored: other, clock: TrustLab.now, channel: .production, seen: nil,
                checkedAt: nil)
        }
    }
}
