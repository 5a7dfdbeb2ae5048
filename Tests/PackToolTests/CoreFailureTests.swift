import Foundation
import PackArchive
import PackCommands
import PackGround
import PackOrigin
import PackS3
import TestSupport
import Testing

/// Every failure of the libraries describes the problem and the next step, and its code is stable.
struct CoreFailureTests {
    private static let all =
        CoreFailures.origin + CoreFailures.install + CoreFailures.build + CoreFailures.argument
        + CoreFailures.bucket + CoreFailures.web + CoreFailures.rewrite + CoreFailures.delta
        + CoreFailures.archive + CoreFailures.compressor

    @Test func noTwoAreTheSame() {
        #expect(Set(Self.all.map(\.code)).count == Self.all.count)
    }

    @Test func everyFailureSaysEnough() {
        for failure in Self.all {
            let name = failure.code.name
            #expect(failure.description.count > 4, "\(name)")
            #expect(failure.unaffected != "", "\(name)")
            #expect("\(failure)" == failure.description)
            #expect(Remedies.remedy(of: failure).count > 8, "\(name)")
            // zlib failing without a reason is the only bug among them.
            let isBug = Remedies.remedy(of: failure).contains("bug in packtool")
            #expect(isBug == (failure.code == .compressorStreamFailed), "\(name)")
        }
    }

    /// Conflicts exit with 3, so that a pipeline can retry; damage exits with 1.
    @Test func classesOfFailure() {
        let names = { (kind: ExitCode) in
            (CoreFailures.origin + CoreFailures.install + CoreFailures.build
                + CoreFailures.argument).filter { $0.exitCode == kind }.map(\.code.name)
        }
        #expect(names(.conflict) == ["install.busy"])
        #expect(names(.usage) == ["usage.app-name", "usage.base-url", "usage.channel"])
        #expect(
            names(.verification) == [
                "origin.invalid-pointer", "origin.log-differs", "origin.log-missing",
                "origin.url-elsewhere", "origin.missing", "origin.differs", "install.other-app",
                "install.replayed", "install.split-view", "install.expired", "install.expired",
                "install.disabled", "install.bypassed", "install.closed", "install.not-offered",
                "install.not-for-every-device", "install.tree-differs", "manifest.invalid",
            ])
    }

    @Test(
        "the remedy for a missing permission depends on the action and the file",
        arguments: [
            ("DeleteObject", "releases/a/info.json", "prune with an identity"),
            ("DeleteObject", ".packtool/intents/a", "allow it"),
            ("PutObject", "root/2.json", "publish trust roots with an identity"),
            ("PutObject", "info.json", "allow it"),
        ])
    func permissions(_ action: String, _ place: String, _ help: String) {
        let failure = Failure.s3Denied(
            credentials: "a key", action: action, place: "s3://shop/app/\(place)", request: nil)
        #expect(Remedies.remedy(of: failure).hasPrefix(help))
    }

    @Test func remediesNameTheOption() {
        let expected: [(Failure, String)] = [
            (.s3Full(place: "p", code: "c", request: nil), "packtool prune"),
            (.s3Redirected(place: "p", target: "t", request: nil), "--endpoint"),
            (
                .s3WrongRegion(bucket: "b", actual: "eu-north-1", given: "g", request: nil),
                "--region eu-north-1"
            ),
            (.s3NotS3(place: "p", problem: "q"), "--endpoint"),
            (
                .originNothingPublished(channel: "c", origin: "o", answer: "a"),
                "allow the CDN to read"
            ),
            (.buildFileTooLarge(path: "p", size: 2, limit: 1), "'exclude:'"),
            (.deltaInvalidManifest(place: "p", problem: "q"), "create or fetch the delta again"),
        ]
        for (failure, words) in expected {
            #expect(Remedies.remedy(of: failure).contains(words), "\(failure.code.name)")
        }
    }

    @Test func theRemedyOfTheFirstAddressIsGiven() {
        for first in CoreFailures.web {
            let failure = Failure.httpEveryAddress(count: 2, first: first)
            #expect(Remedies.remedy(of: failure) == Remedies.remedy(of: first))
            #expect(failure.code.name == first.code.name)
            #expect(failure.traits == first.traits && failure.exitCode == first.exitCode)
        }
    }
}
