package packtool.client.android;

import android.net.Uri;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import packtool.client.PackClient;
import packtool.client.PackFiles;

/**
 * Answers the requests of one web view from the running release.
 *
 * <p>Each page keeps the release it was loaded from: the files are chosen with the request for the
 * document of the view. Requests of other hosts go to the network.
 */
public class PackWebViewClient extends WebViewClient {
    private final PackClient client;
    private final String host;
    private final String prefix;
    private volatile PackFiles files;

    /**
     * Makes the client of one web view.
     *
     * @param host the host of the pages, which no server needs to have
     * @param prefix the path of the release in URLs, with a slash at both ends
     */
    public PackWebViewClient(PackClient client, String host, String prefix) {
        this.client = client;
        this.host = host;
        this.prefix = prefix;
    }

    /** The URL of the first page. */
    public String launchUrl(String launch) {
        return "https://" + host + prefix + Uri.encode(launch, "/");
    }

    @Override
    public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
        Uri url = request.getUrl();
        String path = url.getEncodedPath();
        if (!"https".equals(url.getScheme()) || !host.equals(url.getHost()) || path == null
            || !path.startsWith(prefix)) {
            return null;
        }
        PackFiles chosen = files;
        if (chosen == null || request.isForMainFrame()) {
            chosen = client.files();
            files = chosen;
        }
        if (chosen == null) {
            // The kill switch, or no release: the network answers.
            return null;
        }
        return response(chosen.answer(
            request.getMethod(), path.substring(prefix.length()), request.getRequestHeaders()));
    }

    /** An answer as a web view needs it. */
    static WebResourceResponse response(PackFiles.Answer answer) {
        // The web view makes these two headers itself.
        answer.headers.remove("Content-Type");
        answer.headers.remove("Content-Length");
        InputStream body = null;
        try {
            // The web view skips to the range of the request itself, also for status 206 (Chromium,
            // input_stream_reader.cc). So it gets the whole file.
            body = answer.openFile();
        } catch (IOException error) {
            return plain(500, "Internal Server Error", answer.headers);
        }
        if (body == null) {
            return plain(answer.status, answer.reason, answer.headers);
        }
        return new WebResourceResponse(
            answer.type, null, answer.status, answer.reason, answer.headers, body);
    }

    private static WebResourceResponse plain(
        int status, String reason, Map<String, String> headers) {
        // A web view refuses a status from 300 to 399. It sends no condition that could give one,
        // because it stores no answer of an app.
        int shown = status >= 300 && status < 400 ? 404 : status;
        return new WebResourceResponse("text/plain", null, shown,
            shown == status ? reason : "Not Found", headers,
            new ByteArrayInputStream(new byte[0]));
    }
}
