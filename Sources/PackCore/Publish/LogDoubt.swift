import PackOrigin
import PackTrust

/// Says of the entries of a log, in ascending order, which ones do not count for the next pointer.
///
/// An entry that does not count is skipped where its number is needed, and nothing else: neither a stolen key nor access
/// to the storage alone uses up sequences, and no pointer names such an entry as the one that it replaced.
struct LogDoubt: Sendable {
    private let signing: PointerSigning
    /// Whether something below the entry is signed: the origin had its first root before that.
    private var isAfterSigned: Bool

    init(_ signing: PointerSigning, isAfterSigned: Bool) {
        self.signing = signing
        self.isAfterSigned = isAfterSigned
    }

    /// Why an entry does not count; `nil` for what keys signed in the present epoch, and for what may be from before the
    /// first root.
    mutating func reasonNotToCount(_ entry: OriginReader.Published) -> String? {
        do {
            let standing = try signing.chain.standing(of: entry)
            switch standing {
            case .signed:
                isAfterSigned = true
                return nil
            case .earlierEpoch: isAfterSigned = true
            case .unsigned:
                let pointer = entry.pointer
                if !isAfterSigned, pointer.sequence < signing.root.floor(pointer.channel) {
                    return nil
                }
            }
            return standing.reason(newest: signing.root)
        } catch {
            return "\(error)"
        }
    }
}
