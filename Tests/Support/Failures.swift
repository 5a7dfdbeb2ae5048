import PackGround
package import Testing

/// The stable code of an error, as scripts see it.
package func errorCode(_ error: (any Error)?) -> String? {
    (error as? Failure)?.code.name
}

/// Expects a failure of an area, such as `trust`.
package func expectFailure(
    of area: String, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    do {
        _ = try body()
        expect(nil, area, comment, sourceLocation)
    } catch {
        expect(error as? Failure, area, comment, sourceLocation)
    }
}

/// Expects a failure of an area, such as `trust`.
package func expectFailure(
    of area: String, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> some Any
) async {
    do {
        _ = try await body()
        expect(nil, area, comment, sourceLocation)
    } catch {
        expect(error as? Failure, area, comment, sourceLocation)
    }
}

private func expect(
    _ failure: Failure?, _ area: String, _ comment: String, _ sourceLocation: SourceLocation
) {
    #expect(
        failure?.code.isOf(area) == true, "\(comment) \(String(describing: failure))",
        sourceLocation: sourceLocation)
}
