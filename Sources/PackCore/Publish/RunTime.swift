extension Timestamp {
    /// The time of a run that began at this one and makes the pointer after `current`.
    ///
    /// Another run can have made that pointer since this one began, while it hashed a build or waited for a store: then
    /// the clock is not wrong, only read too early.
    ///
    /// - Parameter later: reads the time again; `nil` where it cannot be read.
    func caughtUp(with current: Pointer?, _ later: (@Sendable () -> Timestamp)?) -> Timestamp {
        guard let current, self < current.createdAt, let later else { return self }
        return max(self, later())
    }
}
