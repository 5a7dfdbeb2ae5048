import CFiles

/// Returns freed memory to the system.
///
/// Call it between two steps that each need much memory: glibc keeps freed memory per thread, so
/// the next step, on another thread, would allocate the same amount again.
package func releaseFreedMemory() { cfiles_release_freed_memory() }
