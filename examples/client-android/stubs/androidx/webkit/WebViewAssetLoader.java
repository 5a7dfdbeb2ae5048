package androidx.webkit;

import android.webkit.WebResourceResponse;

/** A stand-in for the class of androidx.webkit. */
public final class WebViewAssetLoader {
    /** Answers the requests below a path. */
    public interface PathHandler {
        WebResourceResponse handle(String path);
    }
}
