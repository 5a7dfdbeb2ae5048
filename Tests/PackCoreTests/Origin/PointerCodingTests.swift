import Foundation
import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

struct PointerCodingTests {
    /// Written by hand and by Python (json, hashlib), not by this code.
    static let golden = """
        {
          "schema": 1,
          "app": "shop",
          "channel": "production",
          "sequence": 418,
          "previous": 417,
          "root": null,
          "operation": "publish",
          "by": null,
          "source": null,
          "createdAt": "2026-11-21T08:00:00Z",
          "expires": "2027-02-19T08:00:00Z",
          "version": "620dee92df08a50738ec",
          "packageHash": "620dee92df08a50738ec467264ce75661d36e1751b78221626a9895f50403093",
          "tree": {
            "assets": 3,
            "size": 19
          },
          "label": "2.4.1",
          "launch": "index.html",
          "info": {
            "url": "https://cdn.example.com/shop/releases/620dee92df08a50738ec/info.json",
            "sha256": "db171631a57e03bda8f96b2c1fdfdcb36ec2524421680b9cc9d1b38c29869791",
            "size": 1665
          },
          "package": {
            "url": "https://cdn.example.com/shop/releases/620dee92df08a50738ec/package.zip",
            "sha256": "4a70fe9aa6436e02c2dea340fbd1e352e4ef2d8ce6ca52ad25d4b95471fc8bf2",
            "size": 412
          },
          "deltas": [],
          "rollout": 100,
          "rolloutSalt": null,
          "mandatory": false,
          "mandatorySequence": null,
          "enabled": true,
          "bypass": false,
          "minNativeVersion": null,
          "maxNativeVersion": null,
          "fallbacks": []
        }

        """

    @Test func goldenBytes() throws {
        #expect(
            String(decoding: PointerCoding.encode(try Sample.pointer()), as: UTF8.self)
                == Self.golden)
    }

    @Test func comesBackAsItWas() throws {
        #expect(try PointerCoding.decode(Array(Self.golden.utf8)) == Sample.pointer())
        var pointer = try Sample.pointer()
        pointer.label = nil
        pointer.entry.launch = nil
        pointer.native = NativeRanges(
            NativeRange(lowest: try NativeVersion("3.2"), highest: try NativeVersion("3")))
        pointer.isMandatory = true
        pointer.mandatorySequence = 400
        pointer.bypasses = true
        pointer.root = 3
        pointer.operation = .promote
        pointer.by = "ci/8812"
        pointer.source = .init(channel: try Channel("beta"), sequence: 7)
        var fallback = pointer.entry
        fallback.rolloutSalt = "ring-1"
        fallback.rollout = 50
        fallback.native = NativeRanges(
            ios: NativeRange(highest: try NativeVersion("3")),
            android: NativeRange(lowest: try NativeVersion("104")))
        pointer.fallbacks = [Pointer.Entry](repeating: fallback, count: 8)
        pointer.isEnabled = false
        pointer.rollout = 0
        pointer.sequence = 1 << 53 - 1
        pointer.deltas = [
            Pointer.Delta(
                from: pointer.version, fromHash: pointer.packageHash, content: pointer.package,
                needs: .init(memory: 1 << 20, coded: 1 << 53 - 1, copied: 7))
        ]
        #expect(try PointerCoding.decode(PointerCoding.encode(pointer)) == pointer)
    }

    /// The format of packtool 1.0, without the members for shares and native versions.
    @Test func newMembersMayBeMissing() throws {
        let new: Set = [
            "previous", "root", "operation", "by", "source", "rolloutSalt", "mandatorySequence",
            "bypass", "launch", "maxNativeVersion",
        ]
        let lines = Self.golden.split(separator: "\n").filter { line in
            !new.contains { line.contains("\"\($0)\":") } && !line.contains("fallbacks")
        }
        let text = lines.joined(separator: "\n").replacingOccurrences(
            of: "\"minNativeVersion\": null,", with: "\"minNativeVersion\": null")
        var expected = try Sample.pointer()
        expected.previous = nil
        expected.operation = nil
        expected.entry.launch = nil
        #expect(try PointerCoding.decode(Array(text.utf8)) == expected)
    }

    private static func platforms(_ text: String) -> [UInt8] {
        let text = golden.replacingOccurrences(
            of: "  \"fallbacks\"", with: "  \"platforms\": \(text),\n  \"fallbacks\"")
        return Array(text.utf8)
    }

    /// Older readers ignore `platforms`, and read the strictest limits in the members before it.
    @Test func platformsFollowTheStrictestLimits() throws {
        var pointer = try Sample.pointer()
        pointer.native = NativeRanges(
            ios: NativeRange(lowest: try NativeVersion("3.2"), highest: try NativeVersion("3")),
            android: NativeRange(lowest: try NativeVersion("3.4")))
        let text = String(decoding: PointerCoding.encode(pointer), as: UTF8.self)
        #expect(
            text.contains(
                """
                  "minNativeVersion": "3.4",
                  "maxNativeVersion": "3",
                  "platforms": {
                    "ios": {"minNativeVersion": "3.2", "maxNativeVersion": "3"},
                    "android": {"minNativeVersion": "3.4", "maxNativeVersion": null}
                  },
                  "fallbacks": []
                """))
        #expect(try PointerCoding.decode(Array(text.utf8)) == pointer)
    }

    /// A platform without an object has the limits of clients that name none.
    @Test func platformsMayBeMissing() throws {
        for text in ["null", "{}", "{\"ios\": null}", "{\"later\": 7}"] {
            #expect(try PointerCoding.decode(Self.platforms(text)) == Sample.pointer(), "\(text)")
        }
        let one = try PointerCoding.decode(
            Self.platforms("{\"android\": {\"minNativeVersion\": \"3\"}}"))
        #expect(one.native[.android].lowest?.description == "3")
        #expect(one.native[.ios].isUnlimited && one.native[nil].isUnlimited)
        #expect(!one.entry.isUnconditional)
    }

    private static let wrongPlatforms = [
        ("[]", "platforms is not an object"),
        ("{\"ios\": \"3\"}", "platforms.ios is not an object"),
        (
            "{\"ios\": {\"minNativeVersion\": \"3.x\"}}",
            "platforms.ios.minNativeVersion is not a version such as 3.2"
        ),
        (
            "{\"android\": {\"minNativeVersion\": \"3.5\", \"maxNativeVersion\": \"3.4\"}}",
            "platforms.android.maxNativeVersion is below minNativeVersion"
        ),
    ]

    @Test(arguments: wrongPlatforms)
    func platformsAreChecked(_ text: String, _ problem: String) throws {
        let error = #expect(throws: (any Error).self) {
            try PointerCoding.decode(Self.platforms(text))
        }
        if let error { #expect("\(error)".hasPrefix(problem), "\(error)") }
    }

    /// An operation is for people, so a reader must ignore unknown ones.
    @Test func anUnknownOperationIsNone() throws {
        let text = Self.golden.replacingOccurrences(of: "\"publish\"", with: "\"celebrate\"")
        #expect(try PointerCoding.decode(Array(text.utf8)).operation == nil)
    }

    @Test func unknownMembersAreIgnored() throws {
        let text = Self.golden.replacingOccurrences(
            of: "\"schema\": 1,", with: "\"schema\": 1, \"salt\": {\"x\": [1.5]},")
        #expect(try PointerCoding.decode(Array(text.utf8)) == Sample.pointer())
    }

    typealias Case = MalformedDocument

    static let cases: [Case] = [
        Case("\"schema\": 1", "\"schema\": 2", "schema is 2; this packtool reads 1"),
        Case("\"schema\": 1,", "", "schema is missing"),
        Case("\"app\": \"shop\"", "\"app\": \"sh op\"", "the app name 'sh op' may contain"),
        Case("\"app\": \"shop\"", "\"app\": [\"shop\"]", "app is not a string"),
        Case(
            "\"app\": \"shop\"", "\"app\": \"shop\", \"app\": \"shop\"",
            "the key \"app\" appears twice"),
        Case(
            "\"production\"", "\"Production\"", "the channel 'Production' contains a capital letter"
        ),
        Case("\"production\"", "\"../beta\"", "the channel '../beta' may contain"),
        Case("\"production\"", "\"\"", "the channel '' is not 1 to 64"),
        Case(
            "\"sequence\": 418", "\"sequence\": 0", "sequence is 0, outside 1 to 9007199254740991"),
        Case("\"sequence\": 418", "\"sequence\": -418", "sequence is -418, outside"),
        Case("\"sequence\": 418", "\"sequence\": 418.0", "sequence is not a whole number"),
        Case("\"sequence\": 418", "\"sequence\": 4e2", "sequence is not a whole number"),
        Case("\"sequence\": 418", "\"sequence\": \"418\"", "sequence is not a whole number"),
        Case(
            "\"sequence\": 418", "\"sequence\": 9007199254740992",
            "a number is larger than 2^53 - 1"),
        Case("\"sequence\": 418", "\"sequence\": NaN", "not valid JSON"),
        Case("\"sequence\": 418", "\"sequence\": null", "sequence is missing"),
        Case("2026-11-21T08:00:00Z", "2026-11-21", "createdAt is not a time such as"),
        Case("2026-11-21T08:00:00Z", "2026-11-31T08:00:00Z", "createdAt is not a time such as"),
        Case("2027-02-19T08:00:00Z", "2027-02-29T08:00:00Z", "expires is not a time such as"),
        Case("\"2027-02-19T08:00:00Z\"", "1803110400", "expires is not a string"),
        Case(
            "\"version\": \"620d", "\"version\": \"620e",
            "version is not the first 20 digits of packageHash"),
        Case("\"version\": \"620d", "\"version\": \"620D", "version is not a version of 20"),
        Case(
            "\"packageHash\": \"620d", "\"packageHash\": \"620e",
            "version is not the first 20 digits"),
        Case("\"packageHash\": \"620d", "\"packageHash\": \"20d", "packageHash is not a SHA-256"),
        Case("\"assets\": 3", "\"assets\": 200001", "tree.assets is 200001, outside"),
        Case("\"assets\": 3,", "", "tree.assets is missing"),
        Case("\"size\": 19", "\"size\": -1", "tree.size is -1, outside"),
        Case("\"tree\": {", "\"trees\": {", "tree is missing"),
        Case("\"label\": \"2.4.1\"", "\"label\": 2.4", "label is not a string"),
        Case("\"info\": {", "\"info\": null, \"x\": {", "info is missing"),
        Case("\"info\": {", "\"info\": \"\", \"x\": {", "info is not an object"),
        Case("\"size\": 1665", "\"size\": -1", "info.size is -1, outside"),
        Case("\"size\": 1665", "\"size\": 1665.5", "info.size is not a whole number"),
        Case("\"sha256\": \"db17", "\"sha256\": \"DB17", "info.sha256 is not a SHA-256"),
        Case("\"url\": \"https", "\"url\": 3, \"x\": \"https", "info.url is not a string"),
        Case("\"package\": {", "\"x\": {", "package is missing"),
        Case("\"size\": 412", "\"size\": 9007199254740993", "a number is larger than 2^53 - 1"),
        Case("\"sha256\": \"4a70", "\"sha256\": \"4a7", "package.sha256 is not a SHA-256"),
        Case("\"deltas\": []", "\"deltas\": null", "deltas is missing"),
        Case("\"deltas\": []", "\"deltas\": [{}]", "deltas[0].from is missing"),
        Case("\"deltas\": []", "\"deltas\": [[]]", "deltas[0] is not an object"),
        Case(
            "\"deltas\": []",
            "\"deltas\": [" + [String](repeating: "0", count: 101).joined(separator: ",") + "]",
            "deltas has 101 elements"),
        Case("\"rollout\": 100", "\"rollout\": 101", "rollout is 101, outside 0 to 100"),
        Case("\"rollout\": 100", "\"rollout\": -1", "rollout is -1, outside 0 to 100"),
        Case("\"rollout\": 100", "\"rollout\": true", "rollout is not a whole number"),
        Case("\"mandatory\": false", "\"mandatory\": 0", "mandatory is not true or false"),
        Case("\"mandatory\": false,", "", "mandatory is missing"),
        Case("\"enabled\": true", "\"enabled\": \"true\"", "enabled is not true or false"),
        Case("\"enabled\": true", "\"enabled\": null", "enabled is missing"),
        Case(
            "\"minNativeVersion\": null", "\"minNativeVersion\": 3",
            "minNativeVersion is not a string"),
        Case(
            "\"minNativeVersion\": null", "\"minNativeVersion\": \"3.x\"",
            "minNativeVersion is not a version such as 3.2"),
        Case(
            "\"maxNativeVersion\": null", "\"maxNativeVersion\": \"\"",
            "maxNativeVersion is not a version such as 3.2"),
        Case(
            "\"minNativeVersion\": null,\n  \"maxNativeVersion\": null",
            "\"minNativeVersion\": \"3.5\",\n  \"maxNativeVersion\": \"3.4\"",
            "maxNativeVersion is below minNativeVersion"),
        Case("\"previous\": 417", "\"previous\": 418", "previous is 418, not below the sequence"),
        Case("\"previous\": 417", "\"previous\": 0", "previous is 0, outside 1 to"),
        Case("\"root\": null", "\"root\": -1", "root is -1, outside 1 to"),
        Case("\"operation\": \"publish\"", "\"operation\": 1", "operation is not a string"),
        Case(
            "\"by\": null", "\"by\": \"" + String(repeating: "x", count: 201) + "\"",
            "by is longer than 200 bytes"),
        Case(
            "\"source\": null", "\"source\": {\"channel\": \"beta\"}", "source.sequence is missing"),
        Case(
            "\"rolloutSalt\": null",
            "\"rolloutSalt\": \"" + String(repeating: "x", count: 65) + "\"",
            "rolloutSalt is longer than 64 bytes"),
        Case(
            "\"mandatorySequence\": null", "\"mandatorySequence\": 419",
            "mandatorySequence is 419, outside 1 to 418"),
        Case("\"bypass\": false", "\"bypass\": 1", "bypass is not true or false"),
        Case("\"fallbacks\": []", "\"fallbacks\": {}", "fallbacks is not an array"),
        Case("\"fallbacks\": []", "\"fallbacks\": [{}]", "fallbacks[0].version is missing"),
        Case(
            "\"fallbacks\": []",
            "\"fallbacks\": [" + [String](repeating: "0", count: 9).joined(separator: ",") + "]",
            "fallbacks has 9 elements, more than 8"),
        Case(
            "\"schema\": 1,", "\"schema\": 1, \"x\": " + String(repeating: "[", count: 99),
            "values are nested deeper"),
        Case(
            "{\n  \"schema\"", "\u{FEFF}{\n  \"schema\"", "the text starts with a byte order mark"),
        Case("{\n  \"schema\"", "[] {\n  \"schema\"", "the value is followed by other bytes"),
    ]

    @Test(arguments: cases) func malformed(_ test: Case) throws {
        let found = try #require(Self.golden.range(of: test.find))
        let text = Self.golden.replacingCharacters(in: found, with: test.replacement)
        let error = #expect(throws: (any Error).self) { try PointerCoding.decode(Array(text.utf8)) }
        if let error { #expect("\(error)".hasPrefix(test.problem), "\(error)") }
    }

    @Test func cutShortAtEveryByte() {
        let bytes = Array(Self.golden.utf8)
        for count in 0..<(bytes.count - 1) {
            #expect(throws: JSONError.self) { try PointerCoding.decode(Array(bytes.prefix(count))) }
        }
    }
}
