package packtool.client;

import java.util.ArrayList;
import java.util.List;

/** What a run did. */
final class InstallReport {
    /** {@code installed}, {@code updated}, {@code repaired}, {@code unchanged}, {@code kept}, … */
    String outcome;
    InstallState state;
    Copy installed;
    String previous;
    /** How the release came; null if it was on the device. */
    String route;
    long files;
    long bytes;
    boolean isDamaged;
    List<String> notes = new ArrayList<>();
}
