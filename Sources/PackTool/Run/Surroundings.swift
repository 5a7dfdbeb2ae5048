import PackCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Everything the tool learns from outside its arguments and files: clock, environment, processors.
enum Surroundings {
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The time of this run.
    ///
    /// `SOURCE_DATE_EPOCH` replaces it (reproducible-builds.org specification 1.1).
    ///
    /// - Throws: ``InvalidWord`` where that is not a number of seconds.
    static func now() throws -> Timestamp { try moment(of: "SOURCE_DATE_EPOCH") }

    /// The time by which a client judges what has expired: the machine's clock.
    ///
    /// `SOURCE_DATE_EPOCH` does not count here: a job that sets it to its commit's time would find nothing expired.
    /// `PACKTOOL_CLOCK` replaces it, for tests.
    ///
    /// - Throws: ``InvalidWord`` where that is not a number of seconds.
    static func clientTime() throws -> Timestamp { try moment(of: "PACKTOOL_CLOCK") }

    private static func moment(of name: String) throws -> Timestamp {
        guard let text = variable(name) else { return clock }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Int(text), seconds <= 253_402_300_799
        else {
            throw InvalidWord(
                kind: name, word: text,
                problem: "is not a number of seconds since 1970",
                example: "1795248000")
        }
        return Timestamp(seconds: seconds)
    }

    /// The machine's clock, even if `SOURCE_DATE_EPOCH` is set.
    static var clock: Timestamp { Timestamp(seconds: time(nil)) }

    static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How many files are worked on at a time: the processors, or what `PACKTOOL_JOBS` says.
    static func jobs() throws -> Int {
        guard let text = variable("PACKTOOL_JOBS") else {
            return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        }
        guard let jobs = Int(text), (1...256).contains(jobs) else {
            throw InvalidWord(
                kind: "PACKTOOL_JOBS", word: text, problem: "is not a number from 1 to 256",
                example: "4")
        }
        return jobs
    }

    /// Seconds that a connection may take or be idle, where `PACKTOOL_HTTP_TIMEOUT` says so.
    static func networkPatience() throws -> Int? {
        guard let text = variable("PACKTOOL_HTTP_TIMEOUT") else { return nil }
        guard let seconds = Int(text), (1...3600).contains(seconds) else {
            throw InvalidWord(
                kind: "PACKTOOL_HTTP_TIMEOUT", word: text,
                problem: "is not a number of seconds from 1 to 3600", example: "30")
        }
        return seconds
    }

    static var temporaryDirectory: String { variable("TMPDIR") ?? "/tmp" }
}
