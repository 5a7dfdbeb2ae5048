// Fuzz target of the delta codec: any bytes as a stream against a fixed old tree (`run.sh`).
//
// It is built with the folder `Sources/PackCore/Delta/Codec` alone, as an app would take it, under the
// address sanitizer. What may happen: an error, or as many bytes as the listing says.

import Glibc

/// The old tree, from the folder that `FUZZ_OLD` names; read once.
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

/// A stream's header and listing alone.
private func readListing(_ bytes: [UInt8]) {
    _ = try? DeltaStream(bytes, old: old.map(\.file), limits: limits())
}

/// The fallback's decoder alone: 4 KiB of output after a dictionary.
private func decodeLZMA(_ bytes: [UInt8]) {
    guard let first = bytes.first, let properties = LZMADecoder.Properties(first) else { return }
    let layout = TextLayout(dictionary: old[0].content.count, names: 0, output: 4096)
    let text = TextBuffer(count: layout.count)
    for (index, byte) in old[0].content.enumerated() {
        text[layout.dictionary.lowerBound + index] = byte
    }
    var decoder = LZMADecoder(bytes, 1..<bytes.count, properties)
    _ = decoder.decode(into: text, layout)
}

/// A whole stream.
private func decode(_ bytes: [UInt8]) {
    guard let stream = try? DeltaStream(bytes, old: old.map(\.file), limits: limits()) else {
        return
    }
    // Time is bounded by what a stream says it codes one by one; here it may say little.
    if case .aligned(let parameters) = stream.method, parameters.codedLimit > 1 << 7 { return }
    var written = 0
    let isDone =
        (try? stream.decode(
            load: { segment, buffer in
                let content = old[segment.file].content
                for index in 0..<buffer.count { buffer[index] = content[segment.offset + index] }
            },
            emit: { file, piece in
                guard piece.count == file.size else { fatalError("not the size of the listing") }
                written += piece.count
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
