import Foundation
import PackArchive
import PackCommands
import PackDeltaFile
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackS3
import PackTrust
import PackZip
import TestSupport
import Testing

/// The sources declare the codes of failures; the catalogue gives each its remedy.
struct RemedyTests {
    /// A code as declared in the sources.
    private struct Declaration {
        let identifier: String
        let name: String
        let variant: String
        let file: String

        /// Whether the name contains a value, such as the key of a setting.
        var isFamily: Bool { name.contains("\\(") }
        var code: Failure.Code { Failure.Code(name, variant) }

        func matches(_ code: Failure.Code) -> Bool {
            guard isFamily else { return code == self.code }
            let parts = name.replacing(#/\\\([^)]*\)/#, with: "\n").split(
                separator: "\n", omittingEmptySubsequences: false)
            return code.variant == variant && code.name.hasPrefix(parts[0])
                && code.name.hasSuffix(parts[parts.count - 1])
        }
    }

    /// The text of the sources by path, without the catalogue.
    private static let sources: [(path: String, text: String)] = {
        let root = Checkout.path + "/Sources"
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") && !$0.contains("/Remedies/") }.compactMap {
            path in
            (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)).map { (path, $0) }
        }
    }()

    /// The members used in the sources, such as `.publishBusy`, and their literals, such as
    /// `"publish.busy"`.
    private static let words: (members: Set<String>, literals: Set<String>) = {
        var (members, literals): (Set<String>, Set<String>) = ([], [])
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".utf8)
        for (_, text) in sources {
            let bytes = Array(text.utf8)
            for (index, byte) in bytes.enumerated() {
                if byte == UInt8(ascii: ".") {
                    let word = bytes[(index + 1)...].prefix { letters.contains($0) }
                    if word.count > 2 { members.insert(String(decoding: word, as: UTF8.self)) }
                } else if byte == UInt8(ascii: "\"") {
                    let rest = bytes[(index + 1)...]
                    let word = rest.prefix {
                        letters.contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
                    }
                    if word.count > 2, rest.dropFirst(word.count).first == byte {
                        literals.insert(String(decoding: word, as: UTF8.self))
                    }
                }
            }
        }
        return (members, literals)
    }()

    private static let declarations: [Declaration] = sources.flatMap { path, text in
        let blocks = text.matches(of: #/extension Failure\.Code \{\n(?<block>[\s\S]*?)\n\}/#)
            .map { String($0.block) }.joined(separator: "\n")
        let pattern =
            #/
            static\ (?:let|func)\ (?<identifier>\w+) (?: \([^{]*\)\ ->\ Self\ \{ | \ = )
            \s* (?:Self|Failure\.Code|Code) \( \s* "(?<name>[^"]+)" (?:,\s*"(?<variant>[^"]*)")? \s* \)
            /#
        return blocks.matches(of: pattern).map { match in
            Declaration(
                identifier: String(match.identifier), name: String(match.name),
                variant: match.variant.map(String.init) ?? "", file: path)
        }
    }

    private static let codes = Remedies.tables.flatMap { $0.keys }

    /// A value for every detail that a remedy reads.
    private static let details: [String: String] = {
        let folder = Checkout.path + "/Sources/PackTool/Remedies"
        var details: [String: String] = [:]
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let text = (try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)) ?? ""
            for match in text.matches(of: #/\["(\w+)"\]/#) {
                details[String(match.1)] = "run 'packtool'"
            }
        }
        details["key"] = "app"
        return details
    }()

    private static func failure(_ code: Failure.Code) -> Failure {
        Failure(code, "x", details: details, cause: .publishBusy(origin: "o"))
    }

    @Test func theSourcesDeclareCodes() {
        let names = Self.declarations.map(\.name)
        for name in [
            "publish.busy", "trust.unsigned", "key.weak", "input.release", "config.malformed",
        ] {
            #expect(names.contains(name))
        }
        for declaration in Self.declarations {
            let all = Self.declarations.filter {
                $0.name == declaration.name && $0.variant == declaration.variant
            }
            #expect(all.count == 1, "\(declaration)")
        }
    }

    @Test func everyCodeHasOneRemedy() {
        for declaration in Self.declarations {
            let count = Self.codes.count { declaration.matches($0) }
            #expect(declaration.isFamily ? count > 0 : count == 1, "\(declaration): \(count)")
        }
        for code in Self.codes where !code.isOf("archive") {
            #expect(Self.declarations.contains { $0.matches(code) }, "\(code)")
        }
        #expect(Set(Self.codes).count == Self.codes.count)
    }

    /// Codes of archives are made from an ``ArchiveProblem``.
    @Test func everyCodeHasAMaker() {
        for declaration in Self.declarations where !declaration.code.isOf("archive") {
            #expect(Self.words.members.contains(declaration.identifier), "\(declaration)")
        }
    }

    @Test func remediesAreImperatives() throws {
        for table in Remedies.tables {
            for (code, remedy) in table {
                for failure in [Failure(code, "x"), Self.failure(code)] {
                    let text = remedy(failure)
                    guard text != failure["remedy"] else { continue }
                    #expect(text.count > 8, "\(code): \(text)")
                    #expect(text.first?.isLowercase == true, "\(code): \(text)")
                    #expect(text.last != ".", "\(code): \(text)")
                }
            }
        }
    }

    /// Regression: `rewrite` suggested `--to`, which only `publish` has.
    @Test func remediesNameExistingOptions() throws {
        let help = try String(
            contentsOfFile: Checkout.path + "/Tests/PackToolTests/Snapshots/help.txt",
            encoding: .utf8)
        let known = Set(Self.options(in: help, afterSpacesOnly: true))
        #expect(known.contains("--base-url") && known.contains("--form"))
        let rewrite = try #require(
            help.components(separatedBy: "\n=== ").first { $0.hasPrefix("rewrite\n") })
        let own = Set(Self.options(in: rewrite, afterSpacesOnly: true))
        for table in Remedies.tables {
            for (code, remedy) in table {
                let options = Self.options(in: remedy(Self.failure(code)))
                for option in options {
                    #expect(known.contains(option), "\(code): \(option)")
                    #expect(!code.isOf("rewrite") || own.contains(option), "\(code): \(option)")
                }
            }
        }
    }

    /// The words that start with two dashes.
    ///
    /// - Parameter afterSpacesOnly: Whether to read only lines that start with an option.
    private static func options(in text: String, afterSpacesOnly: Bool = false) -> [String] {
        let lines = text.split(separator: "\n").filter { line in
            !afterSpacesOnly || line.hasPrefix("  -")
        }
        let words = lines.flatMap { line in
            line.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        }
        return words.filter { $0.hasPrefix("--") && $0.count > 2 }
    }

    /// Failures whose remedies depend on their values, or once named a wrong step.
    private static let steps: [(Failure, String)] = [
        (.pruneUnderWay(channel: "c", path: "p"), "--abandon"),
        (.pruneDamagedEntry(path: "p", problem: "q"), "remove"),
        (
            .publishReleaseDiffers(path: "p", what: "w", values: nil, canBeCorrected: true),
            "--allow-identity-change"
        ),
        (
            .publishReleaseDiffers(path: "p", what: "w", values: nil, canBeCorrected: false),
            "publish to a new origin"
        ),
        (.publishNotRemade(path: "p"), "--commit"),
        (.publishNotRepacked(path: "p"), "--level"),
        (.publishForeignEntry(path: "p", problem: "q", next: 2), "remove it"),
        (.publishConcurrentUpload(path: "p"), "run the same command again: it uses that file"),
        (
            .publishExpiredUnderRoot(expires: "e", createdAt: "c", root: 1),
            "longer --expires-in-days"
        ),
        (.signingForgedPointer(path: "p", problem: "q"), "'log' directory"),
        (
            .trustRootNotVisible(path: "p", version: 1, seconds: 1, last: "l", isKept: true),
            "purge 'p'"
        ),
        (
            .trustRootNotVisible(path: "p", version: 1, seconds: 1, last: "l", isKept: false),
            "copy the origin"
        ),
        (.trustRootExpired(version: 1, at: "t"), "make it again"),
        (.trustFloorTooLow(version: 2, channel: "c", sequence: 3), "--floor c=4"),
        (.trustRootGap(path: "p", newest: 0), "publish root 1 first"),
        (
            .trustBadSignature(path: "p", role: "root", valid: 0, threshold: 1),
            "have the missing keys sign it"
        ),
        (
            .trustBadSignature(path: "p", role: "release", valid: 0, threshold: 1),
            "publish again with the keys of this channel"
        ),
        (.s3Full(path: "p", code: "c", request: nil), "packtool prune"),
        (.s3Redirected(path: "p", target: "t", request: nil), "--endpoint"),
        (
            .s3WrongRegion(bucket: "b", actual: "eu-north-1", given: "g", request: nil),
            "--region eu-north-1"
        ),
        (.s3NotS3(path: "p", problem: "q"), "--endpoint"),
        (
            .originNothingPublished(channel: "c", origin: "o", answer: "a"),
            "allow the CDN to read"
        ),
        (.buildFileTooLarge(path: "p", size: 2, limit: 1), "'exclude:'"),
        (.deltaInvalidManifest(path: "p", problem: "q"), "create or fetch the delta again"),
    ]

    @Test func remediesFitTheirFailures() {
        for (failure, text) in Self.steps {
            let remedy = Remedies.remedy(of: failure)
            #expect(remedy.contains(text), "\(failure.code): \(remedy)")
        }
    }

    @Test(
        "the remedy for a missing permission depends on the action and the file",
        arguments: [
            ("DeleteObject", "releases/a/info.json", "prune with an identity"),
            ("DeleteObject", ".packtool/intents/a", "allow it"),
            ("PutObject", "root/2.json", "publish trust roots with an identity"),
            ("PutObject", "info.json", "allow it"),
        ])
    func permissions(_ action: String, _ path: String, _ help: String) {
        let failure = Failure.s3Denied(
            credentials: "a key", action: action, path: "s3://shop/app/\(path)", request: nil)
        #expect(Remedies.remedy(of: failure).hasPrefix(help))
    }

    @Test func theRemedyOfTheFirstAddressIsGiven() {
        for first in CoreFailures.web {
            let failure = Failure.httpEveryAddress(count: 2, first: first)
            #expect(Remedies.remedy(of: failure) == Remedies.remedy(of: first))
            #expect(failure.code.name == first.code.name)
            #expect(failure.traits == first.traits && failure.exitCode == first.exitCode)
        }
    }

    /// zlib failing without a reason is the only bug among the failures of the libraries.
    @Test func onlyABugIsToBeReported() {
        let bugs = CoreFailures.all.filter { Remedies.remedy(of: $0).contains("bug in packtool") }
        #expect(bugs.map(\.code) == [.compressorStreamFailed])
    }

    /// The stable codes for scripts.
    ///
    /// Codes may be added to the file, but never changed.
    @Test func codesAreStable() throws {
        let golden = try String(
            contentsOfFile: Checkout.path + "/Tests/PackToolTests/Golden/codes.txt", encoding: .utf8
        ).split(separator: "\n").map(String.init)
        #expect(golden == golden.sorted() && Set(golden).count == golden.count)
        for declaration in Self.declarations where !declaration.isFamily {
            #expect(golden.contains(declaration.name), "\(declaration)")
            #expect(
                declaration.name.contains(#/^[a-z0-9-]+(\.[a-z0-9-]+)?$/#), "\(declaration)")
        }
        for name in golden {
            // These areas make their codes from the rule, the operation or the kind of argument.
            let isMade = ["archive.", "file-system.", "usage."].contains(where: name.hasPrefix)
            #expect(isMade || Self.words.literals.contains(name), "\(name)")
        }
    }
}
