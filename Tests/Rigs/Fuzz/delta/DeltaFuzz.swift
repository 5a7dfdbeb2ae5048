// Fuzz target of the delta codec: any bytes as a stream against a fixed old tree (`run.sh`).
//
// It is built from the folder `Sources/PackCore/Delta/Codec` only, like in an app, with the address
// sanitizer. The valid results are an error, or exactly the bytes declared by the listing.

import Glibc

/// The old tree, from the folder in `FUZZ_OLD`; read once.
private let old: [(file: DeltaListing.OldFile, content: [UInt8])] = {
    guard let folder = getenv("FUZZ_OLD") else { fatalError("FUZZ_OLD is not set") }
    return ["a.js", "b-0a1b2c3d.js", "b-0a1b2c3d.js.map", "c.css"].map { name in
        let path = String(cString: folder) + "/" + name
        guard let file = fopen(path, "rb") else { fatalError("cannot read \(path)") }
        defer { fclose(file) }
        var content = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&content, 1, content.count, file)
        content.removeLast(content.count - count)
        return (DeltaListing.OldFile(path: Array(name.utf8), size: count), content)
    }
}()

private func limits() -> DeltaLimits {
    var limits = DeltaLimits()
    limits.files = 64
    limits.output = 1 << 11
    limits.memory = 21 << 18
    return limits
}

/// Only a stream's header and listing.
private func readListing(_ bytes: [UInt8]) {
    _ = try? DeltaStream(bytes, old: old.map(\.file), limits: limits())
}

/// Only the fallback's decoder: 4 KiB of output after a dictionary.
private func decodeLZMA(_ bytes: [UInt8]) {
    guard let first = bytes.first, let properties = LZMADecoder.Properties(first) else { return }
    let layout = TextLayout(dictionary: old[0].content.count, names: 0, output: 4096)
    let text = TextBuffer(count: layout.count)
    for (index, byte) in old[0].content.enumerated() {
        text[layout.dictionary.lowerBound + index] = byte
    }
    var decoder = LZMADecoder(bytes, 1..<bytes.count, properties)
    _ = decoder.decode(
        into: text, layout.output, dictionaryFrom: layout.dictionary.lowerBound)
}

/// A whole stream.
private func decode(_ bytes: [UInt8]) {
    guard let stream = try? DeltaStream(bytes, old: old.map(\.file), limits: limits()) else {
        return
    }
    // The time is bounded by the declared number of bytes coded one by one, which is limited here.
    if let parameters = stream.method.parameters, parameters.codedBytes > 1 << 7 { return }
    var written = 0
    let isDone =
        (try? stream.decode(
            load: { segment, buffer in
                let content = old[segment.file].content
                for index in 0..<buffer.byteCount {
                    buffer.storeBytes(
                        of: content[segment.offset + index], toByteOffset: index, as: UInt8.self)
                }
            },
            emit: { file, piece in
                guard piece.byteCount == file.size else {
                    fatalError("not the size of the listing")
                }
                written += piece.byteCount
            })) != nil
    if isDone, written != stream.listing.outputSize { fatalError("not all of the listing") }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    #if LISTING
        readListing(bytes)
    #elseif LZMA
        decodeLZMA(bytes)
    #else
        decode(bytes)
    #endif
    return 0
}
