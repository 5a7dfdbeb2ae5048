package android.webkit;

import java.io.InputStream;
import java.util.Map;

/** A stand-in for Android's class, with its checks of the status. */
public class WebResourceResponse {
    private final String mimeType;
    private final int statusCode;
    private final Map<String, String> headers;
    private final InputStream data;

    public WebResourceResponse(String mimeType, String encoding, int statusCode,
        String reasonPhrase, Map<String, String> responseHeaders, InputStream data) {
        if (statusCode < 100 || statusCode > 599 || statusCode > 299 && statusCode < 400) {
            throw new IllegalArgumentException("statusCode " + statusCode);
        }
        if (reasonPhrase == null || reasonPhrase.trim().isEmpty()) {
            throw new IllegalArgumentException("reasonPhrase");
        }
        this.mimeType = mimeType;
        this.statusCode = statusCode;
        headers = responseHeaders;
        this.data = data;
    }

    public String getMimeType() {
        return mimeType;
    }

    public int getStatusCode() {
        return statusCode;
    }

    public Map<String, String> getResponseHeaders() {
        return headers;
    }

    public InputStream getData() {
        return data;
    }
}
