package import PackOrigin
package import PackRelease
import Testing

extension Playground {
    /// The pointer of a channel.
    package func pointer(_ channel: Channel = .production) async throws -> Pointer {
        try #require(try await reader().pointer(channel)).pointer
    }

    /// Replaces a channel's pointer and the log entry of its sequence with an edited one.
    package func editPointer(
        _ channel: Channel = .production, _ body: (inout Pointer) throws -> Void
    ) async throws {
        var pointer = try await pointer(channel)
        try body(&pointer)
        let bytes = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try overwrite("origin/\(OriginLayout.pointer(channel))", bytes)
        try write("origin/\(OriginLayout.logEntry(channel, pointer.sequence))", bytes)
    }
}
