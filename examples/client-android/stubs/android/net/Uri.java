package android.net;

/** A stand-in for Android's class: what the adapter uses of it. */
public final class Uri {
    private final java.net.URI uri;

    private Uri(java.net.URI uri) {
        this.uri = uri;
    }

    public static Uri parse(String text) {
        return new Uri(java.net.URI.create(text));
    }

    public static String encode(String text, String allowed) {
        StringBuilder encoded = new StringBuilder();
        for (byte one : text.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            char letter = (char) (one & 0xFF);
            boolean isPlain = letter < 0x80 && Character.isLetterOrDigit(letter)
                || "_-!.~'()*".indexOf(letter) >= 0 || allowed.indexOf(letter) >= 0;
            encoded.append(isPlain ? String.valueOf(letter) : String.format("%%%02X", (int) letter));
        }
        return encoded.toString();
    }

    public String getScheme() {
        return uri.getScheme();
    }

    public String getHost() {
        return uri.getHost();
    }

    public String getEncodedPath() {
        return uri.getRawPath();
    }
}
