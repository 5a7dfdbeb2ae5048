import CEngine
import PackEngine
import PackGround
import PackPages

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The engine's process: the same program, started by ``EngineProcess``.
///
/// It opens only paths below the build, and ends with its parent.
package enum EngineChild {
    /// The first argument of the engine's process; users do not type it.
    static let argument = "engine-process"

    /// Turns this process into the engine if its arguments ask for it; does not return then.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    package static func runIfAsked(_ arguments: [String]) {
        guard arguments.first == argument, let launch = EngineLaunch(arguments) else { return }
        #if canImport(WebKit)
            runWebKit(launch)
        #else
            exit(run(launch))
        #endif
    }
}

#if !canImport(WebKit)
    extension EngineChild {

        // Set once, before the main loop and the second thread start.
        nonisolated(unsafe) private static var build: Directory?
        nonisolated(unsafe) private static var temporary: (parent: Directory, name: String)?

        private static func run(_ launch: EngineLaunch) -> Int32 {
            guard let slash = launch.scratch.lastSlash,
                let directory = try? Directory.open(launch.build),
                let parent = try? Directory.open(String(launch.scratch[..<slash]))
            else { return 1 }
            build = directory
            temporary = (parent, String(launch.scratch[slash...].dropFirst()))
            let isAdopted = cengine_adopt(
                launch.storage, launch.hasWindow ? 1 : 0,
                { line, length in
                    guard let line else { return }
                    EngineChild.run(UnsafeRawBufferPointer(start: line, count: length))
                }, { EngineChild.removeStorage() })
            guard isAdopted == 0 else { return 1 }
            if let missing = cengine_load() { return refuse(String(cString: missing)) }
            if !launch.hasWindow, cengine_start_display() != 0 { return refuse("Xvfb") }
            let network: Int32 = launch.hasNetwork ? 1 : 0
            guard
                cengine_prepare(
                    launch.scheme, launch.storage, ObserverScript.observer, network,
                    launch.hasWindow ? 1 : 0)
                    == 0
            else { return refuse("a display") }
            cengine_run()
            return 0
        }

        private static func refuse(_ missing: String) -> Int32 {
            let event = JSONValue.members(["event": .string("unusable"), "text": .string(missing)])
            let line = JSONWriter.line(event)
            line.withUnsafeBytes { bytes in
                cengine_send(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
            }
            return 1
        }

        private static func removeStorage() {
            guard let temporary else { return }
            for _ in 0..<5 where (try? temporary.parent.removeTree(temporary.name)) == nil {
                usleep(50_000)
            }
        }

        // MARK: Commands

        private static func run(_ line: UnsafeRawBufferPointer) {
            guard let command = try? EngineCommand(Array(line)) else { return }
            switch command {
            case .visit(let page, let url, let width, let height):
                cengine_open(Int32(page), url, Int32(width), Int32(height))
            case .evaluate(let number, let script): cengine_evaluate(Int32(number), script)
            case .snapshot(let number, let path): cengine_snapshot(Int32(number), path)
            case .answer(let number, let answer): send(answer, to: Int32(number))
            case .list(let text): cengine_list(text)
            case .clearList: cengine_list(nil)
            case .quit: cengine_quit()
            }
        }

        private static func send(_ answer: HandlerAnswer, to number: Int32) {
            if let reason = answer.reason { return cengine_fail(number, reason) }
            var descriptor: Int32 = -1
            var size: UInt64 = 0
            if let file = answer.file {
                guard let build, let opened = try? OpenedFile.open(file, in: build) else {
                    return cengine_fail(number, "the file cannot be read")
                }
                size = opened.status.size
                descriptor = dup(opened.descriptor.number)
            }
            var headers = [("Cache-Control", "no-cache"), ("Content-Type", answer.type)]
            if answer.sendsCORS { headers.append(("Access-Control-Allow-Origin", "*")) }
            var status = answer.status
            var part = (offset: UInt64(0), count: size)
            switch ByteRange(answer.range, size: size) {
            case .whole: break
            case .part(let offset, let count):
                part = (offset, count)
                status = 206
                headers.append(("Content-Range", "bytes \(offset)-\(offset + count - 1)/\(size)"))
            case .unsatisfiable:
                part = (0, 0)
                status = 416
                headers.append(("Content-Range", "bytes */\(size)"))
            }
            if answer.range != nil { headers.append(("Accept-Ranges", "bytes")) }
            withCStrings(headers.map(\.0)) { names in
                withCStrings(headers.map(\.1)) { values in
                    cengine_answer(
                        number, descriptor, Int64(clamping: part.offset),
                        Int64(clamping: part.count),
                        answer.type, Int32(status), names, values, Int32(headers.count))
                }
            }
        }
    }
#endif

/// Calls a body with an array of C strings that ends with `nil`.
func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
}
