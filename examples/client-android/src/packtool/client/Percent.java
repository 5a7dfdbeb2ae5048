package packtool.client;

/** Percent-encoding of path segments, by RFC 3986. */
final class Percent {
    private static final String PLAIN = "-._~!$&'()*+,;=:@";

    private Percent() {}

    /** A segment as it is in a URL. */
    static String encoded(String segment) {
        StringBuilder text = new StringBuilder();
        for (byte one : Bytes.utf8(segment)) {
            char letter = (char) (one & 0xFF);
            boolean isPlain = letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z'
                || letter >= '0' && letter <= '9' || PLAIN.indexOf(letter) >= 0;
            if (isPlain) {
                text.append(letter);
            } else {
                text.append('%').append(Character.toUpperCase(Character.forDigit(letter >> 4, 16)))
                    .append(Character.toUpperCase(Character.forDigit(letter & 15, 16)));
            }
        }
        return text.toString();
    }
}
