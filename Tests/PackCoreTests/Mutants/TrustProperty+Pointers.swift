import PackGround
import PackOrigin
import PackRelease
import PackTrust
import TestSupport

extension TrustProperty {
    /// A client's run: the seen state, the available roots, and the pointer.
    ///
    /// - Parameter isRead: Whether the pointer was accepted.
    func pointer(
        _ bytes: [UInt8], roots: [[UInt8]], _ program: inout EditProgram, isRead: inout Bool
    ) -> String? {
        isRead = false
        guard
            let envelope = try? Envelope(decoding: bytes, payloadType: Envelope.pointerType)
        else { return nil }
        if let problem = problem(of: envelope) { return problem }
        if let proposal = try? PointerProposal(bytes),
            (try? PointerProposal(proposal.bytes))?.pointer != proposal.pointer
        {
            return "a proposal is another one when it is written and read"
        }
        let now = TrustLab.now.adding(days: program.pick([0, 0, 1, 100, 366, -1]))
        let hash = StreamHasher.digest(of: envelope.payload)
        let epoch: Int? = program.pick([1, 1, 2, nil])
        let seen: TrustSession.Seen? = program.pick([
            nil, .init(sequence: 418, payloadHash: hash, epoch: epoch),
            .init(sequence: 418, payloadHash: first.digest, epoch: epoch),
            .init(sequence: 419, payloadHash: nil, epoch: epoch),
        ])
        guard let channel = try? Channel(program.pick(["production", "production", "beta"])),
            var session = try? TrustSession(
                pinned: first, stored: nil, clock: now, channel: channel, seen: seen,
                checkedAt: program.isSet() ? nil : now)
        else { return "no session" }
        var left = roots
        while true {
            let root = session.root.root
            let wasDone = session.didRefreshRoots
            do {
                switch try session.step(envelope, path: "x") {
                case .fetchRoot(let version):
                    guard !wasDone, version == root.version + 1 else { return "a second walk" }
                    let file = left.isEmpty ? nil : left.removeFirst()
                    if let problem = try follow(file, &session) { return problem }
                case .accepted(let pointer, let payloadHash):
                    isRead = true
                    let role = root.roles.first { $0.name == "release:\(channel)" }
                    guard isSigned(envelope, role ?? root.role("release"), root) else {
                        return "an unsigned pointer is accepted"
                    }
                    guard payloadHash == hash,
                        (try? PointerCoding.decode(envelope.payload)) == pointer
                    else { return "another pointer is accepted than was signed" }
                    guard pointer.channel == channel, pointer.app == root.app,
                        pointer.root ?? 0 <= root.version
                    else { return "a pointer of another app, channel or root is accepted" }
                    guard now < root.expires, pointer.expires.map({ now < $0 }) ?? true else {
                        return "an expired pointer is accepted"
                    }
                    let floor = root.floors.first { $0.channel == channel }?.sequence ?? 0
                    let lowest = seen?.epoch == root.epoch ? seen?.sequence ?? 0 : 0
                    guard pointer.sequence >= max(floor, lowest) else {
                        return "an earlier pointer is accepted"
                    }
                    guard
                        seen?.epoch != root.epoch || seen?.sequence != pointer.sequence
                            || seen?.payloadHash ?? hash == hash
                    else { return "another pointer of the same sequence is accepted" }
                    return nil
                }
            } catch let failure as Failure where failure.code == .trustBadSignature {
                let name = failure["role"]
                let valid = Int(failure["valid"]) ?? 0
                let threshold = Int(failure["threshold"]) ?? 0
                // A root that cannot follow has its own message about its signers.
                guard name.hasPrefix("release") else { return valid < threshold ? nil : name }
                let role = root.roles.first { $0.name == name }
                return count(envelope, role, root) == valid && valid < threshold
                    ? nil : "a signed pointer is refused"
            } catch let failure as Failure where failure.code == .trustUnsigned {
                return envelope.signatures.isEmpty ? nil : "signatures are not seen"
            } catch {
                return error.isFailure(of: "trust") || error.isFailure(of: "origin")
                    || error is PointerRefusal
                    ? nil : "unexpected: \(error)"
            }
        }
    }

    private func follow(_ file: [UInt8]?, _ session: inout TrustSession) throws -> String? {
        let before = session.root
        guard try session.follow(file, path: "x") else {
            return session.root == before && session.didRefreshRoots
                ? nil : "a walk that ended is open"
        }
        let next = session.root
        guard next.bytes == file, next.root.version == before.root.version + 1,
            next.root.epoch >= before.root.epoch,
            isSigned(next.envelope, before.root.role("root"), before.root),
            isSigned(next.envelope, next.root.role("root"), next.root)
        else { return "a root that cannot follow is stored" }
        return nil
    }
}
