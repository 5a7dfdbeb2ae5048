import PackOrigin

extension Timestamp {
    /// The time of a run that began at this one and makes the pointer after `current`.
    ///
    /// Another run can have made that pointer since this one began, while it hashed a build or waited for a store: then
    /// the clock is not wrong, only read too early.
    ///
    /// - Parameter later: reads the time again; `nil` where it cannot be read.
    func refreshed(with current: Pointer?, _ later: (@Sendable () -> Timestamp)?) -> Timestamp {
        guard let current, self < current.createdAt, let later else { return self }
        return max(self, later())
    }
}

extension Pointer {
    /// What to say of a pointer that was created at a time to come: each that follows it needs a later one.
    ///
    /// - Parameter clock: the machine's clock. One that is less than a day behind is not worth a word.
    func noteOfLead(over clock: Timestamp) -> String? {
        guard createdAt.seconds - clock.seconds >= 86_400 else { return nil }
        return
            "the pointer is created at \(createdAt), \(createdAt.lead(over: clock)): until then every change of "
            + "the channel needs a later time in SOURCE_DATE_EPOCH"
    }
}
