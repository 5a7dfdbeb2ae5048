// A driver for comparisons with other tools and for measurements; not part of a product.
//
//     ReaderDriver literals [--script|--module] < list of files     the JavaScript lexer's literals
//     ReaderDriver trees < list of files and goals                  the trees of scripts
//     ReaderDriver features < list of files and goals               the syntax that old engines lack
//     ReaderDriver css-features < list of files                     the CSS that old engines drop
//     ReaderDriver references FILE…                                 the references passed to rules
//     ReaderDriver speed FILE…                                      bytes per second
//     ReaderDriver measure html|css|javascript < list of files      the same for each of our readers,
//                                                                   one line each: name, bytes, seconds
import Foundation

func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
}

func literals(_ bytes: [UInt8], goal: JavaScriptTokenizer.Goal) -> String {
    let source = bytes.span
    var tokenizer = JavaScriptTokenizer(source, goal: goal)
    var lines = ""
    while true {
        let token = tokenizer.next(in: source)
        if token.kind == .end { break }
        let content = token.content(in: source)
        switch token.kind {
        case .string:
            let value = JavaScriptString.decode(source, content)
            lines += "s \(token.start) \(token.end) \(hash(value))\n"
        case .templateStart, .templateContinuation:
            let value = JavaScriptString.decode(source, content, isTemplate: true)
            lines += "t \(content.lowerBound) \(content.upperBound) \(hash(value))\n"
        case .regularExpression: lines += "r \(token.start) \(token.end)\n"
        case .lineComment, .blockComment, .htmlComment:
            lines += "c \(token.start) \(token.end)\n"
        default: break
        }
    }
    return lines
}

/// Reads files repeatedly with each of our readers.
struct Stopwatch {
    let contents: [[UInt8]]
    let passes: Int

    init(_ paths: some Sequence<String>, passes: Int) {
        contents = paths.compactMap { try? Array(Data(contentsOf: URL(fileURLWithPath: $0))) }
        self.passes = passes
    }

    var size: Int { contents.reduce(0) { $0 + $1.count } }

    /// The best pass in CPU seconds, and the number of results in all files.
    func measure(_ body: ([UInt8]) -> Int) -> (seconds: Double, found: Int) {
        var best = Int.max
        var found = 0
        for _ in 0..<passes {
            found = 0
            let before = clock()
            for bytes in contents { found += body(bytes) }
            best = min(best, clock() - before)
        }
        return (Double(best) / Double(CLOCKS_PER_SEC), found)
    }
}

func countTokens(_ bytes: [UInt8]) -> Int {
    let source = bytes.span
    var tokenizer = JavaScriptTokenizer(source)
    var count = 0
    while tokenizer.next(in: source).kind != .end { count += 1 }
    return count
}

func countReferences(_ bytes: [UInt8]) -> Int {
    JavaScriptReferences(of: bytes.span).references.count
}

func speed(_ paths: [String]) {
    let watch = Stopwatch(paths, passes: 5)
    func measure(_ name: String, _ body: ([UInt8]) -> Int) {
        let (seconds, found) = watch.measure(body)
        let rate = Int(Double(watch.size) / seconds / 1e6)
        print(name, found, "in", watch.size, "bytes:", rate, "MB/s of CPU")
    }
    measure("references", countReferences)
    measure("tokens", countTokens)
}

#if MEASURES_ALL
    /// Prints the best of several passes over the files, each in CPU seconds.
    func measureAll(_ language: String) {
        let watch = Stopwatch(sequence(state: ()) { _ in readLine() }, passes: 7)
        func measure(_ name: String, _ body: ([UInt8]) -> Int) {
            let (seconds, found) = watch.measure(body)
            print(name, watch.size, seconds, found, separator: "\t")
        }
        switch language {
        case "html":
            measure("tokens") { bytes in
                let page = bytes.span
                var tokenizer = HTMLTokenizer(range: 0..<bytes.count)
                var count = 0
                while tokenizer.next(in: page) != nil { count += 1 }
                return count
            }
            measure("tokens, switched as a tree builder does") { bytes in
                let page = bytes.span
                var reader = HTMLReader(range: 0..<bytes.count)
                var count = 0
                while reader.next(in: page) != nil { count += 1 }
                return count
            }
            measure("references") { HTMLReferences(of: $0.span).references.count }
        case "css":
            measure("tokens") { bytes in
                let source = bytes.span
                var tokenizer = CSSTokenizer(source)
                var count = 0
                while tokenizer.next(in: source).kind != .end { count += 1 }
                return count
            }
            measure("references") { CSSReferences.file($0).references.count }
        default:
            measure("tokens", countTokens)
            measure("references", countReferences)
        }
    }
#endif

switch CommandLine.arguments.dropFirst().first {
#if MEASURES_ALL
    case "measure": measureAll(CommandLine.arguments.dropFirst(2).first ?? "")
#endif
case "literals":
    let goal: JavaScriptTokenizer.Goal =
        CommandLine.arguments.contains("--module") ? .module : .script
    while let path = readLine() {
        let content = (try? Array(Data(contentsOf: URL(fileURLWithPath: path)))) ?? []
        print("file", path)
        print(literals(content, goal: goal), terminator: "")
        print("end")
    }
case "references":
    for path in CommandLine.arguments.dropFirst(2) {
        let content = (try? Array(Data(contentsOf: URL(fileURLWithPath: path)))) ?? []
        let found = JavaScriptReferences(of: content.span)
        for reference in found.references {
            print(
                path, reference.kind.rawValue, reference.range, reference.extent,
                reference.form?.rawValue ?? reference.detail,
                reference.isSynchronous ? "sync" : "", reference.text.prefix(120))
        }
    }
case "trees": printTrees()
case "features": printFeatures()
case "css-features":
    while let path = readLine() {
        let content = (try? Array(Data(contentsOf: URL(fileURLWithPath: path)))) ?? []
        print("file", path)
        for (feature, offset) in CSSReferences.file(content).features.all { print(feature, offset) }
        print("end")
    }
case "speed": speed(Array(CommandLine.arguments.dropFirst(2)))
default: exit(64)
}
