import CArchive
package import PackGround
import PackZip

/// An archive opened by libarchive and read entry by entry.
///
/// Every status except OK is an error: after a warning, libarchive has guessed the content.
@safe struct ArchiveReader: ~Copyable {
    private let handle: OpaquePointer
    private let input: OpaquePointer
    private let file: OwnedDescriptor

    /// Opens a zip archive; the descriptor's position must be the start.
    init(_ file: consuming OwnedDescriptor) throws(Failure) {
        let name = file.path
        guard let handle = unsafe archive_read_new() else {
            // Freeing NULL succeeds unless the library is missing.
            throw archive_read_free(nil) == ARCHIVE_OK
                ? .systemOutOfMemory(archive: name)
                : .systemNoLibrary("libarchive.so.13", package: "libarchive13")
        }
        // The caller checks every CRC-32, ten times as fast as libarchive.
        guard let input = unsafe carchive_make_input(file.number) else {
            unsafe archive_read_free(handle)
            throw .systemOutOfMemory(archive: name)
        }
        guard unsafe archive_read_support_format_zip_seekable(handle) == ARCHIVE_OK,
            unsafe archive_read_set_options(handle, "zip:ignorecrc32") == ARCHIVE_OK,
            unsafe carchive_open_input(handle, input) == ARCHIVE_OK
        else {
            let error = unsafe Self.error(handle, input, archive: name, entry: nil)
            unsafe archive_read_free(handle)
            unsafe carchive_free_input(input)
            throw error
        }
        unsafe self.handle = handle
        unsafe self.input = input
        self.file = file
    }

    deinit {
        unsafe archive_read_free(handle)
        unsafe carchive_free_input(input)
    }

    /// Moves to the next entry; `nil` at the end.
    ///
    /// - Returns: The entry's name as libarchive reads it.
    func next() throws(Failure) -> [UInt8]? {
        var entry: OpaquePointer?
        let status = unsafe carchive_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return nil }
        guard status == ARCHIVE_OK else {
            throw unsafe Self.error(handle, input, archive: file.path, entry: nil)
        }
        guard let name = unsafe archive_entry_pathname_utf8(entry) else {
            throw Failure.archive(.unreadable("an entry's name cannot be read"), archive: file.path)
        }
        return Array(unsafe String(cString: name).utf8)
    }

    /// Passes the next piece of the current entry's content to `body`.
    ///
    /// - Returns: `false` at the end of the content.
    func nextPiece(
        entry: [UInt8], position: UInt64, _ body: (RawSpan) throws -> Void
    ) throws -> Bool {
        var start: UnsafeRawPointer?
        var count = 0
        var offset: la_int64_t = 0
        let status = unsafe archive_read_data_block(handle, &start, &count, &offset)
        if status == ARCHIVE_EOF { return false }
        guard status == ARCHIVE_OK else {
            throw unsafe Self.error(
                handle, input, archive: file.path, entry: printable(entry))
        }
        // A hole in the content: zip archives have none.
        guard count == 0 || UInt64(exactly: offset) == position else {
            throw Failure.archive(
                .unreadable("its content is not contiguous"), archive: file.path,
                entry: printable(entry))
        }
        // The memory belongs to libarchive and stays unchanged until the next call.
        try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count)))
        return true
    }

    private static func error(
        _ handle: OpaquePointer, _ input: OpaquePointer, archive: String, entry: String?
    ) -> Failure {
        let number = unsafe carchive_input_error(input)
        if number != 0 { return .fileSystem("read", archive, number: number) }
        if unsafe archive_errno(handle) == Int32(CARCHIVE_ENOMEM) {
            return .systemOutOfMemory(archive: archive)
        }
        let text = unsafe archive_error_string(handle).map { unsafe String(cString: $0) }
        return .archive(.unreadable(text ?? "unknown reason"), archive: archive, entry: entry)
    }
}

extension Failure.Code {
    package static let systemNoLibrary = Self("system.no-library")
    package static let systemOutOfMemory = Self("system.out-of-memory")
}

extension Failure {
    /// A shared library that is not installed, and the Debian package that contains it.
    static func systemNoLibrary(_ library: String, package: String) -> Failure {
        Failure(
            .systemNoLibrary, "\(library) is not installed (Debian: \(package))",
            traits: .localOrTransient, details: ["package": package])
    }

    /// Memory ran out while an archive was read.
    static func systemOutOfMemory(archive: String) -> Failure {
        Failure(
            .systemOutOfMemory, "not enough memory to read '\(archive)'",
            traits: .localOrTransient)
    }
}
