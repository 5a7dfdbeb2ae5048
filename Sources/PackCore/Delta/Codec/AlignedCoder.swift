/// The aligned coder, encoder and decoder: it follows the new text along the aligned place in the
/// old one, predicts each token by what the old token became before, and codes bit by bit what is
/// not predicted.
///
/// The encoder runs the same steps over text that it already has, so it makes the same predictions.
/// The larger functions are `mutating` even if they change nothing: otherwise the compiler copies
/// the whole coder for each call, which took 5 % of the time.
@safe struct AlignedCoder<Coder: BitCoder & ~Copyable>: ~Copyable {
    /// Hits in a row after which whole stretches are compared at once.
    static var runMinimum: Int { 6 }
    /// How far from the lost place the old text is searched.
    static var nearby: Int { 400 }
    static var longestToken: Int { 64 }
    /// How many of the bytes before a wrong one the literals learn.
    static var learnedBefore: Int { 16 }

    let text: TextBuffer
    let layout: TextLayout
    let parameters: AlignedParameters
    /// The text that an encoder codes, one byte for each of the output's.
    let source: [UInt8]
    let logistic = Logistic()
    let bytes = ByteTables()
    var literals: LiteralModel
    var flags: FlagModel
    var index: MatchIndex
    var isIndexed = false
    var renames = RenameDictionary()
    var shift = NameShift()
    var mapNames: SourceMapNames
    var isMap = false
    let seeds: NameSeeds
    var coder: Coder

    // Where the walk is.
    var i: Int
    var fileEnd = 0
    /// The aligned place: its byte is expected next.
    ///
    /// 0 for none.
    var p = 0
    /// Hits in a row.
    var run = 0
    var isLost = false
    var missesSinceLost = 0
    var anchor = 0
    var missHistory: UInt32 = 0
    var renameHistory: UInt32 = 0
    var candidateHistory: UInt32 = 0
    var trainedTo = 0
    var token = TokenState()
    /// The last occurrences of the last six and four bytes, followed as long as they predict well.
    var match6 = Match()
    var match4 = Match()
    /// How many bytes were coded one by one.
    private(set) var codedBytes = 0
    /// Keeps reads that are made ahead of their need from being left out.
    var fetched: UInt64 = 0

    /// Counters of the flags in runs: of stretches from 0, of pieces from 512, of single bytes by their
    /// classes from 2^16, by the bytes themselves from 2^17.
    let runFlags = Cells<UInt32>(bits: 18, repeating: 0xF000_0002)

    struct Match {
        var position = 0
        var length = 0

        /// Continues where the byte that came is the one that followed, and ends elsewhere.
        @inline(__always)
        mutating func follow(_ byte: UInt8, _ text: borrowing TextBuffer) {
            guard length > 0 else { return }
            if text[position] == byte {
                position &+= 1
                length = min(16, length &+ 1)
            } else {
                self = Match()
            }
        }
    }

    /// A token that is under way in both texts.
    struct TokenState {
        var isActive = false
        /// Whether the new token still follows its prediction.
        var follows = false
        /// Whether it is the rename of a content hash, which may be more than one token.
        var isSeed = false
        /// The source of the prediction: 0 the old token itself, 1 to 5 a rename by its confidence,
        /// 6 none, 7 the shift of names.
        var origin: UInt32 = 0
        var oldStart = 0
        var oldEnd = 0
        var newStart = 0
        var hash: UInt32 = 0
        var predicted = 0
        var predictedLength = 0
    }

    init(
        _ text: consuming TextBuffer, _ layout: TextLayout, _ parameters: AlignedParameters,
        seeds: [NameSeeds.Seed], source: [UInt8], mapFields: Int, coder: consuming Coder
    ) {
        self.layout = layout
        self.parameters = parameters
        self.source = source
        literals = LiteralModel(bits: parameters.literalBits)
        flags = FlagModel()
        index = MatchIndex(bits: parameters.indexBits, count: layout.count)
        self.seeds = NameSeeds(seeds, text)
        mapNames = SourceMapNames(mostFields: mapFields)
        self.text = text
        self.coder = coder
        i = layout.output.lowerBound
    }

    // MARK: Files

    /// Codes a file of `length` bytes whose old file is at `base` in the text, empty for none.
    ///
    /// - Parameter isSourceMap: Whether the file's name says that it is a source map.
    mutating func codeFile(length: Int, base: Range<Int>, isSourceMap: Bool) -> CodedFile {
        // Without this a thousand empty files would read one base a thousand times.
        if length == 0 { return .coded }
        fileEnd = i &+ length
        guard mapNames.beginFile(isSourceMap ? base : 0..<0, text) else { return .tooManyFields }
        isMap = !mapNames.range.isEmpty
        renames.beginFile()
        shift.beginFile(base)
        token = TokenState()
        isLost = false
        missesSinceLost = 0
        missHistory = 0
        renameHistory = 0
        anchor = 0
        match6 = Match()
        match4 = Match()
        p = base.isEmpty ? 0 : base.lowerBound
        run = base.isEmpty ? 0 : Self.runMinimum
        while i < fileEnd {
            var isRefused = false
            if run >= Self.runMinimum, p > 0, !token.isActive {
                switch codeRun() {
                case .copied: continue
                case .missed: isRefused = true
                case .stopped: break
                }
            }
            codedBytes &+= 1
            if codedBytes > parameters.codedLimit { return .tooManyBytes }
            codeByte(isRefused: isRefused)
        }
        return .coded
    }

    /// How the coding of a file ended.
    enum CodedFile {
        case coded
        /// More bytes had to be coded one by one than the parameters allow.
        case tooManyBytes
        /// The base is a source map with more numbers than there is memory for.
        case tooManyFields
    }
}

extension AlignedCoder where Coder == BitEncoder {
    /// Ends the stream.
    consuming func finishedBytes() -> [UInt8] { coder.finish() }

    /// The text as it was before the first byte was coded, for another coder.
    consuming func loadedText() -> TextBuffer {
        for place in layout.output.lowerBound..<i { text[place] = 0 }
        for place in layout.output.upperBound..<layout.count { text[place] = 0 }
        return text
    }
}
