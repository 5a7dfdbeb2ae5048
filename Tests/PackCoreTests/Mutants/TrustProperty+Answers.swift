import PackGround
import PackKeys
import PackOrigin
import PackSigning
import PackTrust
import TestSupport

extension TrustProperty {
    func answer(_ program: inout EditProgram) throws -> [UInt8] {
        try MutatedTrust.answer(to: request, &program)
    }

    func answer(_ bytes: [UInt8], isRead: inout Bool) -> String? {
        isRead = false
        do {
            let signatures = try request.signatures(bytes, command: "x")
            isRead = true
            guard !signatures.isEmpty else { return "an answer without signatures is accepted" }
            for signature in signatures where !isGood(signature) {
                return "a wrong signature is accepted"
            }
            let again = JSONWriter.write(MutatedTrust.answer(signatures))
            guard (try? request.signatures(again, command: "x")) == signatures else {
                return "an answer is another one when it is written and read"
            }
            let signers = Signers(
                keys: [try TrustLab.key(2)],
                commands: [{ try $0.signatures(bytes, command: "x") }])
            let all = try signers.sign(request)
            guard Set(all.map(\.keyID)).count == all.count, all.allSatisfy(isGood),
                Set(all.map(\.keyID)).isSuperset(of: signatures.map(\.keyID))
            else { return "the signatures of an answer are lost, or there twice" }
        } catch let failure as Failure where failure.code == .signWithBadAnswer {
            return nil
        } catch {
            return "unexpected: \(error)"
        }
        return nil
    }

    private func isGood(_ signature: Envelope.Signature) -> Bool {
        request.accepted.contains {
            $0.keyID.description == signature.keyID
                && verify($0, signature.bytes, request.message)
        }
    }
}
