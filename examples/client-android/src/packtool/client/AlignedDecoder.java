package packtool.client;

import java.util.List;

/** "The aligned coder" of docs/formats.md: files and single bytes. */
final class AlignedDecoder extends AlignedWalk {
    private static final int NONE = 256;

    /** A file of the output: its size, and the base in the text. */
    static final class Part {
        final int size;
        final int base;
        final int baseLength;
        final boolean isMap;

        Part(int size, int base, int baseLength, boolean isMap) {
            this.size = size;
            this.base = base;
            this.baseLength = baseLength;
            this.isMap = isMap;
        }
    }

    private final long stated;
    private long coded;
    /** The counted fields of the map whose base has most. */
    private int mostFields;

    /** @param stated how many bytes are coded one by one */
    AlignedDecoder(TextTables text, ArithmeticDecoder coder, int literalBits, int indexBits,
        long stated, List<NameSeeds.Seed> pairs) {
        super(text, coder, literalBits, indexBits, pairs);
        this.stated = stated;
    }

    int mostFields() {
        return mostFields;
    }

    /**
     * Makes the files, or those before the first byte that is one too many to code.
     *
     * @return the position behind the text that was made
     */
    int decode(List<Part> parts) throws PackError {
        i = text.out;
        for (Part part : parts) {
            begin(part);
            while (i < fileEnd) {
                boolean isRefused = false;
                if (run >= 6 && p > 0 && !hasToken) {
                    int result = codeRun();
                    if (result == COPIED) {
                        continue;
                    }
                    isRefused = result == MISSED;
                }
                if (coded == stated) {
                    coder.finish();
                    return i;
                }
                coded++;
                codeByte(isRefused);
            }
        }
        if (coded != stated) {
            throw DeltaFile.invalid("a stream codes another number of bytes than it states");
        }
        coder.finish();
        return i;
    }

    private void begin(Part part) {
        fileEnd = i + part.size;
        renames.beginFile();
        names.beginFile(part.base, part.baseLength);
        hasToken = false;
        isLost = false;
        missesSinceLost = 0;
        missHistory = 0;
        renameHistory = 0;
        anchor = 0;
        forgetMatches();
        p = part.baseLength > 0 ? part.base : 0;
        run = part.baseLength > 0 ? 6 : 0;
        map = null;
        if (part.isMap && part.baseLength > 12 && part.size > 0) {
            map = new MapNumbers(text, i, part.base, part.baseLength);
            mostFields = Math.max(mostFields, map.countedFields());
        }
    }

    private void codeByte(boolean isRefused) {
        if (p > 0 && p < text.out) {
            positions.recordAround(p);
        }
        if (!isRefused && !hasToken && p > 0) {
            if (isInMappings(p)) {
                beginNumberHere();
            } else {
                beginTokenHere();
            }
        }
        k = hasToken ? i - newStart : 0;
        int expected = !hasToken ? p : follows && k < predictedLength ? predicted + k : oldEnd;
        int prediction = hasToken || p > 0 ? text.at(expected) : NONE;
        findMatches();
        int after6 = match6 > 0 ? text.at(match6) : NONE;
        int after4 = match4 > 0 ? text.at(match4) : NONE;
        long wordAndByte = text.wordBefore(i);
        int word = (int) (wordAndByte >>> 32);
        int before = (int) wordAndByte;
        int history = text.history(i);
        int last = history & 255;
        isHit = prediction < NONE && !isRefused
            && hitFlag(prediction, after6, after4, word, before, last);
        int one = prediction;
        if (!isHit) {
            int candidate = match6 > 0 ? after6 : after4;
            boolean isCandidate = false;
            if (candidate < NONE && candidate != prediction) {
                isCandidate =
                    candidateFlag(candidate, prediction, after6 == after4, word, history);
                candidateHistory = candidateHistory << 1 | (isCandidate ? 1 : 0);
            }
            one = isCandidate ? candidate
                : codeLiteral(prediction, word, before, history);
        }
        text.text[i] = (byte) one;
        if (map != null) {
            map.count(i, !hasToken ? p : k == 0 ? oldStart : 0);
        }
        if ((i & 3) == 0) {
            positions.insert(i);
        }
        followMatches(one);
        i++;
        trainedTo = i;
        missHistory = missHistory << 1 | (isHit ? 0 : 1);
        missesSinceLost = isLost ? missesSinceLost + (isHit ? 0 : 1) : 0;
        advance(one);
        if (p >= i) {
            p = 0;
        }
        if (p == 0) {
            run = 0;
        }
        if (!hasToken && run < 6) {
            resynchronize();
        }
    }

    private int codeLiteral(int prediction, int word, int before, int history) {
        int last = history & 255;
        int state = !hasToken ? 0 : follows ? 3 : 1;
        int context = hasToken ? TextTables.hash(8, tokenHash, word + k)
            : TextTables.hash(88, p > 0 ? text.at(p) | text.at(p + 1) << 8 : 0, last);
        return literals.code(TextTables.hash(1, last, 0), TextTables.hash(2, history & 0xFFFF, 0),
            TextTables.hash(3, history & 0xFF_FFFF, 0), TextTables.hash(4, word, before),
            TextTables.hash(5, prediction, state), TextTables.hash(6, context, word), last);
    }

    private void findMatches() {
        if (match6 == 0) {
            int q = positions.lastOfSix(i);
            int length = q > 0 ? text.agreement(q, i, 16) : 0;
            if (length >= 4) {
                match6 = q;
                length6 = length;
            }
        }
        if (match4 == 0) {
            int q = positions.lastOfFour(i);
            int length = q > 0 ? text.agreement(q, i, 16) : 0;
            if (length >= 3) {
                match4 = q;
                length4 = length;
            }
        }
    }

    private void followMatches(int one) {
        if (match6 > 0) {
            boolean isRight = text.at(match6) == one;
            match6 = isRight ? match6 + 1 : 0;
            length6 = isRight ? Math.min(16, length6 + 1) : 0;
        }
        if (match4 > 0) {
            boolean isRight = text.at(match4) == one;
            match4 = isRight ? match4 + 1 : 0;
            length4 = isRight ? Math.min(16, length4 + 1) : 0;
        }
    }

    private boolean hitFlag(
        int prediction, int after6, int after4, int word, int before, int last) {
        int runClass = p > 0 ? Math.min(15, run) : 0;
        int agrees6 = match6 == 0 ? 0 : after6 == prediction ? 1 : 2;
        int agrees4 = match4 == 0 ? 0 : after4 == prediction ? 1 : 2;
        int source = hasToken ? origin : 0;
        int state = !hasToken ? 0 : (follows ? 1 : 2) + (source > 0 ? 2 : 0);
        int kClass = Math.min(7, k);
        int predictedSize = hasToken ? predictedLength : 0;
        int isFollowing = hasToken && follows ? 1 : 0;
        int atEnd = hasToken && (!follows || k >= predictedSize) ? 1 : 0;
        int oldSize = hasToken ? Math.min(7, oldEnd - oldStart) : 9;
        int lengths = Math.min(15, length6) * 16 + Math.min(15, length4);
        return flags.code(
            TextTables.hash(1, runClass, state * 8 + kClass + agrees6 * 1024 + atEnd * 4096),
            TextTables.hash(4, agrees6 * 4 + agrees4, lengths),
            TextTables.hash(5, missHistory & 255, state * 16 + atEnd),
            TextTables.hash(6, prediction * 256 + last, state * 2 + atEnd),
            TextTables.hash(7, source * 8 + Math.min(7, predictedSize),
                oldSize * 256 + kClass * 4 + isFollowing + agrees6 * 16_384),
            TextTables.hash(prediction, word, before + 0x7900), state * 2 + atEnd + 16 * agrees6);
    }

    private boolean candidateFlag(
        int candidate, int prediction, boolean isBoth, int word, int history) {
        int both = isBoth ? 1 : 0;
        int lengths = Math.min(15, length6) << 5 | Math.min(15, length4) << 1 | both;
        int state = prediction == NONE ? 0 : !hasToken ? 3 : follows ? 1 : 2;
        return flags.code(
            TextTables.hash(62, candidate, (history & 255) << 8 | prediction),
            TextTables.hash(63, candidate, history & 0xFFFF),
            TextTables.hash(64, candidate, history & 0xFF_FFFF),
            TextTables.hash(67, candidateHistory & 255, lengths),
            TextTables.hash(68, candidate, word),
            TextTables.hash(70, hasToken ? tokenHash : 0, candidate), 56 + state * 2 + both);
    }
}
