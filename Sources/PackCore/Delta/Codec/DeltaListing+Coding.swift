extension DeltaListing {
    /// Decodes a listing.
    ///
    /// - Parameters:
    ///   - hasCopies: Whether there are copies, from the stream's header.
    ///   - state: The state after the listings before it.
    /// - Throws: ``DeltaCodecError`` for a listing that no encoder writes or that exceeds the
    ///   limits.
    static func decode(
        _ bytes: [UInt8], _ range: Range<Int>, hasCopies: Bool, old: [OldFile],
        limits: DeltaLimits, state: inout ListingState
    ) throws(DeltaCodecError) -> DeltaListing {
        var coder = NumberCoder(coder: BitDecoder(bytes, range))
        let listing = try code(
            DeltaListing(dictionary: [], files: []), hasCopies, old, limits, &state, &coder)
        guard coder.coder.isAtEnd else { throw .invalidListing }
        return listing
    }

    /// Whether the numbers can be coded; the files they refer to are checked while coding.
    func isCodable(_ old: [OldFile]) -> Bool {
        var previous = -1
        for segment in dictionary {
            guard segment.file > previous, segment.offset >= 0, segment.length >= 0 else {
                return false
            }
            previous = segment.file
        }
        return copies.allSatisfy { old.indices.contains($0.base) }
            && files.allSatisfy { file in
                file.size >= 0 && file.size <= Int(Int32.max)
                    && file.base.map(old.indices.contains) ?? true
            }
    }

    /// Encodes the listing.
    ///
    /// - Parameter state: The state after the listings before it.
    /// - Returns: The bytes, and the listing as a decoder will read it.
    func encode(
        old: [OldFile], limits: DeltaLimits, state: inout ListingState
    ) throws(DeltaCodecError) -> (bytes: [UInt8], listing: DeltaListing) {
        var coder = NumberCoder(coder: BitEncoder())
        let listing = try Self.code(self, !copies.isEmpty, old, limits, &state, &coder)
        return (coder.finish(), listing)
    }

    /// Encodes the only listing of a delta.
    func encode(
        old: [OldFile], limits: DeltaLimits
    ) throws(DeltaCodecError) -> (bytes: [UInt8], listing: DeltaListing) {
        var state = ListingState(limits)
        return try encode(old: old, limits: limits, state: &state)
    }

    /// Encodes a listing, or decodes one if `known` is empty.
    private static func code<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ hasCopies: Bool, _ old: [OldFile], _ limits: DeltaLimits,
        _ state: inout ListingState, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> DeltaListing {
        var result = DeltaListing(dictionary: [], files: [])
        let segments = coder.number(UInt64(known.dictionary.count), kind: .segments)
        // At most one for each file, so that a number above the limit is rejected before the first
        // is read.
        guard segments <= UInt64(old.count) else { throw .invalidListing }
        try state.take(segments: segments)
        result.dictionary.reserveCapacity(Int(segments))
        var previous = -1
        var total = 0
        for index in 0..<Int(segments) {
            let segment = Coder.isDecoding ? nil : known.dictionary[index]
            let gap = coder.number(UInt64((segment?.file ?? previous) - previous), kind: .gap)
            guard gap > 0, gap <= UInt64(old.count - 1 - previous) else { throw .invalidListing }
            previous += Int(gap)
            let size = old[previous].size
            let isWhole = coder.flag(segment.map { $0.length == size } ?? false, kind: .isWhole)
            var coded = Segment(file: previous, offset: 0, length: size)
            if !isWhole {
                let offset = coder.number(UInt64(segment?.offset ?? 0), kind: .offset)
                guard offset <= UInt64(size) else { throw .invalidListing }
                let length = coder.number(UInt64(segment?.length ?? 0), kind: .length)
                guard length <= UInt64(size) - offset else { throw .invalidListing }
                coded.offset = Int(offset)
                coded.length = Int(length)
            }
            guard coded.length <= limits.dictionary - total else { throw .tooLarge }
            total += coded.length
            result.dictionary.append(coded)
        }
        try codeFiles(known, old, limits, &state, &result, &coder)
        if hasCopies {
            try codeCopies(known, old, limits, &state, &result, &coder)
        }
        return result
    }

    private static func codeFiles<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ old: [OldFile], _ limits: DeltaLimits,
        _ state: inout ListingState, _ result: inout DeltaListing,
        _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) {
        let count = coder.number(UInt64(known.files.count), kind: .files)
        guard count <= UInt64(limits.files) else { throw .invalidListing }
        try state.take(files: count)
        result.files.reserveCapacity(Int(count))
        var expectedBase = 0
        var total = 0
        for index in 0..<Int(count) {
            let file = Coder.isDecoding ? nil : known.files[index]
            var coded = NewFile(
                path: [], size: 0)
            coded.isContinued = coder.flag(file?.isContinued ?? false, kind: .isContinued)
            guard !coded.isContinued || index == 0 else { throw .invalidListing }
            var model = result.files.last?.path ?? []
            if coder.flag(file?.base != nil, kind: .hasBase) {
                let base = try codeBase(file?.base, old, &expectedBase, &coder)
                coded.base = base
                model = old[base].path
            }
            let isSamePath =
                coded.base != nil && coder.flag(file?.path == model, kind: .isSamePath)
            if isSamePath {
                coded.path = model
            } else if coded.base != nil {
                (coded.path, coded.edit) = try codeOtherPath(
                    file?.path, model, limits, &state, &coder)
                coded.keepsBase = coder.flag(file?.keepsBase ?? false, kind: .keepsBase)
            } else {
                coded.path = try codePath(file?.path, model, limits, &state, &coder).path
            }
            coded.size = try codeSize(file?.size, coded.base.map { old[$0].size }, &coder)
            guard coded.size <= limits.output - total else { throw .tooLarge }
            total += coded.size
            result.files.append(coded)
        }
    }

    private static func codeCopies<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ old: [OldFile], _ limits: DeltaLimits,
        _ state: inout ListingState, _ result: inout DeltaListing,
        _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) {
        let others = coder.number(UInt64(max(1, known.copies.count) - 1), kind: .copies)
        guard others < UInt64(limits.files) else { throw .invalidListing }
        let count = others + 1
        try state.take(files: count)
        result.copies.reserveCapacity(Int(count))
        var expectedBase = 0
        for index in 0..<Int(count) {
            let copy = Coder.isDecoding ? nil : known.copies[index]
            let base = try codeBase(copy?.base, old, &expectedBase, &coder)
            let (path, edit) = try codeOtherPath(
                copy?.path, old[base].path, limits, &state, &coder)
            guard path != old[base].path else { throw .invalidListing }
            let keepsBase = coder.flag(copy?.keepsBase ?? false, kind: .keepsBase)
            var coded = Copy(path: path, base: base, keepsBase: keepsBase)
            coded.edit = edit
            result.copies.append(coded)
        }
    }

    /// Codes the index of an old file, usually the one after the last.
    private static func codeBase<Coder: BitCoder & ~Copyable>(
        _ base: Int?, _ old: [OldFile], _ expected: inout Int, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> Int {
        let step = coder.signed((base ?? 0) - expected, kind: .base)
        let (coded, isOver) = expected.addingReportingOverflow(step)
        guard !isOver, old.indices.contains(coded) else { throw .invalidListing }
        expected = coded + 1
        return coded
    }

    private static func codeSize<Coder: BitCoder & ~Copyable>(
        _ size: Int?, _ base: Int?, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> Int {
        guard let base else {
            let coded = coder.number(UInt64(size ?? 0), kind: .size)
            guard coded <= UInt64(Int32.max) else { throw .tooLarge }
            return Int(coded)
        }
        let change = coder.signed((size ?? 0) - base, kind: .sizeChange)
        let (coded, isOver) = base.addingReportingOverflow(change)
        guard !isOver, coded >= 0, coded <= Int(Int32.max) else { throw .tooLarge }
        return coded
    }

    /// Codes a path that differs from its base's, relative to that path.
    private static func codeOtherPath<Coder: BitCoder & ~Copyable>(
        _ path: [UInt8]?, _ base: [UInt8], _ limits: DeltaLimits,
        _ state: inout ListingState, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> (path: [UInt8], edit: Edit) {
        if let guess = state.edits.apply(to: base),
            coder.flag(path == guess.path, kind: .isKnownEdit)
        {
            guard guess.path.count <= limits.pathLength else { throw .invalidListing }
            try state.take(path: guess.path.count)
            return guess
        }
        let coded = try codePath(path, base, limits, &state, &coder)
        state.edits.note(coded.edit, from: base, to: coded.path)
        return coded
    }

    /// Codes a path as another path with one piece replaced.
    private static func codePath<Coder: BitCoder & ~Copyable>(
        _ path: [UInt8]?, _ model: [UInt8], _ limits: DeltaLimits,
        _ state: inout ListingState, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> (path: [UInt8], edit: Edit) {
        let known = path.map { Edit(from: model, to: $0) }
        let suffix = coder.number(
            UInt64(known.map { model.count - $0.prefix - $0.oldLength } ?? 0), kind: .suffix)
        let oldLength = coder.number(UInt64(known?.oldLength ?? 0), kind: .oldMiddle)
        guard suffix <= UInt64(model.count), oldLength <= UInt64(model.count) - suffix else {
            throw .invalidListing
        }
        let change = coder.signed((known?.newLength ?? 0) - Int(oldLength), kind: .newMiddle)
        let (length, isOver) = Int(oldLength).addingReportingOverflow(change)
        let prefix = model.count - Int(suffix) - Int(oldLength)
        guard !isOver, length >= 0, length <= limits.pathLength - prefix - Int(suffix) else {
            throw .invalidListing
        }
        try state.take(path: prefix + length + Int(suffix))
        var result: [UInt8] = []
        result.reserveCapacity(prefix + length + Int(suffix))
        result += model[..<prefix]
        for index in 0..<length {
            let byte = known.flatMap { edit in path?[edit.prefix + index] } ?? 0
            result.append(coder.byte(byte, afterStart: index > 0))
        }
        result += model[(model.count - Int(suffix))...]
        return (result, Edit(prefix: prefix, oldLength: Int(oldLength), newLength: length))
    }
}

extension NumberCoder where Coder == BitEncoder {
    consuming func finish() -> [UInt8] { coder.finish() }
}
