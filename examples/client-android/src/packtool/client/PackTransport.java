package packtool.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Sends requests. The default one uses {@code HttpURLConnection}; an app can give its own, for
 * example with OkHttp.
 *
 * <p>It sends each request once, follows no redirects, keeps no cookies, uses no cache, and
 * decompresses nothing.
 */
public interface PackTransport {
    /**
     * Sends a GET request.
     *
     * @throws IOException if there is no answer
     */
    Answer get(String url, Map<String, String> headers) throws IOException;

    /** The answer to a request. */
    interface Answer extends Closeable {
        /** The status code. */
        int status();

        /** The value of a header by its name in any case; null if there is none. */
        String header(String name);

        /** The content of the answer. */
        InputStream body() throws IOException;
    }
}
