// Fuzz targets of the archive reader, the reuse of an earlier package, the manifest and the pointer
// (`run.sh`).
//
// The input is a program of edits to a valid document (`Tests/PackCoreTests/Mutants`, also run by
// the tests), or, with a first byte of 255, the document itself. `FUZZ_TARGET` selects the target.

import Glibc

private func stop(_ problem: String?) {
    if let problem { fatalError(problem) }
}

private func variable(_ name: String) -> String {
    guard let value = getenv(name) else { fatalError("\(name) is not set") }
    return String(cString: value)
}

private enum Target: String {
    case archive, reuse, manifest, pointer
}

private let target: Target = {
    guard let target = Target(rawValue: variable("FUZZ_TARGET")) else {
        fatalError("FUZZ_TARGET is no target")
    }
    return target
}()

/// The empty folder in `FUZZ_FOLDER`.
private func openFolder() throws -> Directory {
    let folder = try Directory.open(variable("FUZZ_FOLDER"))
    try folder.removeContents()
    return folder
}

/// Runs tasks on the thread that waits for them: switching to another one takes longer than
/// reading.
private final class OwnThread: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    var result: Result<Void, any Error>?

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    func run() {
        while !jobs.isEmpty {
            jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

private let thread = OwnThread()

/// Waits for a task: libFuzzer calls a plain function.
private func waiting(_ body: @escaping @Sendable () async throws -> Void) {
    thread.result = nil
    Task(executorPreference: thread) {
        do {
            thread.result = .success(try await body())
        } catch {
            thread.result = .failure(error)
        }
    }
    thread.run()
    switch thread.result {
    case .success: break
    case .failure(let error): fatalError("not refused but: \(error)")
    case nil: fatalError("went to another thread")
    }
}

private let archiveProperty: ArchiveProperty = {
    do { return try ArchiveProperty(in: openFolder()) } catch { fatalError("\(error)") }
}()

/// Made by the first input, in the task that waits for it.
private actor Shared {
    private var property: ReuseProperty?

    func get() async throws -> ReuseProperty {
        if let property { return property }
        let made = try await ReuseProperty(in: openFolder())
        property = made
        return made
    }
}

private let shared = Shared()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let plain = bytes.first == 255 ? Array(bytes.dropFirst()) : nil
    switch target {
    case .manifest:
        var isRead = false
        stop(DocumentProperty.manifest(plain ?? MutatedDocument.manifest(bytes), isRead: &isRead))
    case .pointer:
        var isRead = false
        stop(DocumentProperty.pointer(plain ?? MutatedDocument.pointer(bytes), isRead: &isRead))
        stop(DocumentProperty.envelope(plain ?? MutatedDocument.envelope(bytes), isRead: &isRead))
    case .archive:
        waiting {
            let archive = plain ?? MutatedZip.archive(bytes)
            // Unpacking takes many times as long as reading.
            stop(try await archiveProperty.check(archive, isUnpacked: count % 16 == 0).problem)
        }
    case .reuse:
        waiting {
            let property = try await shared.get()
            let archive =
                plain
                ?? (count % 8 == 0
                    ? MutatedZip.archive(bytes) : MutatedZip.package(bytes, seed: property.seed))
            stop(try await property.check(archive, isPublished: count % 2 == 0).problem)
        }
    }
    return 0
}
