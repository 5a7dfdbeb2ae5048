import PackGround
import PackPublish
import PackTrust
import TestSupport
import Testing

/// Every failure of the libraries describes the problem, and has an exit code.
///
/// `RemedyTests` has the next steps.
struct CoreFailureTests {
    @Test func noTwoAreTheSame() {
        #expect(Set(CoreFailures.all.map(\.code)).count == CoreFailures.all.count)
    }

    @Test func everyFailureSaysEnough() {
        for failure in CoreFailures.all {
            let name = failure.code.name
            #expect(failure.description.count > 4, "\(name)")
            #expect(failure.unaffected != "", "\(name)")
            #expect("\(failure)" == failure.description)
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

    @Test func classesOfPublishing() {
        let conflicts: [Failure] = [
            .publishBusy(origin: "o"), .publishOvertaken(origin: "o", sequence: 2),
            .publishConcurrentUpload(path: "p"), .publishPruning(origin: "o", path: "p"),
            .publishBlockedByRoot(origin: "o", path: "p"),
            .publishUnderWay(channel: "c", path: "p"), .publishIntentExpired(origin: "o"),
            .publishRootChanged(path: "p"), .pruneUnderWay(channel: "c", path: "p"),
            .prunePruning(path: "p"),
            .proposalOvertaken(path: "p", channel: "c", follows: "f", current: "c"),
        ]
        #expect(conflicts.allSatisfy { $0.exitCode == .conflict })
        let damages: [Failure] = [
            .publishDamaged(path: "p", problem: "q"), .publishNotRepacked(path: "p"),
            .channelReleaseDamaged(name: "n", problem: "q"), .pruneDamagedPin(path: "p"),
            .trustUnsigned(path: "p"), .proposalRefused(path: "p", problem: "q"),
        ]
        #expect(damages.allSatisfy { $0.exitCode == .verification })
        let misuses: [Failure] = [
            .publishNoNativeVersion(lowest: "2", highest: "1"),
            .publishNoNativeVersion(lowest: "2", highest: "1", platform: "iOS"),
            .publishLabelTooLong,
            .publishLabelIsVersion(label: "l"), .channelSameChannel(channel: "c"),
            .rootBadName(name: "n"), .proposalNeedsRoot(path: "p", version: 1),
        ]
        #expect(misuses.allSatisfy { $0.exitCode == .usage })
        #expect(
            [ExitCode.verification, .couldNotDo, .conflict, .usage].map(\.rawValue) == [
                1, 2, 3, 64,
            ])
    }
}
