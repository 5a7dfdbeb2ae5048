package packtool.client;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The members of a JSON object, asked for with the form that they must have. */
final class Members {
    private final Map<String, Object> values;
    private final String code;

    Members(Map<String, Object> values, String code) {
        this.values = values;
        this.code = code;
    }

    /** The object that a value must be; its names must differ after Unicode normalization. */
    static Members of(Object value, String code, String name) throws PackError {
        if (!(value instanceof Members)) {
            throw PackError.origin(code, "'" + name + "' is not an object");
        }
        Members members = (Members) value;
        Set<String> names = new HashSet<>();
        for (String one : members.values.keySet()) {
            if (!names.add(Normalizer.normalize(one, Normalizer.Form.NFC))) {
                throw PackError.origin(code, "'" + name + "' has two names that are the same text");
            }
        }
        return members;
    }

    Set<String> names() {
        return values.keySet();
    }

    Object value(String name) {
        return values.get(name);
    }

    /** Whether a member is missing or null. */
    boolean isMissing(String name) {
        return values.get(name) == null;
    }

    PackError invalid(String name, String problem) {
        return PackError.origin(code, "the member '" + name + "' " + problem);
    }

    String string(String name) throws PackError {
        Object value = values.get(name);
        if (!(value instanceof String)) {
            throw invalid(name, "is not a string");
        }
        return (String) value;
    }

    String string(String name, int mostBytes) throws PackError {
        String text = string(name);
        if (Bytes.utf8(text).length > mostBytes) {
            throw invalid(name, "is longer than " + mostBytes + " bytes");
        }
        return text;
    }

    String stringOrNull(String name) throws PackError {
        return isMissing(name) ? null : string(name);
    }

    String stringOrNull(String name, int mostBytes) throws PackError {
        return isMissing(name) ? null : string(name, mostBytes);
    }

    long integer(String name, long least, long most) throws PackError {
        Object value = values.get(name);
        if (!(value instanceof Long) || (Long) value < least || (Long) value > most) {
            throw invalid(name, "is not an integer from " + least + " to " + most);
        }
        return (Long) value;
    }

    long integer(String name, long least) throws PackError {
        return integer(name, least, Json.BIGGEST);
    }

    Long integerOrNull(String name, long least) throws PackError {
        return isMissing(name) ? null : (Long) integer(name, least);
    }

    boolean bool(String name) throws PackError {
        Object value = values.get(name);
        if (!(value instanceof Boolean)) {
            throw invalid(name, "is neither true nor false");
        }
        return (Boolean) value;
    }

    boolean boolOrFalse(String name) throws PackError {
        return !isMissing(name) && bool(name);
    }

    Members object(String name) throws PackError {
        return of(values.get(name), code, name);
    }

    Members objectOrNull(String name) throws PackError {
        return isMissing(name) ? null : object(name);
    }

    List<?> list(String name, int most) throws PackError {
        Object value = values.get(name);
        if (!(value instanceof List) || ((List<?>) value).size() > most) {
            throw invalid(name, "is not a list of at most " + most);
        }
        return (List<?>) value;
    }

    List<Members> objects(String name, int most) throws PackError {
        List<Members> objects = new ArrayList<>();
        for (Object value : list(name, most)) {
            objects.add(of(value, code, name));
        }
        return objects;
    }

    List<String> strings(String name, int most) throws PackError {
        List<String> strings = new ArrayList<>();
        for (Object value : list(name, most)) {
            if (!(value instanceof String)) {
                throw invalid(name, "has an element that is not a string");
            }
            strings.add((String) value);
        }
        return strings;
    }

    String digest(String name) throws PackError {
        String text = string(name);
        if (!Bytes.isDigest(text)) {
            throw invalid(name, "is not 64 hexadecimal digits");
        }
        return text;
    }

    String digestOrNull(String name) throws PackError {
        return isMissing(name) ? null : digest(name);
    }

    String version(String name) throws PackError {
        String text = string(name);
        if (!Bytes.isVersion(text)) {
            throw invalid(name, "is not a version of 20 hexadecimal digits");
        }
        return text;
    }

    String versionOrNull(String name) throws PackError {
        return isMissing(name) ? null : version(name);
    }

    byte[] base64(String name) throws PackError {
        byte[] data = Bytes.base64(string(name));
        if (data == null) {
            throw invalid(name, "is not canonical base64");
        }
        return data;
    }

    long time(String name) throws PackError {
        Long time = Timestamp.parse(string(name));
        if (time == null) {
            throw invalid(name, "is not a time such as 2026-11-21T08:00:00Z");
        }
        return time;
    }

    Long timeOrNull(String name) throws PackError {
        return isMissing(name) ? null : (Long) time(name);
    }

    NativeVersion nativeVersionOrNull(String name) throws PackError {
        if (isMissing(name)) {
            return null;
        }
        NativeVersion version = NativeVersion.parse(string(name));
        if (version == null) {
            throw invalid(name, "is not a version of 1 to 4 numbers");
        }
        return version;
    }

    String app(String name) throws PackError {
        String text = string(name);
        if (!Names.isApp(text)) {
            throw invalid(name, "is not an app name");
        }
        return text;
    }

    String channel(String name) throws PackError {
        String text = string(name);
        if (!Names.isChannel(text)) {
            throw invalid(name, "is not a channel name");
        }
        return text;
    }
}
