// Fuzz targets of roots, key files, answers of '--sign-with' and signed pointers (`run.sh`).
//
// The input is a program of edits to a valid document (`Tests/PackCoreTests/Mutants`, also run by
// the tests), or, with a first byte of 255, the document itself. With the targets `bytes-…`, it is
// read unchanged (`TrustBytes.swift`). `FUZZ_TARGET` selects the target.

import Glibc

private func stop(_ problem: String?) {
    if let problem { fatalError(problem) }
}

private enum Target: String {
    case root, keys
    case signerAnswers = "signer-answers"
    case signedPointer = "signed-pointer"
}

private func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private let bytesTarget = setting("FUZZ_TARGET").flatMap(TrustBytes.init(rawValue:))

private let target: Target = {
    guard let target = setting("FUZZ_TARGET").flatMap(Target.init(rawValue:)) else {
        fatalError("FUZZ_TARGET is no target")
    }
    return target
}()

private let property: TrustProperty = {
    do {
        return try TrustProperty { key, signature, message in
            switch key.algorithm {
            case .ed25519:
                (try? Curve25519.Signing.PublicKey(rawRepresentation: key.raw))?
                    .isValidSignature(signature, for: message) ?? false
            case .p256:
                if let point = try? P256.Signing.PublicKey(x963Representation: [4] + key.raw),
                    let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
                {
                    point.isValidSignature(pair, for: message)
                } else {
                    false
                }
            }
        }
    } catch {
        fatalError("\(error)")
    }
}()

@_cdecl("LLVMFuzzerInitialize")
public func start(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt
{
    guard let bytesTarget, let folder = setting("FUZZ_SEEDS") else { return 0 }
    do {
        try bytesTarget.writeSeeds(into: folder, property)
    } catch {
        fatalError("\(error)")
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let bytesTarget {
        stop(bytesTarget.problem(bytes, property))
        return 0
    }
    do {
        try check(bytes)
    } catch {
        fatalError("\(error)")
    }
    return 0
}

private func check(_ bytes: [UInt8]) throws {
    let plain = bytes.first == 255 ? Array(bytes.dropFirst()) : nil
    var program = EditProgram(bytes)
    var isRead = false
    switch target {
    case .root:
        stop(property.root(try plain ?? MutatedTrust.root(&program), isRead: &isRead))
    case .keys:
        let file = try plain ?? MutatedKeyFile(&program, isEncrypted: true).text
        stop(property.keyFile(file, isEncrypted: true, isRead: &isRead))
    case .signerAnswers:
        stop(property.answer(try plain ?? property.answer(&program), isRead: &isRead))
    case .signedPointer:
        let pointer = try plain ?? MutatedTrust.pointer(&program)
        let roots = program.isSet() ? [try MutatedTrust.root(&program)] : []
        stop(property.pointer(pointer, roots: roots, &program, isRead: &isRead))
    }
}
