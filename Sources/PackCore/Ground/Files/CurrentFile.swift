import CArchive

/// The file that a thread is working on, which a crash of the process names.
///
/// A trap cannot be caught: without this, a user whose page crashes packtool learns neither which page it is nor
/// how to go on without it.
package enum CurrentFile {
    /// Makes crashes print the file; called once, when the process starts.
    package static func reportCrashes() { carchive_report_crashes() }

    /// This thread works on a file of a build until ``end()``, without waiting for another task.
    package static func begin(_ path: AssetPath) { begin(named: printable(path.bytes)) }

    /// This thread works on another file.
    ///
    /// - Parameter name: as the user wrote it.
    package static func begin(_ name: String) { begin(named: printable(name.utf8)) }

    private static func begin(named name: String) {
        unsafe carchive_working_on(name, name.utf8.count)
    }

    /// This thread works on no file in particular.
    package static func end() { unsafe carchive_working_on("", 0) }
}
