package packtool.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.Map;

/** The transport of {@code HttpURLConnection}, which every Java and Android runtime has. */
final class UrlTransport implements PackTransport {
    private static final int PATIENCE = 30_000;

    @Override
    public Answer get(String url, Map<String, String> headers) throws IOException {
        URLConnection opened = new URL(url).openConnection();
        if (!(opened instanceof HttpURLConnection)) {
            throw new IOException("not an http address");
        }
        HttpURLConnection connection = (HttpURLConnection) opened;
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(PATIENCE);
        connection.setReadTimeout(PATIENCE);
        connection.setUseCaches(false);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            connection.setRequestProperty(header.getKey(), header.getValue());
        }
        int status;
        try {
            status = connection.getResponseCode();
        } catch (RuntimeException error) {
            // Some runtimes throw these for answers that are not HTTP.
            throw new IOException("the answer is not HTTP: " + error, error);
        }
        if (status < 0) {
            connection.disconnect();
            throw new IOException("the answer is not HTTP");
        }
        return new Received(connection, status);
    }

    private static final class Received implements Answer {
        private final HttpURLConnection connection;
        private final int status;

        Received(HttpURLConnection connection, int status) {
            this.connection = connection;
            this.status = status;
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public String header(String name) {
            return connection.getHeaderField(name);
        }

        @Override
        public InputStream body() throws IOException {
            InputStream body =
                status >= 400 ? connection.getErrorStream() : connection.getInputStream();
            return body == null ? new ByteArrayInputStream(new byte[0]) : body;
        }

        @Override
        public void close() {
            connection.disconnect();
        }
    }
}
