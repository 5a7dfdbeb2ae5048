// A libFuzzer target for the readers of web formats: any bytes give no trap, and every range is
// inside.
//
// One reader per build (-D SCRIPTS, DATA, PAGES, STYLES, URLS), or all, chosen by the first byte.
// Built and run by Tests/Rigs/Fuzz/run.sh ('make fuzz').

/// Ends the process so that libFuzzer keeps the input.
private func demand(_ holds: Bool, _ what: StaticString) {
    if !holds { fatalError("\(what)") }
}

private func scripts(_ bytes: [UInt8]) {
    var tokenizer = JavaScriptTokenizer(bytes.span)
    var last = 0
    while true {
        let token = tokenizer.next(in: bytes.span)
        if token.kind == .end { break }
        demand(token.start >= last && token.end > token.start, "tokens in order")
        let content = token.content(in: bytes.span)
        demand(content.upperBound <= token.end, "content inside")
        if token.kind == .string { _ = JavaScriptString.decode(bytes.span, content) }
        last = token.end
    }
    demand(last <= bytes.count, "tokens inside")
    for found in JavaScriptReferences(of: bytes.span).references {
        demand(found.range.upperBound <= bytes.count, "references inside")
    }
}

private func data(_ bytes: [UInt8]) {
    for found in [
        DataReferences.manifest(bytes.span), DataReferences.importMap(bytes.span),
        DataReferences.linkedData(bytes.span), DataReferences.json(bytes.span),
        DataReferences.xmlStyleSheets(bytes.span),
    ] {
        demand(found.allSatisfy { $0.range.upperBound <= bytes.count }, "references inside")
    }
    _ = SourceMapContent(of: bytes.span)
}

private func pages(_ bytes: [UInt8]) {
    for found in HTMLReferences(of: bytes.span).references {
        demand(found.range.upperBound <= bytes.count, "references inside")
    }
}

private func styles(_ bytes: [UInt8]) {
    for found in CSSReferences.file(bytes).references {
        demand(found.range.upperBound <= bytes.count, "references inside")
    }
}

private func urls(_ bytes: [UInt8]) {
    guard let url = URLRecord.parse(bytes) else { return }
    let again = URLRecord.parse(url.serialized())
    demand(again?.serialized() == url.serialized(), "a URL reads as itself")
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    #if SCRIPTS
        scripts(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    #elseif DATA
        PackFuzz.data(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    #elseif PAGES
        pages(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    #elseif STYLES
        styles(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    #elseif URLS
        urls(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    #else
        guard count > 0 else { return 0 }
        let bytes = unsafe Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
        switch unsafe data[0] % 5 {
        case 0: scripts(bytes)
        case 1: PackFuzz.data(bytes)
        case 2: pages(bytes)
        case 3: styles(bytes)
        default: urls(bytes)
        }
    #endif
    return 0
}
