/// The aligned coder, encoder and decoder.
///
/// It follows the new text along an aligned position in the old one, predicts each token from the
/// replacements of the same old token so far, and codes unpredicted text bit by bit. The encoder
/// runs the same steps over its known text, so it makes the same predictions. The larger functions
/// are `mutating` even if they change nothing: otherwise the compiler copies the whole coder for
/// each call, which took 5 % of the time.
@safe struct AlignedCoder<Coder: BitCoder & ~Copyable>: ~Copyable {
    /// The number of consecutive hits after which whole stretches are compared at once.
    static var runMinimum: Int { 6 }
    /// The search distance around the lost position in the old text, in bytes.
    static var nearby: Int { 100 }
    /// The largest distance of the last occurrence of four bytes from the lost position.
    static var lastNearby: Int { 500 }
    static var longestToken: Int { 64 }
    /// The binary logarithm of the size of a block of old text whose positions are recorded at once.
    static var blockBits: Int { 10 }
    /// The number of bytes before a wrong one to train the literal model with.
    static var learnedBefore: Int { 2 }

    let text: TextBuffer
    let layout: TextLayout
    let parameters: AlignedParameters
    /// The text to encode, one byte for each byte of the output; empty when decoding.
    let source: [UInt8]
    let logistic = Logistic()
    let bytes = ByteTables()
    var literals: LiteralModel
    var flags: FlagModel
    var index: MatchIndex
    /// Whether the positions of each block of old text are recorded.
    var recorded: [Bool]
    /// The last block looked up in it.
    var lastBlock = -1
    var renames = RenameDictionary()
    var shift = NameShift()
    var mapNames: SourceMapNames
    var isMap = false
    let seeds: NameSeeds
    var coder: Coder

    // The position of the walk in the new text.
    var i: Int
    var fileEnd = 0
    /// The aligned position, whose byte is expected next; 0 for none.
    var p = 0
    /// The number of consecutive hits.
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
    /// The number of bytes coded one by one.
    private(set) var codedBytes = 0
    /// Finds positions for jumps; unused when decoding.
    var finder = JumpFinder()
    /// The last window read by runs.
    var window = Window()
    /// Prevents the compiler from removing prefetch reads.
    var fetched: UInt64 = 0

    /// Counters of the flags in runs: of stretches from 0, of pieces from 512, of single bytes by their
    /// classes from 2^16, by the bytes themselves from 2^17.
    let runFlags = Cells<UInt32>(bits: 18, repeating: 0xF000_0002)

    struct Match {
        var position = 0
        var length = 0

        /// Continues if `byte` is the one that followed the match; otherwise ends the match.
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

    /// A token in progress in both texts.
    struct TokenState {
        var isActive = false
        /// Whether the new token matches its prediction so far.
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
        recorded = [Bool](
            repeating: false, count: layout.output.lowerBound >> Self.blockBits &+ 2)
        self.seeds = NameSeeds(seeds, text)
        mapNames = SourceMapNames(mostFields: mapFields)
        self.text = text
        self.coder = coder
        i = layout.output.lowerBound
    }

    // MARK: Files

    /// Codes a file of `length` bytes whose old file is at `base` in the text, empty for none.
    ///
    /// - Parameter isSourceMap: Whether the file has the name of a source map.
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
            if codedBytes == parameters.codedBytes { return .tooManyBytes }
            codedBytes &+= 1
            codeByte(isRefused: isRefused)
        }
        return .coded
    }

    /// The result of coding a file.
    enum CodedFile {
        case coded
        /// As many bytes are coded one by one as the parameters allow, and one more is needed.
        ///
        /// The file is complete up to the coder's position.
        case tooManyBytes
        /// The base is a source map with more numbers than there is memory for.
        case tooManyFields
    }
}

extension AlignedCoder where Coder == BitEncoder {
    /// Ends the stream.
    consuming func finishedBytes() -> [UInt8] { coder.finish() }
}
