import CArchive

/// Gives memory that was freed back to the system.
///
/// Between two steps of a command that each need much memory: glibc keeps what one thread freed for that
/// thread, so the next step, on another one, would take as much again.
package func releaseFreedMemory() { carchive_release_freed_memory() }
