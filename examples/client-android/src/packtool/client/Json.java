package packtool.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of JSON by the rules of docs/formats.md, "info.json".
 *
 * <p>Values are {@link Members}, {@code List}, {@code String}, {@code Boolean}, {@code Long}, {@link
 * Fraction}, or {@code null}. Duplicate names, a byte order mark, nesting deeper than 16, integers
 * beyond 2^53 - 1, invalid UTF-8, half a surrogate pair and trailing bytes are refused.
 */
final class Json {
    /** The deepest nesting. The outermost value is on level 1. */
    private static final int DEPTH = 16;
    static final long BIGGEST = (1L << 53) - 1;

    /** A number with a fraction or an exponent: accepted where nothing asks for it. */
    static final class Fraction {}

    private final String text;
    private final String code;
    private int at;

    private Json(String text, String code) {
        this.text = text;
        this.code = code;
    }

    /**
     * The object in some bytes.
     *
     * @param code the code of the error if they are not one object
     */
    static Members parse(byte[] data, String code) throws PackError {
        String text = Bytes.text(data);
        if (text == null) {
            throw PackError.origin(code, "a JSON file is not valid UTF-8");
        }
        Json json = new Json(text, code);
        json.skipSpace();
        Object value = json.value(1);
        json.skipSpace();
        if (json.at != text.length()) {
            throw json.invalid("bytes after the value");
        }
        return Members.of(value, code, "the file");
    }

    private PackError invalid(String problem) {
        return PackError.origin(code, "a file is not valid JSON: " + problem + " at character " + at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws PackError {
        if (at >= text.length()) {
            throw invalid("it ends early");
        }
        return text.charAt(at);
    }

    private Object value(int level) throws PackError {
        if (level > DEPTH) {
            throw invalid("nested deeper than " + DEPTH);
        }
        switch (peek()) {
            case '{':
                return object(level);
            case '[':
                return list(level);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Object word(String word, Object value) throws PackError {
        if (!text.startsWith(word, at)) {
            throw invalid("no value");
        }
        at += word.length();
        return value;
    }

    private Members object(int level) throws PackError {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        skipSpace();
        if (peek() == '}') {
            at++;
            return new Members(members, code);
        }
        while (true) {
            skipSpace();
            if (peek() != '"') {
                throw invalid("no name");
            }
            String name = string();
            skipSpace();
            if (peek() != ':') {
                throw invalid("no colon");
            }
            at++;
            skipSpace();
            Object value = value(level + 1);
            if (members.containsKey(name)) {
                throw invalid("a name appears twice in an object");
            }
            members.put(name, value);
            if (isLast('}')) {
                return new Members(members, code);
            }
        }
    }

    private List<Object> list(int level) throws PackError {
        List<Object> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            skipSpace();
            elements.add(value(level + 1));
            if (isLast(']')) {
                return elements;
            }
        }
    }

    private boolean isLast(char end) throws PackError {
        skipSpace();
        char next = peek();
        at++;
        if (next != end && next != ',') {
            throw invalid("no comma");
        }
        return next == end;
    }

    private boolean isDigit() {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private void digits() throws PackError {
        if (!isDigit()) {
            throw invalid("no value");
        }
        while (isDigit()) {
            at++;
        }
    }

    private Object number() throws PackError {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        if (isDigit() && text.charAt(at) == '0') {
            at++;
        } else {
            digits();
        }
        boolean isInteger = true;
        if (at < text.length() && text.charAt(at) == '.') {
            isInteger = false;
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            isInteger = false;
            at++;
            if (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            digits();
        }
        if (!isInteger) {
            return new Fraction();
        }
        if (at - start > 17) {
            throw invalid("an integer beyond 2^53 - 1");
        }
        long value = Long.parseLong(text.substring(start, at));
        if (value > BIGGEST || value < -BIGGEST) {
            throw invalid("an integer beyond 2^53 - 1");
        }
        return value;
    }

    private String string() throws PackError {
        StringBuilder result = new StringBuilder();
        at++;
        while (true) {
            char next = peek();
            at++;
            if (next == '"') {
                return whole(result.toString());
            }
            if (next < 0x20) {
                throw invalid("a control character in a string");
            }
            result.append(next == '\\' ? escaped() : next);
        }
    }

    private char escaped() throws PackError {
        char next = peek();
        at++;
        switch (next) {
            case '"':
            case '\\':
            case '/':
                return next;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                int value = 0;
                for (int index = 0; index < 4; index++) {
                    char letter = peek();
                    int digit = letter > 127 ? -1 : Character.digit(letter, 16);
                    if (digit < 0) {
                        throw invalid("an unknown escape");
                    }
                    value = value * 16 + digit;
                    at++;
                }
                return (char) value;
            default:
                throw invalid("an unknown escape");
        }
    }

    private String whole(String string) throws PackError {
        for (int index = 0; index < string.length(); index++) {
            char one = string.charAt(index);
            if (Character.isHighSurrogate(one) && index + 1 < string.length()
                && Character.isLowSurrogate(string.charAt(index + 1))) {
                index++;
            } else if (Character.isSurrogate(one)) {
                throw invalid("half a surrogate pair");
            }
        }
        return string;
    }
}
