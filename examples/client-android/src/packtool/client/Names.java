package packtool.client;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The names of apps, channels and files, by docs/formats.md, "Names". */
final class Names {
    private static final Set<String> JUNK = new HashSet<>(Arrays.asList(
        ".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".svn", ".hg",
        ".Spotlight-V100", ".Trashes", ".fseventsd", ".packtool-rewrite.json"));
    private static final Set<String> DEVICES =
        new HashSet<>(Arrays.asList("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"));

    static {
        for (int number = 0; number < 10; number++) {
            DEVICES.add("COM" + number);
            DEVICES.add("LPT" + number);
        }
    }

    private Names() {}

    /** Whether a text is the name of an app: 1 to 64 of A-Z a-z 0-9 . _ - */
    static boolean isApp(String text) {
        if (text.isEmpty() || text.length() > 64) {
            return false;
        }
        for (int index = 0; index < text.length(); index++) {
            char one = text.charAt(index);
            boolean isLetter = one >= 'a' && one <= 'z' || one >= 'A' && one <= 'Z'
                || one >= '0' && one <= '9';
            if (!isLetter && (index == 0 || "._-".indexOf(one) < 0)) {
                return false;
            }
        }
        return text.charAt(text.length() - 1) != '.';
    }

    /** Whether a text is the name of a channel: that of an app without capitals. */
    static boolean isChannel(String text) {
        return isApp(text) && text.equals(text.toLowerCase(Locale.ROOT));
    }

    /** Whether a component is left out of releases. */
    static boolean isJunk(String part) {
        return JUNK.contains(part) || part.startsWith("._") || part.startsWith(".#")
            || part.endsWith("~") || part.startsWith("#") && part.endsWith("#")
            || part.startsWith(".")
                && (part.endsWith(".swp") || part.endsWith(".swo") || part.endsWith(".swx"))
            || part.length() == 42 && part.startsWith(".") && part.endsWith(".packtool")
                && Bytes.isHex(part.substring(1, 33), 32);
    }

    /** Why a build could not have a path; {@code null} if it could. The first list of "Names". */
    static String problemOfBuild(String path) {
        for (int index = 0; index < path.length(); index++) {
            char one = path.charAt(index);
            if (one < 0x20 || one >= 0x7F && one <= 0x9F || one == '\\') {
                return "has a control character or backslash";
            }
        }
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return "is empty or absolute, or has an empty, '.' or '..' component";
            }
            if (Bytes.utf8(part).length > 255) {
                return "has a component longer than 255 bytes";
            }
        }
        return null;
    }

    /** Why a package must not have a path; {@code null} if it may. */
    static String problem(String path) {
        String problem = problemOfBuild(path);
        if (problem != null) {
            return problem;
        }
        String[] parts = path.split("/", -1);
        if (Bytes.utf8(path).length > 1024 || parts.length > 32) {
            return "is longer than 1,024 bytes or deeper than 32";
        }
        if (path.indexOf(':') >= 0) {
            return "has a colon";
        }
        for (String part : parts) {
            if (part.endsWith(".") || part.endsWith(" ")) {
                return "has a component that ends in a dot or a space";
            }
            int dot = part.indexOf('.');
            String stem = dot < 0 ? part : part.substring(0, dot);
            if (stem.length() <= 7 && DEVICES.contains(upperASCII(stem))) {
                return "has the name of a device on Windows";
            }
            if (isJunk(part)) {
                return "has a component that is left out of releases";
            }
        }
        return Normalizer.isNormalized(path, Normalizer.Form.NFC) ? null
            : "is not in Unicode normal form C";
    }

    private static String upperASCII(String text) {
        StringBuilder upper = new StringBuilder(text);
        for (int index = 0; index < upper.length(); index++) {
            char one = upper.charAt(index);
            if (one >= 'a' && one <= 'z') {
                upper.setCharAt(index, (char) (one - 32));
            }
        }
        return upper.toString();
    }

    /**
     * Checks the paths of a release: the form of each, and that none collide.
     *
     * @param folders further directories, which must not be files
     */
    static void check(Collection<String> paths, Collection<String> folders, String code)
        throws PackError {
        Set<String> files = new HashSet<>(paths);
        // Each folded file or directory has one spelling.
        Map<String, String> spellings = new HashMap<>();
        for (String path : paths) {
            checkOne(path, code);
            checkFolders(path, files, spellings, code);
            claim(path, spellings, code);
        }
        for (String folder : folders) {
            checkOne(folder, code);
            checkFolders(folder + "/", files, spellings, code);
        }
    }

    private static void checkOne(String path, String code) throws PackError {
        String problem = problem(path);
        if (problem != null) {
            throw PackError.origin(code, "the path '" + printable(path) + "' " + problem);
        }
    }

    private static void checkFolders(
        String path, Set<String> files, Map<String, String> spellings, String code)
        throws PackError {
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            String folder = path.substring(0, slash);
            if (files.contains(folder)) {
                throw PackError.origin(
                    code, "'" + printable(folder) + "' is both a file and a directory");
            }
            if (folder.equals(spellings.get(CaseFolding.folded(folder)))) {
                return;
            }
            claim(folder, spellings, code);
        }
    }

    private static void claim(String path, Map<String, String> spellings, String code)
        throws PackError {
        String other = spellings.put(CaseFolding.folded(path), path);
        if (other != null && !other.equals(path)) {
            throw PackError.origin(code, "'" + printable(path) + "' and '" + printable(other)
                + "' are one file on some disks");
        }
    }

    /** A text for messages, without control characters and not longer than 200 characters. */
    static String printable(String text) {
        StringBuilder result = new StringBuilder();
        for (int index = 0; index < text.length() && index < 200; index++) {
            char one = text.charAt(index);
            result.append(one < 0x20 || one >= 0x7F && one <= 0x9F ? '?' : one);
        }
        return result.toString();
    }
}
