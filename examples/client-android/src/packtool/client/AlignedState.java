package packtool.client;

import java.util.List;

/** Where the aligned coder is, the current token, and suspects; see docs/formats.md. */
abstract class AlignedState {
    static final int ITSELF = 0;
    static final int DICTIONARY = 1;
    static final int NEITHER = 2;
    private static final int TOKEN = 64;

    final TextTables text;
    final ArithmeticDecoder coder;
    final FlagModel flags;
    final LiteralModel literals;
    final PositionTables positions;
    final Renames renames;
    final NameShift names;
    /** The counters R. */
    final int[] counters = new int[131_072 + 65_536];
    private final NameSeeds seeds;

    /** The numbers of the current file; null if it is no map with a base. */
    MapNumbers map;
    int i;
    int p;
    int run;
    int fileEnd;
    boolean isLost;
    int missesSinceLost;
    int missHistory;
    int renameHistory;
    int candidateHistory;
    int anchor;
    int trainedTo;
    /** The matches of 6 and of 4 bytes: position (0 for none) and length. */
    int match6;
    int length6;
    int match4;
    int length4;

    /** The current token. */
    boolean hasToken;
    boolean follows;
    boolean isSeed;
    int origin;
    int oldStart;
    int oldEnd;
    int newStart;
    int tokenHash;
    int predicted;
    int predictedLength;

    /** The last suspect. */
    int kind;
    int oldLength;
    int newPosition;
    int newLength;
    int suspectHash;
    int confidence;

    AlignedState(TextTables text, ArithmeticDecoder coder, int literalBits, int indexBits,
        List<NameSeeds.Seed> pairs) {
        this.text = text;
        this.coder = coder;
        flags = new FlagModel(coder);
        literals = new LiteralModel(text, coder, literalBits);
        positions = new PositionTables(text, indexBits);
        renames = new Renames(text);
        names = new NameShift(text);
        seeds = pairs.isEmpty() ? null : new NameSeeds(text, pairs);
        java.util.Arrays.fill(counters, 0xF000_0002);
    }

    /** The number of token bytes from a position on, at most a limit. */
    final int tokenLength(int start, int limit) {
        int most = Math.min(limit, i - start);
        int length = 0;
        while (length < most && text.isToken(start + length)) {
            length++;
        }
        return length;
    }

    final NameSeeds.Seed seedAt(int position) {
        return seeds == null || !TextTables.SEPARATOR[text.at(position - 1)] ? null
            : seeds.at(position, i);
    }

    private void suspect(int kind, int oldLength, int position, int length, int hash,
        int confidence) {
        this.kind = kind;
        this.oldLength = oldLength;
        newPosition = position;
        newLength = length;
        suspectHash = hash;
        this.confidence = confidence;
    }

    /** Whether the old text at a position is expected to change; sets the suspect. */
    final boolean suspectAt(int position) {
        NameSeeds.Seed seed = seedAt(position);
        if (seed != null) {
            suspect(2, seed.oldLength, seed.position, seed.length, seed.position | 1, 0);
            return true;
        }
        return text.isTokenStart(position) && suspectToken(position);
    }

    final boolean suspectToken(int position) {
        int length = tokenLength(position, TOKEN);
        if (length == 0) {
            return false;
        }
        int hash = text.tokenHash(position, length);
        int entry = renames.find(hash, length);
        if (entry >= 0) {
            if (renames.isUnchanged(entry)) {
                return false;
            }
            suspect(0, length, renames.position(entry), renames.length(entry), hash,
                renames.confidence(entry));
            return true;
        }
        int size = names.predict(position, length);
        if (size == 0 || size == length && text.isSame(position, text.scratch, length)) {
            return false;
        }
        suspect(1, length, text.scratch, size, hash, 0);
        return true;
    }

    final boolean suspectNumber() {
        int size = map.predict(p);
        if (size == 0) {
            return false;
        }
        int old = map.oldLength(p);
        if (size == old && text.isSame(p, text.scratch, old)) {
            return false;
        }
        suspect(3, old, text.scratch, size, 8 * size + old, 0);
        return true;
    }

    final boolean isInMappings(int position) {
        return map != null && map.contains(position);
    }

    final void beginToken(int start, int newStart, int by) {
        int length = tokenLength(start, TOKEN);
        hasToken = true;
        follows = true;
        isSeed = false;
        origin = by == NEITHER ? 6 : 0;
        oldStart = start;
        oldEnd = start + length;
        this.newStart = newStart;
        tokenHash = text.tokenHash(start, length);
        predicted = start;
        predictedLength = length;
        if (by == DICTIONARY && length > 0 && suspectToken(start)) {
            predicted = newPosition;
            predictedLength = newLength;
            origin = kind == 1 ? 7 : 1 + Math.min(4, confidence);
        }
    }

    final void beginTokenHere() {
        boolean isSeparated = TextTables.SEPARATOR[text.at(p - 1)]
            && TextTables.SEPARATOR[text.at(i - 1)];
        NameSeeds.Seed seed = isSeparated ? seedAt(p) : null;
        if (seed != null) {
            beginSeed(4, p + seed.oldLength, seed.position | 1, seed.position, seed.length);
        } else if (text.isTokenStart(p) && !text.isToken(i - 1)) {
            beginToken(p, i, DICTIONARY);
        }
    }

    final void beginNumberHere() {
        if (map.isFieldAt(p) && suspectNumber()) {
            beginSeed(5, p + oldLength, suspectHash, newPosition, newLength);
        }
    }

    private void beginSeed(int origin, int oldEnd, int hash, int position, int length) {
        hasToken = true;
        follows = true;
        isSeed = true;
        this.origin = origin;
        oldStart = p;
        this.oldEnd = oldEnd;
        newStart = i;
        tokenHash = hash;
        predicted = position;
        predictedLength = length;
    }

    final void learnBefore() {
        for (int q = Math.max(i - 2, Math.max(trainedTo, text.out)); q < i; q++) {
            literals.learn(q);
        }
        trainedTo = i;
        forgetMatches();
    }

    final void forgetMatches() {
        match6 = 0;
        length6 = 0;
        match4 = 0;
        length4 = 0;
    }
}
