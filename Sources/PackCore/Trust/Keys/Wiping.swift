import CFiles

/// Overwrites secret bytes before their memory is freed.
///
/// The compiler cannot remove this write, unlike a loop over memory that is not read afterwards.
package func wipe(_ secret: inout [UInt8]) {
    unsafe secret.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { unsafe cfiles_forget(start, bytes.count) }
    }
    secret.removeAll()
}
