import PackOrigin
import PackRelease
import TestSupport

/// The properties of any manifest, pointer and envelope.
///
/// Violations are returned as sentences.
enum DocumentProperty {
    /// - Parameter isRead: Whether the bytes were accepted as a manifest.
    static func manifest(_ bytes: [UInt8], isRead: inout Bool) -> String? {
        isRead = false
        guard let manifest = try? ManifestCoding.decode(bytes, path: "x") else { return nil }
        isRead = true
        guard let again = try? ManifestCoding.encode(manifest) else {
            return "a manifest that was read cannot be written"
        }
        guard (try? ManifestCoding.decode(again, path: "x")) == manifest else {
            return "a manifest is another one when it is written and read"
        }
        guard (try? ManifestCoding.encode(manifest)) == again else {
            return "the same manifest gives other bytes"
        }
        guard manifest.entries.map(\.asset) == manifest.release.assets else {
            return "the entries are not the release's"
        }
        return nil
    }

    static func pointer(_ bytes: [UInt8], isRead: inout Bool) -> String? {
        isRead = false
        guard let pointer = try? PointerCoding.decode(bytes) else { return nil }
        isRead = true
        guard (try? PointerCoding.decode(PointerCoding.encode(pointer))) == pointer else {
            return "a pointer is another one when it is written and read"
        }
        return nil
    }

    static func envelope(_ bytes: [UInt8], isRead: inout Bool) -> String? {
        isRead = false
        let type = Envelope.pointerType
        guard let envelope = try? Envelope(decoding: bytes, payloadType: type) else { return nil }
        guard
            (try? Envelope(decoding: envelope.encode(), payloadType: type)) == envelope
        else { return "an envelope is another one when it is written and read" }
        return pointer(envelope.payload, isRead: &isRead)
    }
}
