// A libFuzzer target for the reader of request heads. Any bytes give no trap, the same heads and
// the same refusal for every split of the bytes, and no head that is invalid on a second parse.
//
// Built and run by Tests/Rigs/Fuzz/run.sh ('make fuzz'). The first byte selects the split of the
// rest.

/// Ends the process so that libFuzzer keeps the input.
private func demand(_ holds: Bool, _ what: StaticString) {
    if !holds { fatalError("\(what)") }
}

private func read(_ pieces: [[UInt8]]) -> ([RequestHead], RequestRefusal?) {
    var reader = RequestHeadReader()
    var heads: [RequestHead] = []
    do {
        for piece in pieces {
            reader.add(piece)
            while let head = try reader.next() { heads.append(head) }
        }
    } catch {
        return (heads, error)
    }
    return (heads, nil)
}

/// Checks the invariants of every accepted head.
private func look(at head: RequestHead) {
    let request = head.request
    demand(!request.method.isEmpty && !request.method.utf8.contains(0x20), "the method is a word")
    demand(
        request.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 },
        "the target is visible ASCII")
    demand(
        request.target.hasPrefix("/") || request.method != "GET" && request.method != "HEAD",
        "the target is a path")
    demand(request.fields.count <= RequestHeadReader.fieldLimit, "few fields")
    for (name, value) in request.fields {
        demand(
            !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A },
            "a field's name")
        demand(
            !name.utf8.contains { $0 >= 0x41 && $0 <= 0x5A }, "names are in lower case")
        demand(value.utf8.allSatisfy { $0 == 9 || $0 >= 0x20 && $0 != 0x7F }, "a field's value")
        // If the last of several fields is empty, the value ends with ", ".
        demand(
            value.utf8.first != 0x20 && (value.utf8.last != 0x20 || value.hasSuffix(", ")),
            "values are trimmed")
    }
    if let names = request.names {
        demand(!names.contains("..") && !names.contains(".") && !names.contains(""), "names")
        demand(
            names.allSatisfy { !$0.utf8.contains(0x2F) && !$0.utf8.contains(0) }, "names are single"
        )
    }
    if request.fields["content-length"] != nil, request.fields["transfer-encoding"] != nil {
        demand(false, "two lengths")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
    let (heads, refusal) = read([bytes])
    heads.forEach(look)
    let cut = bytes.count * Int(data[0]) / 256
    let (two, second) = read([Array(bytes[..<cut]), Array(bytes[cut...])])
    demand(two == heads && second == refusal, "two pieces are one")
    if bytes.count < 256 {
        let (many, last) = read(bytes.map { [$0] })
        demand(many == heads && last == refusal, "single bytes are one")
    }
    return 0
}
