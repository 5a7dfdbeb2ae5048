// The calls of swift-crypto used by the trust files, without its cryptography, for the fuzz targets
// (`run.sh`).
//
// A signature is a hash of the public key and the message, so a signature of other bytes is refused
// as usual. Forbidden calls trap here.

import Foundation

/// A hash of 32 bytes; SHA-256 would take most of the time.
private func hash(_ parts: [UInt8]...) -> [UInt8] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func add(_ word: UInt64) {
        state = (state ^ word) &* 0xBF58_476D_1CE4_E5B9
        state ^= state >> 29
    }
    for part in parts {
        part.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count - 7, by: 8) {
                add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            }
            for place in (bytes.count & ~7)..<bytes.count { add(UInt64(bytes[place])) }
        }
        add(UInt64(part.count))
    }
    return (0..<4).flatMap { _ in
        add(1)
        return (0..<8).map { UInt8(truncatingIfNeeded: state >> (8 * $0)) }
    }
}

/// 64 bytes determined by the key and the message.
private func signature(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let half = hash(key, message)
    return half + half.reversed()
}

struct StandInError: Error {}

enum Curve25519 {
    enum Signing {
        struct PublicKey: Sendable {
            private let raw: [UInt8]

            init(rawRepresentation raw: [UInt8]) throws {
                guard raw.count == 32 else { throw StandInError() }
                self.raw = raw
            }

            var rawRepresentation: Data { Data(raw) }

            func isValidSignature(_ bytes: [UInt8], for message: [UInt8]) -> Bool {
                bytes == signature(raw, message)
            }
        }

        struct PrivateKey: Sendable {
            private let seed: [UInt8]

            init() { seed = [UInt8](repeating: 7, count: 32) }

            init(rawRepresentation seed: [UInt8]) throws {
                guard seed.count == 32 else { throw StandInError() }
                self.seed = seed
            }

            var rawRepresentation: Data { Data(seed) }

            var publicKey: PublicKey {
                guard let key = try? PublicKey(rawRepresentation: hash(seed)) else {
                    fatalError("a hash has 32 bytes")
                }
                return key
            }

            func signature(for message: [UInt8]) throws -> Data {
                Data(PackFuzz.signature(hash(seed), message))
            }
        }
    }
}

enum P256 {
    enum Signing {
        struct ECDSASignature {
            private let raw: [UInt8]

            init(rawRepresentation raw: [UInt8]) throws {
                guard raw.count == 64 else { throw StandInError() }
                self.raw = raw
            }

            /// A SEQUENCE of two INTEGERs.
            init(derRepresentation der: [UInt8]) throws {
                guard der.count > 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else {
                    throw StandInError()
                }
                var rest = der[2...]
                raw = try Self.number(&rest) + Self.number(&rest)
                guard rest.isEmpty else { throw StandInError() }
            }

            private static func number(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
                guard rest.popFirst() == 2, let count = rest.popFirst().map(Int.init),
                    (1...33).contains(count), count <= rest.count
                else { throw StandInError() }
                let bytes = rest.prefix(count).drop { $0 == 0 }
                rest = rest.dropFirst(count)
                guard bytes.count <= 32 else { throw StandInError() }
                return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
            }

            var rawRepresentation: Data { Data(raw) }
        }

        struct PublicKey: Sendable {
            fileprivate let raw: [UInt8]

            /// A point is on the curve if its second half mirrors its first.
            init(x963Representation point: [UInt8]) throws {
                guard point.count == 65, point[0] == 4,
                    point[33...].elementsEqual(point[1...32].reversed().map { $0 ^ 0x5A })
                else { throw StandInError() }
                raw = Array(point.dropFirst())
            }

            var rawRepresentation: Data { Data(raw) }

            func isValidSignature(_ bytes: ECDSASignature, for message: [UInt8]) -> Bool {
                Array(bytes.rawRepresentation) == signature(raw, message)
            }
        }

        struct PrivateKey: Sendable {
            private let number: [UInt8]

            init() { number = [UInt8](repeating: 7, count: 32) }

            /// The number is not 0 and below the order of the curve.
            init(rawRepresentation number: [UInt8]) throws {
                guard number.count == 32, number.contains(where: { $0 != 0 }),
                    number[0] < 0xFF || number[4] < 0xFF
                else { throw StandInError() }
                self.number = number
            }

            var rawRepresentation: Data { Data(number) }

            var publicKey: PublicKey {
                let x = hash(number)
                let point = [4] + x + x.reversed().map { $0 ^ 0x5A }
                guard let key = try? PublicKey(x963Representation: point) else {
                    fatalError("a hash has 32 bytes")
                }
                return key
            }

            func signature(for message: [UInt8]) throws -> ECDSASignature {
                try ECDSASignature(rawRepresentation: PackFuzz.signature(publicKey.raw, message))
            }
        }
    }
}

struct SymmetricKey {
    fileprivate let bytes: [UInt8]

    /// One derivation for all algorithms and sizes, so that their edits are also decrypted.
    fileprivate init(_ passphrase: [UInt8], _ salt: [UInt8], count: Int) {
        bytes = Array(hash(passphrase, salt).prefix(count))
    }
}

enum KDF {
    enum Insecure {
        enum PBKDF2 {
            enum HashFunction { case sha256, sha384, sha512 }

            static func deriveKey(
                from passphrase: [UInt8], salt: [UInt8], using hash: HashFunction,
                outputByteCount count: Int, unsafeUncheckedRounds rounds: Int
            ) throws -> SymmetricKey {
                precondition(rounds <= 10_000_000, "a file keeps the tool busy for minutes")
                precondition(rounds >= 10_000, "a passphrase can be guessed")
                return SymmetricKey(passphrase, salt, count: count)
            }
        }
    }

    enum Scrypt {
        static func deriveKey(
            from passphrase: [UInt8], salt: [UInt8], outputByteCount count: Int, rounds: Int,
            blockSize: Int, parallelism: Int
        ) throws -> SymmetricKey {
            precondition(
                rounds <= 1 << 14 && blockSize <= 8 && parallelism <= 4,
                "a file keeps the tool busy for minutes")
            precondition(
                rounds > 1 && rounds & (rounds - 1) == 0 && blockSize > 0 && parallelism > 0,
                "no parameters of scrypt")
            return SymmetricKey(passphrase, salt, count: count)
        }
    }
}

enum AES {
    /// Adds a stream of bytes instead of encrypting, so that an edit of the ciphertext is an edit
    /// of the key.
    enum _CBC {
        struct IV {
            fileprivate let bytes: [UInt8]

            init(ivBytes bytes: [UInt8]) throws {
                guard bytes.count == 16 else { throw StandInError() }
                self.bytes = bytes
            }
        }

        static func encrypt(_ plain: [UInt8], using key: SymmetricKey, iv: IV) throws -> Data {
            let padding = 16 - plain.count % 16
            return Data(
                changed(plain + [UInt8](repeating: UInt8(padding), count: padding), key, iv))
        }

        static func decrypt(_ bytes: [UInt8], using key: SymmetricKey, iv: IV) throws -> Data {
            let padded = changed(bytes, key, iv)
            guard let last = padded.last, padded.count % 16 == 0, (1...16).contains(last),
                padded.suffix(Int(last)).allSatisfy({ $0 == last })
            else { throw StandInError() }
            return Data(padded.dropLast(Int(last)))
        }

        private static func changed(_ bytes: [UInt8], _ key: SymmetricKey, _ iv: IV) -> [UInt8] {
            precondition([16, 24, 32].contains(key.bytes.count), "no key of AES")
            return bytes.indices.map { bytes[$0] ^ key.bytes[$0 % 16] ^ iv.bytes[$0 % 16] }
        }
    }
}
