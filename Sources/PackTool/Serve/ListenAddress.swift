import FlyingSocks
package import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The address of a server.
package struct ListenAddress: Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address without brackets.
    package let host: String
    package let port: UInt16

    package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Whether it means every address of this machine.
    package var isAny: Bool { host == "0.0.0.0" || host == "::" }

    /// The URL for programs on this machine.
    package var ownURL: String {
        guard isAny else { return "http://\(self)" }
        return host.contains(":") ? "http://[::1]:\(port)" : "http://127.0.0.1:\(port)"
    }

    /// - Parameter text: An IP address and a port; a port alone is one of this machine.
    /// - Throws: ``Failure``.
    package init(_ text: String) throws(Failure) {
        let fail = { (problem: String) in
            Failure.invalidArgument(
                kind: "address to listen at", word: text, problem: problem,
                example: "127.0.0.1:8080")
        }
        let isPort = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let text = isPort ? "127.0.0.1:\(text)" : text
        guard let colon = text.lastIndex(of: ":") else { throw fail("has no port") }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { throw fail("does not end with a port from 0 to 65535") }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let isKnown =
            host.contains(":")
            ? (try? sockaddr_in6.inet6(ip6: host, port: port)) != nil
            : (try? sockaddr_in.inet(ip4: host, port: port)) != nil
        guard isKnown else { throw fail("does not begin with an IP address") }
        self.host = host
        self.port = port
    }

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The same host with the port actually assigned.
    func with(port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port) }

    /// A bound socket that accepts connections.
    func listen() throws -> Socket {
        let socket = try Socket(domain: host.contains(":") ? AF_INET6 : AF_INET)
        do {
            try socket.setValue(true, for: .localAddressReuse)
            #if canImport(Darwin)
                // Accepted sockets inherit it.
                try socket.setValue(true, for: .noSIGPIPE)
            #endif
            if host.contains(":") {
                try socket.bind(to: sockaddr_in6.inet6(ip6: host, port: port))
            } else {
                try socket.bind(to: sockaddr_in.inet(ip4: host, port: port))
            }
        } catch {
            try? socket.close()
            throw error
        }
        // It closes the socket on failure.
        try socket.listen()
        return socket
    }
}

extension Failure.Code {
    package static let serveAddress = Self("serve.address")
}

extension Failure {
    /// The server could not start.
    static func serveAddress(_ address: ListenAddress, reason: String) -> Failure {
        Failure(.serveAddress, "cannot listen at \(address): \(reason)")
    }
}
