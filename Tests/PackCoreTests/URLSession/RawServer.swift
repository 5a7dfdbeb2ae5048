import Foundation
import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server on a local port that answers every request with the bytes of a test.
final class RawServer: Sendable {
    /// One connection, for as long as `answer` runs.
    struct Connection: Sendable {
        fileprivate let descriptor: Int32

        /// Sends bytes; `false` if the client has closed the connection.
        @discardableResult func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    systemSend(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Waits until the client closes the connection.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        /// The head of the next request; `nil` at the end of the connection.
        fileprivate func request() -> String? {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }
    }

    private let listener: Int32
    let port: UInt16
    /// The heads of all requests.
    let requests = Locked<[String]>([])
    /// The connections that clients have closed.
    let closed = Locked(0)

    /// - Parameter answer: Answers one request; `false` closes the connection.
    init(_ answer: @escaping @Sendable (Connection) -> Bool) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isReady = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(listener, pointer, size) == 0 && listen(listener, 100) == 0
                && getsockname(listener, pointer, &size) == 0
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isReady else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread { [requests, closed] in
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                Thread.detachNewThread {
                    let connection = Connection(descriptor: descriptor)
                    while let request = connection.request() {
                        requests.withLock { $0.append(request) }
                        guard answer(connection) else { break }
                    }
                    close(descriptor)
                    closed.withLock { $0 += 1 }
                }
            }
        }
    }

    /// Answers every request with the same bytes, then closes the connection.
    convenience init(_ answer: [UInt8]) throws {
        try self.init { connection in
            connection.send(answer)
            return false
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    func url(_ path: String = "/file") -> String { "http://127.0.0.1:\(port)\(path)" }
}

// The method above has the name of the C function.
private func systemSend(
    _ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
    send(descriptor, start, count, flags)
}
