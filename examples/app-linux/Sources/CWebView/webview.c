#include "webview.h"

#include <stdio.h>
#include <webkit/webkit.h>

// MARK: Bodies as streams of GLib

typedef struct {
    GInputStream parent;
    void *body;
    webview_read read;
    void (*release)(void *body);
} BodyStream;

typedef struct {
    GInputStreamClass parent;
} BodyStreamClass;

G_DEFINE_TYPE(BodyStream, body_stream, G_TYPE_INPUT_STREAM)

static void body_release(BodyStream *stream) {
    if (stream->body) stream->release(stream->body);
    stream->body = NULL;
}

static gssize body_read(GInputStream *base, void *bytes, gsize count, GCancellable *cancellable, GError **error) {
    BodyStream *stream = (BodyStream *)base;
    if (g_cancellable_set_error_if_cancelled(cancellable, error)) return -1;
    if (!stream->body) return 0;
    gssize result = stream->read(stream->body, bytes, count);
    if (result < 0) g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the file could not be read");
    return result;
}

static gboolean body_close(GInputStream *base, GCancellable *cancellable, GError **error) {
    (void)cancellable, (void)error;
    body_release((BodyStream *)base);
    return TRUE;
}

static void body_finalize(GObject *object) {
    body_release((BodyStream *)object);
    G_OBJECT_CLASS(body_stream_parent_class)->finalize(object);
}

static void body_stream_class_init(BodyStreamClass *class) {
    G_INPUT_STREAM_CLASS(class)->read_fn = body_read;
    G_INPUT_STREAM_CLASS(class)->close_fn = body_close;
    G_OBJECT_CLASS(class)->finalize = body_finalize;
}

static void body_stream_init(BodyStream *stream) { (void)stream; }

// MARK: The window

static webview_delegate delegate;
static GMainLoop *loop;
static WebKitWebView *view;
static GtkLabel *label;
static GtkProgressBar *bar;

static void on_request(WebKitURISchemeRequest *request, gpointer data) {
    (void)data;
    delegate.request(delegate.context, (webview_task *)g_object_ref(request));
}

static void on_message(WebKitUserContentManager *manager, JSCValue *value, gpointer data) {
    (void)manager, (void)data;
    g_autofree char *text = jsc_value_to_string(value);
    delegate.message(delegate.context, text);
}

static gboolean failed;

static void on_load(WebKitWebView *which, WebKitLoadEvent event, gpointer data) {
    (void)which, (void)data;
    if (event == WEBKIT_LOAD_STARTED) {
        failed = FALSE;
        delegate.started(delegate.context);
    }
    if (event == WEBKIT_LOAD_FINISHED) delegate.loaded(delegate.context, !failed);
}

static gboolean on_failure(WebKitWebView *which, WebKitLoadEvent event, const char *uri, GError *error, gpointer data) {
    (void)which, (void)event, (void)uri, (void)error, (void)data;
    failed = TRUE;
    return FALSE;
}

static void on_end(WebKitWebView *which, WebKitWebProcessTerminationReason reason, gpointer data) {
    (void)which, (void)reason, (void)data;
    delegate.ended(delegate.context);
}

static void on_click(GtkButton *button, gpointer number) {
    (void)button;
    delegate.clicked(delegate.context, GPOINTER_TO_INT(number));
}

static gboolean on_close(GtkWindow *window, gpointer data) {
    (void)window, (void)data;
    webview_quit();
    return TRUE;
}

static WebKitWebView *make_view(const char *scheme, const char *script) {
    WebKitWebContext *context = webkit_web_context_new();
    WebKitSecurityManager *security = webkit_web_context_get_security_manager(context);
    webkit_security_manager_register_uri_scheme_as_secure(security, scheme);
    webkit_security_manager_register_uri_scheme_as_cors_enabled(security, scheme);
    webkit_web_context_register_uri_scheme(context, scheme, on_request, NULL, NULL);
    WebKitUserContentManager *manager = webkit_user_content_manager_new();
    webkit_user_content_manager_register_script_message_handler(manager, "packtool", NULL);
    g_signal_connect(manager, "script-message-received::packtool", G_CALLBACK(on_message), NULL);
    WebKitUserScript *text = webkit_user_script_new(script, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME,
                                                    WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, NULL, NULL);
    webkit_user_content_manager_add_script(manager, text);
    webkit_user_script_unref(text);
    return g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "network-session",
                        webkit_network_session_new_ephemeral(), "user-content-manager", manager, NULL);
}

int webview_open(const char *title, const char *scheme, const char *script, const char *const *buttons,
                 int button_count, webview_delegate value) {
    // Whoever reads the events gets each one at once.
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!gtk_init_check()) return 0;
    delegate = value;
    loop = g_main_loop_new(NULL, FALSE);
    view = make_view(scheme, script);
    g_signal_connect(view, "load-changed", G_CALLBACK(on_load), NULL);
    g_signal_connect(view, "load-failed", G_CALLBACK(on_failure), NULL);
    g_signal_connect(view, "web-process-terminated", G_CALLBACK(on_end), NULL);
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    for (int number = 0; number < button_count; number++) {
        GtkWidget *button = gtk_button_new_with_label(buttons[number]);
        g_signal_connect(button, "clicked", G_CALLBACK(on_click), GINT_TO_POINTER(number));
        gtk_box_append(GTK_BOX(row), button);
    }
    label = GTK_LABEL(gtk_label_new(""));
    bar = GTK_PROGRESS_BAR(gtk_progress_bar_new());
    gtk_widget_set_valign(GTK_WIDGET(bar), GTK_ALIGN_CENTER);
    gtk_widget_set_hexpand(GTK_WIDGET(bar), TRUE);
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(label));
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(bar));
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_box_append(GTK_BOX(column), row);
    gtk_widget_set_vexpand(GTK_WIDGET(view), TRUE);
    gtk_box_append(GTK_BOX(column), GTK_WIDGET(view));
    GtkWidget *window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(window), title);
    gtk_window_set_default_size(GTK_WINDOW(window), 900, 640);
    gtk_window_set_child(GTK_WINDOW(window), column);
    g_signal_connect(window, "close-request", G_CALLBACK(on_close), NULL);
    gtk_window_present(GTK_WINDOW(window));
    return 1;
}

void webview_run(void) { g_main_loop_run(loop); }

void webview_quit(void) { g_main_loop_quit(loop); }

void webview_load(const char *url) { webkit_web_view_load_uri(view, url); }

const char *webview_shown(void) { return webkit_web_view_get_uri(view); }

void webview_show(const char *text, double progress) {
    gtk_label_set_text(label, text);
    gtk_widget_set_visible(GTK_WIDGET(bar), progress >= 0);
    if (progress >= 0) gtk_progress_bar_set_fraction(bar, progress);
}

typedef struct {
    void (*function)(void *context);
    void *context;
} Later;

static gboolean run_later(gpointer data) {
    Later *later = data;
    later->function(later->context);
    g_free(later);
    return G_SOURCE_REMOVE;
}

void webview_later(void (*function)(void *context), void *context) {
    Later *later = g_new(Later, 1);
    *later = (Later){function, context};
    g_idle_add(run_later, later);
}

// MARK: Requests

const char *webview_method(webview_task *task) {
    return webkit_uri_scheme_request_get_http_method((WebKitURISchemeRequest *)task);
}

const char *webview_url(webview_task *task) {
    return webkit_uri_scheme_request_get_uri((WebKitURISchemeRequest *)task);
}

const char *webview_header(webview_task *task, const char *name) {
    SoupMessageHeaders *headers = webkit_uri_scheme_request_get_http_headers((WebKitURISchemeRequest *)task);
    return headers ? soup_message_headers_get_list(headers, name) : NULL;
}

void webview_answer(webview_task *task, int status, const char *reason, const char *type,
                    const char *const *names, const char *const *values, int count, int64_t length,
                    void *body, webview_read read, void (*release)(void *body)) {
    BodyStream *stream = g_object_new(body_stream_get_type(), NULL);
    stream->body = body;
    stream->read = read;
    stream->release = release;
    WebKitURISchemeResponse *response = webkit_uri_scheme_response_new(G_INPUT_STREAM(stream), length);
    webkit_uri_scheme_response_set_status(response, (guint)status, reason);
    if (type) webkit_uri_scheme_response_set_content_type(response, type);
    SoupMessageHeaders *headers = soup_message_headers_new(SOUP_MESSAGE_HEADERS_RESPONSE);
    for (int index = 0; index < count; index++) soup_message_headers_append(headers, names[index], values[index]);
    webkit_uri_scheme_response_set_http_headers(response, headers);
    webkit_uri_scheme_request_finish_with_response((WebKitURISchemeRequest *)task, response);
    g_object_unref(response);
    g_object_unref(stream);
    g_object_unref(task);
}

void webview_fail(webview_task *task, const char *reason) {
    GError *error = g_error_new_literal(G_IO_ERROR, G_IO_ERROR_FAILED, reason);
    webkit_uri_scheme_request_finish_error((WebKitURISchemeRequest *)task, error);
    g_error_free(error);
    g_object_unref(task);
}
