import CArchive

/// Overwrites secret bytes before their memory is given back.
///
/// The compiler cannot leave the write out, unlike a loop over memory that is not read again.
package func wipe(_ secret: inout [UInt8]) {
    unsafe secret.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { unsafe carchive_forget(start, bytes.count) }
    }
    secret.removeAll()
}
