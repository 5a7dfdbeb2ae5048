// Arbitrary bytes without a program of edits and without signatures, so that a hundred million
// inputs take an hour. Only the readers run, and their results must be the same when encoded again.

import Foundation
import Glibc

/// The readers of untrusted bytes.
enum TrustBytes: String, CaseIterable {
    case root = "bytes-root"
    case pointer = "bytes-pointer"
    case envelope = "bytes-envelope"
    case key = "bytes-key"
    case answer = "bytes-answer"

    /// A sentence about a broken invariant, if any.
    func problem(_ bytes: [UInt8], _ property: TrustProperty) -> String? {
        var isRead = false
        switch self {
        case .root:
            guard let root = try? TrustRootCoding.decode(bytes) else { return nil }
            return (try? TrustRootCoding.decode(TrustRootCoding.encode(root))) == root
                ? nil : "a root is another one when it is written and read"
        case .pointer:
            guard let pointer = try? PointerCoding.decode(bytes) else { return nil }
            return (try? PointerCoding.decode(PointerCoding.encode(pointer))) == pointer
                ? nil : "a pointer is another one when it is written and read"
        case .envelope:
            let envelope = try? Envelope(decoding: bytes, payloadType: Envelope.pointerType)
            return envelope.flatMap { property.problem(of: $0) }
        case .key:
            return property.keyFile(Self.file(bytes), isEncrypted: true, isRead: &isRead)
        case .answer: return property.answer(bytes, isRead: &isRead)
        }
    }

    private static let labels = ["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY"]

    /// DER with the label selected by its first byte, or a whole file.
    private static func file(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.first, Int(first) < labels.count else { return bytes }
        return PEM.encode(labels[Int(first)], Array(bytes.dropFirst()))
    }

    // MARK: Seeds

    private struct NoSeed: Error {}

    /// A readable signed pointer: most programs leave its version and hashes inconsistent.
    private static func pointer() throws -> Envelope {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                var program = EditProgram([first, second])
                let file = try MutatedTrust.pointer(&program)
                guard
                    let envelope = try? Envelope(
                        decoding: file, payloadType: Envelope.pointerType),
                    (try? PointerCoding.decode(envelope.payload)) != nil
                else { continue }
                return envelope
            }
        }
        throw NoSeed()
    }

    /// Writes the fuzzer's seeds: valid documents of each kind.
    func writeSeeds(into folder: String, _ property: TrustProperty) throws {
        for (number, seed) in try seeds(property).enumerated() {
            try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed\(number)"))
        }
    }

    private func seeds(_ property: TrustProperty) throws -> [[UInt8]] {
        var none = EditProgram([])
        switch self {
        case .root:
            let first = property.first
            let file = try MutatedTrust.root(&none)
            let next = try Envelope(decoding: file, payloadType: TrustRoot.payloadType)
            return [first.envelope.payload, next.payload]
        case .pointer: return [try Self.pointer().payload]
        case .envelope: return [try Self.pointer().encode()]
        case .answer: return [try property.answer(&none)]
        case .key:
            return try (UInt8(0)..<10).flatMap { number in
                var program = EditProgram([number & 1, number / 2])
                let text = try MutatedKeyFile(&program, isEncrypted: true).text
                let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
                let label = Self.labels.firstIndex { lines[0].hasSuffix(" \($0)-----") } ?? 0
                let der = Data(base64Encoded: lines.dropFirst().dropLast().joined()) ?? Data()
                return [text, [UInt8(label)] + der]
            }
        }
    }
}
