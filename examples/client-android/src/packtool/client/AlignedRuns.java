package packtool.client;

import java.util.List;

/** "Runs" of docs/formats.md: stretches that are copied from the aligned position. */
abstract class AlignedRuns extends AlignedState {
    static final int COPIED = 0;
    static final int MISSED = 1;
    static final int STOPPED = 2;

    AlignedRuns(TextTables text, ArithmeticDecoder coder, int literalBits, int indexBits,
        List<NameSeeds.Seed> pairs) {
        super(text, coder, literalBits, indexBits, pairs);
    }

    /** Whether the last run ended at a suspect. */
    private boolean isSuspect;

    final int codeRun() {
        int limit = run >= 8192 ? 4096 : run >= 512 ? 256 : 32;
        limit = Math.min(limit, Math.min(fileEnd - i, p < text.out ? text.out - p : i - p));
        isSuspect = false;
        int count = map == null ? expected(limit) : expectedInMap(limit);
        if (count > 0) {
            int length = codeStretch(count);
            copy(length);
            if (length < count) {
                beginMiss();
                return MISSED;
            }
        }
        return isSuspect ? codeSuspect() : COPIED;
    }

    /** The number of bytes from the aligned position to the first suspect, at most a limit. */
    private int expected(int limit) {
        byte[] bytes = text.text;
        int end = p + limit;
        for (int q = p; q < end; q++) {
            // Within a word nothing begins.
            if (TextTables.CAN_BEGIN[bytes[q - 1] & 0xFF] && suspectAt(q)) {
                isSuspect = true;
                return q - p;
            }
        }
        return limit;
    }

    private int expectedInMap(int limit) {
        int count = 0;
        while (count < limit) {
            int q = p + count;
            if (isInMappings(q)) {
                if (map.isInside() && map.isFieldAt(q)) {
                    if (count > 0) {
                        break;
                    }
                    isSuspect = suspectNumber();
                    if (isSuspect) {
                        break;
                    }
                }
            } else if (suspectAt(q)) {
                isSuspect = true;
                break;
            }
            count++;
        }
        return count;
    }

    private void copy(int length) {
        // The two never overlap: a run ends where the old text does.
        System.arraycopy(text.text, p, text.text, i, length);
        if (map != null) {
            for (int index = 0; index < length; index++) {
                map.count(i + index, p + index);
            }
        }
        i += length;
        p += length;
        run += length;
    }

    private static int lengthClass(int count) {
        if (count > 32) {
            return count >= 4096 ? 11 : count > 256 ? 10 : count == 256 ? 9 : 8;
        }
        if (count >= 16) {
            return count == 32 ? 7 : count >= 24 ? 6 : 5;
        }
        return count >= 8 ? 4 : count >= 4 ? 3 : count - 1;
    }

    private int codeStretch(int count) {
        int runClass = 0;
        for (int half = run; half >= 32 && runClass < 12; half >>= 1) {
            runClass++;
        }
        if (coder.code(counters, runClass << 4 | lengthClass(count), 255) == 1) {
            return count;
        }
        int start = 0;
        int rest = count;
        for (int size = 256; size >= 32; size >>= 3) {
            while (rest > size) {
                if (coder.code(counters, 512 + size, 255) == 0) {
                    rest = size;
                } else {
                    start += size;
                    rest -= size;
                }
            }
        }
        int equal = 0;
        while (equal < rest - 1 && codeStep(p + start + equal) == 1) {
            equal++;
        }
        return start + equal;
    }

    private int codeStep(int q) {
        boolean isFirst = text.isTokenStart(q);
        int one = text.at(q);
        int a = 65_536 + (TextTables.KIND[one] * 16 + TextTables.KIND[text.at(q - 1)]) * 16
            + (isFirst ? Math.min(tokenLength(q, 9), 9) : 0);
        int b = 131_072 + (TextTables.hash(one, text.at(q + 1), isFirst ? 1 : 0) >>> 16);
        int stretched = (2 * CodingTables.STRETCH[counters[a] >>> 20]
            + CodingTables.STRETCH[counters[b] >>> 20]) / 3;
        int bit = coder.bit(Math.max(1, CodingTables.SQUASH[stretched + 3072]));
        counters[a] = CodingTables.updated(counters[a], bit, 60);
        counters[b] = CodingTables.updated(counters[b], bit, 60);
        return bit;
    }

    private void beginMiss() {
        learnBefore();
        if (isInMappings(p) || !text.isToken(p) && !text.isToken(p - 1)) {
            return;
        }
        int start = p;
        while (start > p - 64 && start > 64 && text.isToken(start - 1)
            && text.text[start - 1] == text.text[i - (p - start) - 1]) {
            start--;
        }
        beginToken(start, i - (p - start), ITSELF);
    }

    private int codeSuspect() {
        int left = fileEnd - i;
        if (newLength <= left) {
            boolean isExpected = renameFlag(21);
            renameHistory = renameHistory << 1 | (isExpected ? 1 : 0);
            if (isExpected) {
                for (int index = 0; index < newLength; index++) {
                    text.text[i + index] = text.text[newPosition + index];
                }
                take(newLength);
                return COPIED;
            }
        }
        if (oldLength <= left && renameFlag(41)) {
            for (int index = 0; index < oldLength; index++) {
                text.text[i + index] = text.text[p + index];
            }
            take(oldLength);
            return COPIED;
        }
        run = 0;
        learnBefore();
        if (kind >= 2) {
            isLost = true;
            anchor = p;
        } else {
            beginToken(p, i, NEITHER);
        }
        return STOPPED;
    }

    private void take(int length) {
        if (map != null) {
            for (int index = 0; index < length; index++) {
                map.count(i + index, kind == 3 ? p + index : 0);
            }
        }
        i += length;
        if (kind <= 1) {
            renames.note(suspectHash, p, oldLength, i - length, length);
            names.note(p, oldLength, i - length, length);
        }
        p += oldLength;
        run++;
    }

    private boolean renameFlag(int salt) {
        int source = kind * 8 + confidence;
        int lengths = Math.min(oldLength, 7) * 8 + Math.min(newLength, 7);
        int last = text.at(i - 1);
        int next = text.at(p + oldLength);
        return flags.code(TextTables.hash(salt, source, lengths),
            TextTables.hash(salt + 2, suspectHash, last << 8 | text.at(i - 2)),
            TextTables.hash(salt + 4, last << 8 | next, source),
            TextTables.hash(salt + 5, suspectHash, newPosition),
            TextTables.hash(salt + 6, renameHistory & 3, lengths << 8 | source),
            TextTables.hash(salt + 7, text.history(i), next),
            48 + 2 * kind + (salt == 21 ? 0 : 1));
    }
}
