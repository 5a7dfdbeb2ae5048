extension DeltaListing {
    /// Decodes a listing.
    ///
    /// - Parameter budget: What this listing and those after it may use.
    /// - Throws: ``DeltaCodecError`` for one that no encoder writes or that exceeds the limits.
    static func decode(
        _ bytes: [UInt8], _ range: Range<Int>, old: [OldFile], limits: DeltaLimits,
        budget: inout ListingBudget
    ) throws(DeltaCodecError) -> DeltaListing {
        var coder = NumberCoder(coder: BitDecoder(bytes, range))
        let listing = try code(
            DeltaListing(dictionary: [], files: []), old, limits, &budget, &coder)
        guard coder.coder.isAtEnd else { throw .invalidListing }
        return listing
    }

    /// Whether the numbers are ones that can be coded; what they refer to is checked while coding.
    func isCodable(_ old: [OldFile]) -> Bool {
        var previous = -1
        for segment in dictionary {
            guard segment.file > previous, segment.offset >= 0, segment.length >= 0 else {
                return false
            }
            previous = segment.file
        }
        return files.allSatisfy { file in
            file.size >= 0 && file.size <= Int(Int32.max)
                && file.base.map(old.indices.contains) ?? true
        }
    }

    /// Encodes the listing.
    ///
    /// - Returns: the bytes, and the listing as a decoder will see it.
    func encode(
        old: [OldFile], limits: DeltaLimits
    ) throws(DeltaCodecError) -> (bytes: [UInt8], listing: DeltaListing) {
        var coder = NumberCoder(coder: BitEncoder())
        var budget = ListingBudget(limits)
        let listing = try Self.code(self, old, limits, &budget, &coder)
        return (coder.finish(), listing)
    }

    /// Codes a listing, or decodes one: then `known` is empty.
    private static func code<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ old: [OldFile], _ limits: DeltaLimits,
        _ budget: inout ListingBudget, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> DeltaListing {
        var result = DeltaListing(dictionary: [], files: [])
        let segments = coder.number(UInt64(known.dictionary.count), kind: .segments)
        // One for each file, so that a number above the limit is rejected before the first is read.
        guard segments <= UInt64(old.count) else { throw .invalidListing }
        try budget.take(segments: segments)
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
        try codeFiles(known, old, limits, &budget, &result, &coder)
        return result
    }

    private static func codeFiles<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ old: [OldFile], _ limits: DeltaLimits,
        _ budget: inout ListingBudget, _ result: inout DeltaListing,
        _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) {
        let count = coder.number(UInt64(known.files.count), kind: .files)
        guard count <= UInt64(limits.files) else { throw .invalidListing }
        try budget.take(files: count)
        result.files.reserveCapacity(Int(count))
        var expectedBase = 0
        var total = 0
        var edits = KnownEdits()
        for index in 0..<Int(count) {
            let file = Coder.isDecoding ? nil : known.files[index]
            var coded = NewFile(
                path: [], size: 0)
            coded.isContinued = coder.flag(file?.isContinued ?? false, kind: .isContinued)
            guard !coded.isContinued || index == 0 else { throw .invalidListing }
            var model = result.files.last?.path ?? []
            if coder.flag(file?.base != nil, kind: .hasBase) {
                let step = coder.signed((file?.base ?? 0) - expectedBase, kind: .base)
                let (base, isOver) = expectedBase.addingReportingOverflow(step)
                guard !isOver, old.indices.contains(base) else { throw .invalidListing }
                coded.base = base
                expectedBase = base + 1
                model = old[base].path
            }
            let isSamePath =
                coded.base != nil && coder.flag(file?.path == model, kind: .isSamePath)
            if isSamePath {
                coded.path = model
            } else {
                let guess = coded.base == nil ? nil : edits.apply(to: model)
                let edit: Edit
                if let guess, coder.flag(file?.path == guess.path, kind: .isKnownEdit) {
                    guard guess.path.count <= limits.pathLength else { throw .invalidListing }
                    try budget.take(path: guess.path.count)
                    (coded.path, edit) = guess
                } else {
                    (coded.path, edit) = try codePath(file?.path, model, limits, &budget, &coder)
                    if coded.base != nil { edits.note(edit, from: model, to: coded.path) }
                }
                if coded.base != nil {
                    coded.edit = edit
                    coded.keepsBase = coder.flag(file?.keepsBase ?? false, kind: .keepsBase)
                }
            }
            coded.size = try codeSize(file?.size, coded.base.map { old[$0].size }, &coder)
            guard coded.size <= limits.output - total else { throw .tooLarge }
            total += coded.size
            result.files.append(coded)
        }
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

    /// Codes a path as another one with one piece replaced.
    private static func codePath<Coder: BitCoder & ~Copyable>(
        _ path: [UInt8]?, _ model: [UInt8], _ limits: DeltaLimits,
        _ budget: inout ListingBudget, _ coder: inout NumberCoder<Coder>
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
        try budget.take(path: prefix + length + Int(suffix))
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
