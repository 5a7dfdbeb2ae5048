package android.webkit;

import android.net.Uri;
import java.util.Map;

/** A stand-in for Android's interface. */
public interface WebResourceRequest {
    Uri getUrl();

    boolean isForMainFrame();

    String getMethod();

    Map<String, String> getRequestHeaders();
}
