package packtool.client;

import java.util.List;

/** "The walk" of docs/formats.md: where the aligned position goes after a coded byte. */
abstract class AlignedWalk extends AlignedRuns {
    /** The place of the byte in the current token, and whether it was the predicted one. */
    int k;
    boolean isHit;
    private int near;
    private int nearLength;

    AlignedWalk(TextTables text, ArithmeticDecoder coder, int literalBits, int indexBits,
        List<NameSeeds.Seed> pairs) {
        super(text, coder, literalBits, indexBits, pairs);
    }

    final void advance(int one) {
        if (!hasToken) {
            if (p > 0) {
                if (isHit) {
                    run++;
                } else {
                    anchor = isLost ? anchor : p;
                    run = 0;
                    isLost = true;
                }
                p++;
            }
        } else if (isSeed) {
            advanceSeed(one);
        } else if (TextTables.TOKEN[one]) {
            if (!(k < predictedLength && text.at(predicted + k) == one)) {
                follows = false;
            }
            run = isHit ? run + 1 : 0;
            if (i - newStart > 64) {
                run = 0;
                lose();
            }
        } else {
            endToken(one);
        }
    }

    private void advanceSeed(int one) {
        if (text.at(predicted + k) == one) {
            run += isHit ? 1 : 0;
            if (k + 1 == predictedLength) {
                hasToken = false;
                p = oldEnd;
            }
            return;
        }
        isSeed = false;
        follows = false;
        run = 0;
        if (!TextTables.TOKEN[one]) {
            lose();
        }
    }

    private void endToken(int one) {
        int length = i - 1 - newStart;
        boolean isEnd = text.at(oldEnd) == one;
        if (isEnd && length > 0 && oldEnd > oldStart) {
            renames.note(tokenHash, oldStart, oldEnd - oldStart, newStart, length);
            names.note(oldStart, oldEnd - oldStart, newStart, length);
        }
        anchor = oldEnd;
        p = oldEnd + (isEnd ? 1 : 0);
        hasToken = false;
        if (isEnd) {
            run = isHit ? run + 1 : 0;
            if (run < 4) {
                isLost = false;
            }
        } else {
            run = 0;
            isLost = true;
        }
    }

    private void lose() {
        anchor = oldEnd;
        isLost = true;
        p = oldEnd;
        hasToken = false;
    }

    final void resynchronize() {
        if (run > 0) {
            if ((!isLost || missesSinceLost >= 1) && text.agreement(p, i, 8) < 8) {
                int q = positions.lastOfSix(i);
                if (q > 0 && text.agreement(q, i, 32) == 32) {
                    p = q;
                    run = 6;
                }
            }
            return;
        }
        int best = p > 0 ? text.agreement(p, i, 32) : 0;
        if (isLost && anchor > 0 && best < 8) {
            searchNearby();
            if (near == 0) {
                near = positions.lastOfFour(i);
                nearLength = near == 0 ? 0 : text.agreement(near, i, 32);
                if (Math.abs(near - anchor) > 500 || nearLength < 4) {
                    nearLength = 0;
                }
            }
            if (nearLength > best) {
                p = near;
                best = nearLength;
            }
        }
        if (best < 24 && (!isLost || p == 0 || missesSinceLost >= 1)) {
            int q = positions.lastOfSix(i);
            int length = q > 0 ? text.agreement(q, i, 32) : 0;
            if (length >= 20 && length > best) {
                p = q;
                run = 6;
                return;
            }
        }
        if ((isLost || p == 0) && best < 16 && i < fileEnd) {
            codeJump(best);
        }
    }

    private void codeJump(int agreed) {
        int a = 2048 + (p == 0 ? 64 : 0) + 4 * Math.min(7, missesSinceLost)
            + (agreed == 0 ? 0 : agreed < 3 ? 1 : agreed < 6 ? 2 : 3);
        int b = 2304 + 16 * TextTables.KIND[text.at(i - 1)] + TextTables.KIND[text.at(i - 2)];
        int stretched = (CodingTables.STRETCH[counters[a] >>> 20]
            + CodingTables.STRETCH[counters[b] >>> 20]) / 2;
        int bit = coder.bit(Math.max(1, CodingTables.SQUASH[stretched + 3072]));
        counters[a] = CodingTables.updated(counters[a], bit, 255);
        counters[b] = CodingTables.updated(counters[b], bit, 255);
        if (bit == 1) {
            return;
        }
        int bits = 1;
        while (bits < 34 && coder.code(counters, 2560 + bits, 255) == 1) {
            bits++;
        }
        long value = 1;
        for (int index = 0; index < bits - 1; index++) {
            int next = index == 0 ? coder.code(counters, 2625 + 4 * bits, 255)
                : index == 1 ? coder.code(counters, 2626 + 4 * bits + (int) (value & 1), 255)
                : coder.plainBit();
            value = 2 * value + next;
        }
        long target = (anchor > 0 ? anchor : text.out) + ArithmeticDecoder.signed(value - 1);
        p = target < 64 || target >= i ? 0 : (int) target;
        if (p > 0) {
            run = 6;
            isLost = false;
            missesSinceLost = 0;
        }
    }

    private void searchNearby() {
        int bestScore = Integer.MIN_VALUE;
        int bestDistance = 0;
        near = 0;
        nearLength = 0;
        byte[] bytes = text.text;
        byte last = bytes[i - 1];
        byte before = bytes[i - 2];
        int end = Math.min(i - 1, anchor + 100);
        for (int q = Math.max(64, anchor - 100); q <= end; q++) {
            if (bytes[q - 1] != last || bytes[q - 2] != before) {
                continue;
            }
            int length = text.agreement(q, i, 32);
            int distance = Math.abs(q - anchor);
            int needed = distance < 4 ? 2 : distance < 16 ? 3 : distance < 64 ? 4 : 5;
            int score = 4 * length - 2 * (32 - Integer.numberOfLeadingZeros(distance));
            if (length >= needed
                && (score > bestScore || score == bestScore && distance < bestDistance)) {
                bestScore = score;
                bestDistance = distance;
                near = q;
                nearLength = length;
            }
        }
    }
}
