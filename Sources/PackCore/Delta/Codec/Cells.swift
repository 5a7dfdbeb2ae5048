/// A table whose size is a power of two; indices are reduced to it, so none is out of bounds.
@safe struct Cells<Element: BitwiseCopyable>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>
    let mask: Int

    /// Creates a table filled with one value.
    ///
    /// - Parameter bits: The binary logarithm of the number of elements, 0 to 28.
    init(bits: Int, repeating value: Element) {
        let count = 1 << bits
        mask = count - 1
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: value, count: count)
    }

    deinit { unsafe base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { unsafe base[index & mask] }
        nonmutating set { unsafe base[index & mask] = newValue }
    }
}

/// The coder's text: padding, dictionary, names, output, padding.
///
/// Access beyond it traps, also in release builds. The check is one unsigned comparison, because a
/// negative index is a large unsigned number.
@safe struct TextBuffer: ~Copyable {
    let base: UnsafeMutablePointer<UInt8>
    let count: Int

    /// Allocates a text.
    ///
    /// - Parameter count: At least 64; the largest stretch read at once is shorter.
    init(count: Int) {
        precondition(count >= 64)
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: 0, count: count)
        self.count = count
    }

    deinit { unsafe base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe base[index]
        }
        nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            unsafe base[index] = newValue
        }
    }

    /// Copies bytes to another position; the ranges must not overlap.
    @inline(__always)
    func copy(_ source: Int, to target: Int, _ length: Int) {
        let end = max(source, target).addingReportingOverflow(length)
        precondition(
            source >= 0 && target >= 0 && length >= 0 && !end.overflow && end.partialValue <= count)
        unsafe (base + target).update(from: base + source, count: length)
    }

    /// A stretch of the text as memory, to read files into and write them from.
    @unsafe func memory(_ start: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(start >= 0 && count >= 0 && start <= self.count && count <= self.count - start)
        return unsafe UnsafeMutableRawBufferPointer(start: base + start, count: count)
    }
}
