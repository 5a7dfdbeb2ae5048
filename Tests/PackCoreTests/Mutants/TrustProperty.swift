import Foundation
import PackGround
import PackKeys
import PackOrigin
import PackSigning
import PackTrust
import TestSupport

/// The properties of any root, signed pointer, key file and answer.
///
/// Violations are returned as sentences.
struct TrustProperty: Sendable {
    /// Verifies a key's signature of a message.
    typealias Verifier =
        @Sendable (_ key: PublicKey, _ signature: [UInt8], _ message: [UInt8]) -> Bool

    let first: SignedRoot
    let request: SignRequest
    let verify: Verifier

    init(verify: @escaping Verifier) throws {
        first = try MutatedTrust.firstRoot()
        request = try MutatedTrust.request()
        self.verify = verify
    }

    /// Counts the keys of a role that signed an envelope, independently of the tested code.
    func count(_ envelope: Envelope, _ role: TrustRoot.Role?, _ root: TrustRoot) -> Int {
        let (type, payload) = (envelope.payloadType, envelope.payload)
        let message =
            Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
        return Set(role?.keys ?? []).count { id in
            guard let key = root.keys.first(where: { $0.keyID == id })?.publicKey else {
                return false
            }
            return envelope.signatures.contains {
                $0.keyID == id.description && verify(key, $0.bytes, message)
            }
        }
    }

    func isSigned(
        _ envelope: Envelope, _ role: TrustRoot.Role?, _ root: TrustRoot
    ) -> Bool {
        guard let role else { return false }
        return count(envelope, role, root) >= role.threshold
    }

    private func isSelfSigned(_ proposal: RootProposal) -> Bool {
        isSigned(proposal.envelope, proposal.root.role("root"), proposal.root)
    }

    // MARK: Roots

    /// - Parameter isRead: Whether the bytes were accepted as the successor of the first root.
    func root(_ bytes: [UInt8], isRead: inout Bool) -> String? {
        isRead = false
        guard bytes.count <= TrustRoot.sizeLimit else {
            return (try? SignedRoot(bytes, path: "x")) == nil ? nil : "a root of any size is read"
        }
        let proposal = try? RootProposal(bytes, path: "x")
        do {
            let root = try SignedRoot(bytes, path: "x")
            guard let proposal, isSelfSigned(proposal) else { return "an unsigned root is read" }
            guard root.root == proposal.root, root.envelope == proposal.envelope,
                root.bytes == bytes
            else { return "a root says something else when it is signed" }
            if let problem = problem(of: root.root) ?? problem(of: root.envelope) { return problem }
        } catch {
            if let problem = problem(of: error, proposal, first: nil) { return problem }
        }
        do {
            let next = try first.next(bytes, path: "x")
            isRead = true
            guard let proposal, isSelfSigned(proposal),
                isSigned(proposal.envelope, first.root.role("root"), first.root)
            else { return "a root that both did not sign follows the first one" }
            guard next.root.version == first.root.version + 1, next.root.app == first.root.app,
                next.root.epoch >= first.root.epoch, next.root == proposal.root
            else { return "a root of another app, version or epoch follows the first one" }
        } catch {
            return problem(of: error, proposal, first: first)
        }
        return nil
    }

    /// Checks the reason for which a root was rejected.
    private func problem(
        of error: Failure, _ proposal: RootProposal?, first: SignedRoot?
    ) -> String? {
        switch error.code {
        case .trustInvalidRoot: return proposal == nil ? nil : "a valid root is refused: \(error)"
        case .trustBadSignature:
            let valid = Int(error["valid"]) ?? 0
            let threshold = Int(error["threshold"]) ?? 0
            guard let proposal else {
                // The first root's keys signed no such payload.
                return valid < threshold ? nil : "enough signatures are too few"
            }
            var counts = [count(proposal.envelope, proposal.root.role("root"), proposal.root)]
            if let first {
                counts.append(count(proposal.envelope, first.root.role("root"), first.root))
            }
            return valid < threshold && counts.contains(valid)
                ? nil : "a root with \(counts) signatures is refused: \(error)"
        case .trustRootCannotFollow:
            guard let first, let next = proposal?.root else { return "unexpected: \(error)" }
            return next.version != 2 || next.app != first.root.app || next.epoch < 1
                ? nil : "a root that can follow is refused: \(error)"
        default: return "unexpected: \(error)"
        }
    }

    func problem(of envelope: Envelope) -> String? {
        let again = try? Envelope(
            decoding: envelope.encode(), payloadType: envelope.payloadType)
        return again == envelope ? nil : "an envelope is another one when it is written and read"
    }

    /// Checks the rules for roots, whatever the signatures.
    private func problem(of root: TrustRoot) -> String? {
        guard (try? TrustRootCoding.decode(TrustRootCoding.encode(root))) == root,
            (try? RootProposal(root))?.root == root
        else { return "a root is another one when it is written and read" }
        guard let own = root.role("root"), root.createdAt < root.expires else {
            return "a root has no role 'root', or no time"
        }
        for role in root.roles {
            guard role.threshold >= 1, role.threshold <= role.keys.count,
                Set(role.keys).count == role.keys.count,
                role.keys.allSatisfy({ root.key($0) != nil })
            else { return "a role has other keys or another threshold than it can have" }
        }
        for key in root.keys {
            let isKnown = PublicKey.Algorithm(rawValue: key.algorithm) != nil
            guard key.keyID == StreamHasher.digest(of: key.spki),
                (key.publicKey != nil) == isKnown, key.publicKey?.spki ?? key.spki == key.spki
            else { return "a key has another hash or algorithm" }
            if let problem = key.publicKey.flatMap(problem) { return problem }
        }
        guard Set(root.keys.map(\.keyID)).count == root.keys.count,
            Set(root.roles.map(\.name)).count == root.roles.count,
            Set(root.floors.map(\.channel)).count == root.floors.count
        else { return "a key, role or floor appears twice" }
        let edit = RootEdit(createdAt: root.createdAt, expires: root.expires)
        guard let next = try? edit.root(after: root, app: root.app), next.role("root") == own,
            (try? next.checkFollows(root, "x")) != nil
        else { return "no root can follow" }
        return nil
    }

    func problem(of key: PublicKey) -> String? {
        guard PublicKey(spki: key.spki) == key, (try? PublicKey(pem: key.pem, path: "x")) == key
        else { return "a public key is another one when it is written and read" }
        guard key.algorithm == .ed25519 else { return nil }
        // In little-endian order: 0, 1, and values from 2^255 - 20 upwards.
        var y = key.raw
        y[31] &= 0x7F
        let isSmall = y[0] < 2 && y[1...].allSatisfy { $0 == 0 }
        let isLarge = y[0] >= 0xEC && y[31] == 0x7F && y[1..<31].allSatisfy { $0 == 0xFF }
        return isSmall || isLarge ? "anybody can sign for an accepted key" : nil
    }
}
