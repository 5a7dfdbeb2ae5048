package packtool.client;

/** A writer of JSON; members that are null are left out, but for one method. */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder();
    private boolean needsComma;

    void begin(String bracket) {
        if (needsComma) {
            text.append(", ");
        }
        text.append(bracket);
        needsComma = false;
    }

    void end(String bracket) {
        text.append(bracket);
        needsComma = true;
    }

    void name(String name) {
        element(name);
        text.append(": ");
        needsComma = false;
    }

    /** A string in a list. */
    void element(String value) {
        if (needsComma) {
            text.append(", ");
        }
        text.append('"');
        for (int index = 0; index < value.length(); index++) {
            char one = value.charAt(index);
            if (one == '"' || one == '\\') {
                text.append('\\').append(one);
            } else if (one < 0x20) {
                text.append("\\u00").append(one < 0x10 ? "0" : "1")
                    .append(Character.toUpperCase(Character.forDigit(one & 15, 16)));
            } else {
                text.append(one);
            }
        }
        text.append('"');
        needsComma = true;
    }

    void string(String name, String value) {
        if (value != null) {
            name(name);
            element(value);
        }
    }

    /** A member that is written as null instead of being left out. */
    void stringOrNull(String name, String value) {
        if (value == null) {
            name(name);
            text.append("null");
            needsComma = true;
        } else {
            string(name, value);
        }
    }

    void number(String name, Long value) {
        if (value != null) {
            name(name);
            text.append(value.longValue());
            needsComma = true;
        }
    }

    void bool(String name, boolean value) {
        name(name);
        text.append(value);
        needsComma = true;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
