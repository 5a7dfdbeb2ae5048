package packtool.client;

/** The range of a {@code Range} header (RFC 9110, section 14). */
final class ByteRange {
    final boolean isWhole;
    final boolean isUnsatisfiable;
    final long offset;
    final long length;

    private ByteRange(boolean isWhole, boolean isUnsatisfiable, long offset, long length) {
        this.isWhole = isWhole;
        this.isUnsatisfiable = isUnsatisfiable;
        this.offset = offset;
        this.length = length;
    }

    private static final ByteRange WHOLE = new ByteRange(true, false, 0, 0);
    private static final ByteRange UNSATISFIABLE = new ByteRange(false, true, 0, 0);

    /** The part of a file of some size; the whole one for no, an invalid, or several ranges. */
    static ByteRange of(String header, long size) {
        String text = header == null ? "" : header.trim();
        int equals = text.indexOf('=');
        if (equals < 0 || !text.substring(0, equals).equalsIgnoreCase("bytes")) {
            return WHOLE;
        }
        ByteRange found = null;
        boolean isAnySatisfiable = false;
        int count = 0;
        for (String part : text.substring(equals + 1).split(",")) {
            String one = part.trim();
            if (one.isEmpty()) {
                continue;
            }
            found = one(one, size);
            if (found == null) {
                return WHOLE;
            }
            isAnySatisfiable |= !found.isUnsatisfiable;
            count++;
        }
        return count == 0 ? WHOLE : !isAnySatisfiable ? UNSATISFIABLE : count == 1 ? found : WHOLE;
    }

    private static ByteRange one(String text, long size) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            return null;
        }
        long end = number(text.substring(dash + 1));
        if (dash == 0) {
            if (end < 0) {
                return null;
            }
            long taken = Math.min(end, size);
            return end == 0 ? UNSATISFIABLE
                : size == 0 ? WHOLE : new ByteRange(false, false, size - taken, taken);
        }
        long start = number(text.substring(0, dash));
        boolean isOpen = dash == text.length() - 1;
        if (start < 0 || !isOpen && (end < 0 || isBelow(text.substring(dash + 1),
            text.substring(0, dash)))) {
            return null;
        }
        if (start >= size) {
            return UNSATISFIABLE;
        }
        long last = isOpen ? size - 1 : Math.min(end, size - 1);
        return new ByteRange(false, false, start, last - start + 1);
    }

    /** A number of digits, at most the largest one; -1 for another text. */
    private static long number(String digits) {
        if (digits.isEmpty()) {
            return -1;
        }
        long value = 0;
        for (int index = 0; index < digits.length(); index++) {
            int digit = digits.charAt(index) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE / 16 * 15 : value * 10 + digit;
        }
        return value;
    }

    private static boolean isBelow(String one, String other) {
        return new java.math.BigInteger(one).compareTo(new java.math.BigInteger(other)) < 0;
    }
}
