import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Invariants of all commands for any input.
enum Invariants {
    /// The fault of a result, if any.
    static func fault(of result: Runner.Result, saved: [(form: String, bytes: [UInt8])]) -> String?
    {
        guard [0, 1, 2, 3, 4, 64].contains(result.status) else {
            return "exit code \(result.status): \(result.text.prefix(300))"
        }
        if result.status > 1, !result.text.contains("error: ") {
            return "exit code \(result.status), no error"
        }
        if result.text.contains("report this as a bug") {
            return "internal error: \(result.text.prefix(300))"
        }
        if let fault = rawControls(in: result.messages) { return "standard error has \(fault)" }
        if let fault = rawControls(in: result.output) { return "standard output has \(fault)" }
        var documents = saved
        let format = result.arguments.firstIndex(of: "--format").map { result.arguments[$0 + 1] }
        if result.arguments.contains("--json") {
            documents.append(("json", result.output))
        } else if let format, !result.output.isEmpty || !result.text.contains("error: ") {
            documents.append((format, result.output))
        }
        for (form, bytes) in documents {
            if let fault = rawControls(in: bytes) { return "\(form) has \(fault)" }
            if let fault = fault(of: bytes, as: form) { return "\(form): \(fault)" }
        }
        return nil
    }

    /// Everything but line breaks and the indentation of Markdown and HTML is escaped.
    private static func rawControls(in bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "bytes that are not UTF-8"
        }
        for scalar in text.unicodeScalars where scalar != "\n" {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x202E, 0x2028].contains(scalar.value)
            {
                return "a raw U+\(String(scalar.value, radix: 16))"
            }
        }
        return nil
    }

    private static func fault(of bytes: [UInt8], as form: String) -> String? {
        switch form {
        case "json":
            return json(bytes) == nil ? "does not parse" : nil
        case "sarif":
            guard let root = json(bytes) as? [String: Any],
                let runs = root["runs"] as? [[String: Any]]
            else {
                return "does not parse"
            }
            return runs.lazy.flatMap { $0["results"] as? [[String: Any]] ?? [] }.compactMap(region)
                .first
        case "junit":
            let parser = XMLParser(data: Data(bytes))
            return parser.parse() ? nil : "is not XML: \(parser.parserError.map { "\($0)" } ?? "")"
        default: return nil
        }
    }

    private static func json(_ bytes: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    }

    /// Lines and columns count from 1, and a region does not end before it starts.
    private static func region(_ result: [String: Any]) -> String? {
        for location in result["locations"] as? [[String: Any]] ?? [] {
            guard let physical = location["physicalLocation"] as? [String: Any],
                let region = physical["region"] as? [String: Any]
            else { continue }
            let numbers = ["startLine", "startColumn", "endLine", "endColumn"].compactMap {
                region[$0] as? Int
            }
            if numbers.contains(where: { $0 < 1 }) { return "a region with \(numbers)" }
            if let start = region["startColumn"] as? Int, let end = region["endColumn"] as? Int,
                end < start,
                region["endLine"] as? Int ?? 0 <= region["startLine"] as? Int ?? 0
            {
                return "a region that ends before it starts"
            }
        }
        return nil
    }
}
