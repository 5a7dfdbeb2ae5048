import CArchive
import PackGround
import PackZip

/// Encodes with liblzma and a preset dictionary, when the aligned coder would take too long.
package enum LZMAEncoder {
    /// lc 3, lp 0, pb 0: pb 2 would suit binaries, but text has no alignment.
    package static let properties: UInt8 = 3

    /// Encodes as a raw LZMA stream with an end marker.
    ///
    /// - Parameters:
    ///   - effort: 0 to 2; see `carchive_lzma_encode`.
    ///   - report: Called from time to time with the number of bytes encoded so far.
    /// - Throws: ``Failure`` if memory is short.
    package static func encode(
        _ content: [UInt8], dictionary: [UInt8], effort: Int32, report: (Int) -> Void
    ) throws -> [UInt8] {
        var capacity = content.count + content.count / 3 + 1024
        while true {
            var result = [UInt8](repeating: 0, count: capacity)
            var used = 0
            let status = unsafe Self.reporting(report) { call, context in
                unsafe content.withUnsafeBufferPointer { input in
                    unsafe dictionary.withUnsafeBufferPointer { preset in
                        unsafe result.withUnsafeMutableBufferPointer { output in
                            unsafe carchive_lzma_encode(
                                input.baseAddress, input.count, preset.baseAddress, preset.count,
                                effort, output.baseAddress, output.count, &used, call, context)
                        }
                    }
                }
            }
            switch status {
            case 0:
                result.removeLast(capacity - used)
                return result
            case 1:
                capacity *= 2
            default:
                throw Failure.compressorOutOfMemory()
            }
        }
    }

    private typealias Report = (Int) -> Void
    private typealias Call = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void

    /// Passes a closure through C.
    @unsafe private static func reporting(
        _ report: Report, _ body: (Call, UnsafeMutableRawPointer) -> Int32
    ) -> Int32 {
        withoutActuallyEscaping(report) { report in
            var report = report
            return unsafe withUnsafeMutablePointer(to: &report) { context in
                unsafe body(
                    { context, done in
                        unsafe context?.assumingMemoryBound(to: Report.self).pointee(done)
                    }, UnsafeMutableRawPointer(context))
            }
        }
    }
}
