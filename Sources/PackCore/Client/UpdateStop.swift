import PackGround
import PackOrigin

/// A state of a channel in which no device updates, whatever its pointer offers.
enum UpdateStop: Equatable {
    case bypassed
    case closed
    case disabled
    case expired(at: Timestamp)
}

extension Pointer {
    /// The first reason why no device updates with this pointer; `nil` if there is none.
    func updateStop(at now: Timestamp) -> UpdateStop? {
        if bypasses { return .bypassed }
        if isClosed { return .closed }
        guard isEnabled else { return .disabled }
        return expires.flatMap { $0 <= now ? .expired(at: $0) : nil }
    }
}
