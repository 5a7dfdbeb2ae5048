#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A value that one thread at a time can access.
///
/// The `Mutex` of the standard library needs iOS 18.
@safe package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(lock, nil)
        self.value = value
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// Calls `body` with the value, which it must not keep.
    package func withLock<Result: ~Copyable, Problem: Error>(
        _ body: (inout Value) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
