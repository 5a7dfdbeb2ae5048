import PackGround
import PackPages
import TestSupport
import Testing

/// A release in a folder, and requests for it.
struct PageSample {
    static let index = Array("<!doctype html><title>a</title>".utf8)

    let folder: TemporaryFolder

    static func with<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (PageSample) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            try folder.write(index, as: "index.html")
            try folder.write(Array("0123456789".utf8), as: "a/digits.js")
            try folder.write(Array("x".utf8), as: "a b.png")
            return try await body(PageSample(folder: folder))
        }
    }

    func source(
        _ change: (inout PageSource) -> Void = { _ in }, host: String = "shop.example.com",
        prefix: String = "/", version: String = "1", network: String? = nil
    ) throws -> PageSource {
        var source = try PageSource(
            host: host, prefix: prefix, directory: folder.path, version: version, network: network)
        change(&source)
        return source
    }

    func sources(bypass: Bool = false, _ change: (inout PageSource) -> Void = { _ in }) throws
        -> PageSources
    {
        PageSources(scheme: "customscheme", [try source(change)], bypassesPackages: bypass)
    }

    static func request(
        _ path: String, _ method: String = "GET", _ headers: [String: String] = [:],
        isMainDocument: Bool = false
    ) -> PageRequest {
        PageRequest(
            method: method, url: "customscheme://shop.example.com\(path)",
            headers: headers.map { PageHeader($0.key, $0.value) }, isMainDocument: isMainDocument)
    }
}

/// An answer that has been read completely.
struct ReadAnswer: Equatable {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]

    init(_ plan: PagePlan) throws {
        guard case .answer(let answer) = plan else { throw Unexpected(plan: "\(plan)") }
        status = answer.head.status
        fields = Dictionary(
            answer.head.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0) + \($1)" })
        var body: [UInt8] = []
        while let piece = try answer.body.next() { body += piece }
        self.body = body
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

struct Unexpected: Error { let plan: String }

func fetch(_ plan: PagePlan) throws -> PageFetch {
    guard case .fetch(let fetch) = plan else { throw Unexpected(plan: "\(plan)") }
    return fetch
}

extension Noise {
    /// A number from 0 to `limit` - 1.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
