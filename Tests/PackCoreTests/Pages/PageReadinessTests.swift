import PackPages
import Testing

struct PageReadinessTests {
    typealias Event = PageReadiness.Event

    private func times(
        _ mode: PageReadiness.Mode, _ events: [(Event, Double)]
    ) -> [Double] {
        var readiness = PageReadiness(mode)
        return events.filter { readiness.handle($0.0, now: $0.1) }.map(\.1)
    }

    @Test func automaticNeedsALoadedPageThatStaysAlive() {
        #expect(
            times(.automatic, [(.loaded, 5), (.alive, 14.9), (.alive, 15), (.alive, 30)]) == [15])
        #expect(times(.automatic, [(.alive, 30)]).isEmpty)
        #expect(times(.automatic, [(.loaded, 5)]).isEmpty)
    }

    @Test func theEndOfTheProcessStartsAgain() {
        #expect(
            times(
                .automatic,
                [
                    (.loaded, 0), (.ended, 9), (.alive, 11), (.loaded, 12), (.alive, 21),
                    (.alive, 22),
                ]
            ) == [22])
    }

    @Test func leavingALoadedPageConfirmsIt() {
        #expect(times(.automatic, [(.left, 0), (.loaded, 1), (.ended, 2), (.left, 3)]) == [])
        #expect(times(.automatic, [(.loaded, 1), (.left, 2)]) == [2])
        #expect(times(.manual, [(.loaded, 1), (.left, 2)]) == [])
    }

    @Test func aSecondPageDoesNotDelay() {
        #expect(times(.automatic, [(.loaded, 0), (.loaded, 8), (.alive, 10)]) == [10])
    }

    @Test func thePageCanCall() {
        for mode in [PageReadiness.Mode.automatic, .manual] {
            #expect(times(mode, [(.ready, 1), (.ready, 2), (.ended, 3), (.ready, 4)]) == [1])
        }
        #expect(times(.manual, [(.loaded, 0), (.alive, 60)]).isEmpty)
    }

    @Test func messagesAreEvents() {
        #expect(
            ["loaded", "alive", "ready", "ended", ""].map { Event(message: $0) }
                == [.loaded, .alive, .ready, nil, nil])
    }

    @Test func aClockThatGoesBackDelays() {
        #expect(times(.automatic, [(.loaded, 50), (.alive, 3), (.alive, 60)]) == [60])
    }
}
