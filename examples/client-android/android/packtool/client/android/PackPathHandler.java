package packtool.client.android;

import android.webkit.WebResourceResponse;
import androidx.webkit.WebViewAssetLoader;
import java.util.Collections;
import packtool.client.PackClient;
import packtool.client.PackFiles;

/**
 * Answers the requests of a {@code WebViewAssetLoader} from the running release.
 *
 * <p>The loader passes on neither headers nor the kind of a request. So there are no ranges, which
 * large videos need, and a page does not keep its release if {@code PackClient.start()} is called
 * again: {@link PackWebViewClient} has both.
 */
public final class PackPathHandler implements WebViewAssetLoader.PathHandler {
    private final PackClient client;

    /** Makes the handler of a path, which the loader removes from the URLs. */
    public PackPathHandler(PackClient client) {
        this.client = client;
    }

    @Override
    public WebResourceResponse handle(String path) {
        PackFiles files = client.files();
        // The loader has decoded the path; its percent signs are those of names.
        return files == null ? null : PackWebViewClient.response(
            files.answer("GET", path.replace("%", "%25"), Collections.emptyMap()));
    }
}
