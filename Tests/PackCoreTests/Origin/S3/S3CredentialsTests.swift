import PackGround
import PackRelease
import Testing

@testable import PackS3

/// Credentials are read like AWS's tools do, and never printed.
@Suite struct S3CredentialsTests {
    private func profiles(credentials: String = "", config: String = "") -> AWSProfiles {
        var profiles = AWSProfiles()
        profiles.read(credentials, isConfig: false)
        profiles.read(config, isConfig: true)
        return profiles
    }

    @Test func theCredentialsFileHasPriority() {
        let found = profiles(
            credentials: "[ci]\naws_access_key_id = ONE\naws_secret_access_key=a=b\n",
            config: "[profile ci]\r\naws_access_key_id = TWO\r\nregion = eu-central-1\r\n")
        #expect(found.credentials(of: "ci")?.keyID == "ONE")
        #expect(found.credentials(of: "ci")?.secret == "a=b")
        #expect(found["ci", "region"] == "eu-central-1")
    }

    @Test func sectionsOfTheConfigFileHaveTheirPrefix() {
        let found = profiles(
            config: """
                [default]
                region = a
                [ci]
                region = b
                [profile ci]
                # comment
                s3 =
                  region = c
                endpoint_url = https://s3.example.com
                [sso-session x]
                region = d
                """)
        #expect(found["default", "region"] == "a")
        #expect(found["ci", "region"] == nil)
        #expect(found["ci", "endpoint_url"] == "https://s3.example.com")
        #expect(!found.has("x"))
    }

    @Test(arguments: ["[", "]", "[]", "=", "= x", "[profile", "\u{0}", "[a]\n==\n"])
    func anythingIsReadWithoutATrap(_ text: String) {
        #expect(profiles(credentials: text, config: text).credentials(of: "default") == nil)
    }

    @Test(arguments: [
        ("{}", "has no \"Version\""), ("not json", "not JSON"),
        (#"{"Version": 2}"#, "has no \"Version\""),
        (#"{"Version": 1, "AccessKeyId": "A"}"#, "has no AccessKeyId"),
        (#"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": 7}"#, "has no AccessKeyId"),
    ]) func answersOfProgramsAreChecked(_ text: String, _ problem: String) {
        let error = #expect(throws: Failure.self) {
            try S3Credentials(processAnswer: Array(text.utf8), profile: "ci")
        }
        #expect(error.map { "\($0)".contains(problem) } == true)
    }

    @Test func secretsAreNeverPrinted() throws {
        let credentials = try S3Credentials(
            processAnswer: Array(
                #"{"Version": 1, "AccessKeyId": "AKIAEXAMPLE7Q", "SecretAccessKey": "hunter2", "SessionToken": "hunter3"}"#
                    .utf8), profile: "ci")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("hunter"), "\(text)")
        }
        #expect(credentials.shown == "the credentials (profile ci, AKIA…7Q)")
    }

    // MARK: XML

    @Test func readsAListing() {
        let text = """
            <?xml version="1.0"?><!-- x --><s:R xmlns:s="u"><Key>a&amp;b&#252;</Key><Key>c</Key><Empty/></s:R>
            """
        let root = S3XML.parse(Array(text.utf8))
        #expect(root?.name == "R")
        #expect(root?.all("Key").map(\.text) == ["a&bü", "c"])
        #expect(root?["Empty"] == "")
    }

    @Test(arguments: [
        "", "x", "<a>", "<a></b>", "<a/><b/>", "<a>&bomb;</a>", "<a>&#xD800;</a>", "<a>&#x+41;</a>",
        "<a", "</a>",
        "<a>&amp</a>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
        "<a><a><a><a><a><a><a><a><a></a></a></a></a></a></a></a></a></a>",
    ]) func refusesWhatIsNotOneDocument(_ text: String) {
        #expect(S3XML.parse(Array(text.utf8)) == nil)
    }
}
