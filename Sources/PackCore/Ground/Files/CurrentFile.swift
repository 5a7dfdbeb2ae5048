import CFiles

/// The file being processed by a thread; the process prints it if it crashes.
///
/// A trap cannot be caught. The message lets a user whose page crashes packtool find the page and
/// exclude it.
package enum CurrentFile {
    /// Installs the crash handler that prints the file; called once, at process start.
    package static func reportCrashes() { cfiles_report_crashes() }

    /// Records that this thread processes a file of a build until ``end()``, without suspending.
    package static func begin(_ path: AssetPath) { begin(named: printable(path.bytes)) }

    /// Changes the recorded file of this thread.
    ///
    /// - Parameter name: The name as the user wrote it.
    package static func begin(_ name: String) { begin(named: printable(name.utf8)) }

    private static func begin(named name: String) {
        unsafe cfiles_working_on(name, name.utf8.count)
    }

    /// Clears the recorded file of this thread.
    package static func end() { unsafe cfiles_working_on("", 0) }
}
