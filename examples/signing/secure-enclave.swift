// Signs with a P-256 key in the Secure Enclave of a Mac.
//
//     swiftc -O examples/signing/secure-enclave.swift -o secure-enclave
//     ./secure-enclave new release.enclave > release.key.pub
//     packtool publish dist --to cdn --sign-with './secure-enclave sign release.enclave'
//
// The file is the key, encrypted by the Secure Enclave that made it: it is useless on any other machine, so
// the root should also accept a second key. This example was not run: no Mac was at hand.
import CryptoKit
import Foundation

typealias EnclaveKey = SecureEnclave.P256.Signing.PrivateKey

struct Request: Decodable {
    let message: Data
    let summary: String
    let keyids: [String]
}

struct Answer: Encodable {
    struct Signature: Encodable {
        let keyid: String
        let sig: Data
    }
    let schema = 1
    let signatures: [Signature]
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

let words = CommandLine.arguments
guard words.count == 3, SecureEnclave.isAvailable else {
    fail("usage: secure-enclave new|sign FILE, on a Mac with a Secure Enclave")
}
let file = URL(fileURLWithPath: words[2])

switch words[1] {
case "new":
    let key = try EnclaveKey()
    try key.dataRepresentation.write(to: file, options: .withoutOverwriting)
    print(key.publicKey.pemRepresentation)
case "sign":
    let key = try EnclaveKey(dataRepresentation: Data(contentsOf: file))
    let request = try JSONDecoder().decode(
        Request.self, from: FileHandle.standardInput.readDataToEndOfFile())
    let keyid = SHA256.hash(data: key.publicKey.derRepresentation)
        .map { String(format: "%02x", $0) }.joined()
    guard request.keyids.contains(keyid) else {
        fail("the root does not accept this key (keyid \(keyid))")
    }
    FileHandle.standardError.write(Data("signing: \(request.summary)\n".utf8))
    let signature = try key.signature(for: request.message).rawRepresentation
    let answer = Answer(signatures: [.init(keyid: keyid, sig: signature)])
    FileHandle.standardOutput.write(try JSONEncoder().encode(answer))
default:
    fail("usage: secure-enclave new|sign FILE")
}
