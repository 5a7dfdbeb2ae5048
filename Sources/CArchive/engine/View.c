// The view, its requests and its events.
#if defined(__linux__)
#define _GNU_SOURCE
#include "CEngine.h"
#include "Toolkit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Values of the libraries' enumerations.
enum {
    window_toplevel = 0,
    proxy_custom = 2,
    acceleration_never = 2,
    frames_all = 0,
    time_start = 0,
    decision_new_window = 1,
    dialog_confirm = 1,
    dialog_beforeunload = 3,
    region_visible = 0,
    headers_response = 1,
    vertical = 1,
    ellipsize_middle = 2,
};

static void *context, *view, *window, *list, *address;
static const char *observer;
static int is_for_user, current_page;

// MARK: Requests

enum { most_requests = 4096 };
static void *requests[most_requests];
static long next_request;

static void on_request(void *request, void *data) {
    (void)data;
    long number = next_request++;
    void **slot = &requests[number % most_requests];
    // A page with so many open requests has lost the oldest.
    if (*slot != NULL) kit.g_object_unref(*slot);
    *slot = kit.g_object_ref(request);
    void *headers = kit.webkit_uri_scheme_request_get_http_headers(request);
    // A worker's request has no view.
    void *sender = kit.webkit_uri_scheme_request_get_web_view(request);
    int is_current = sender == NULL || sender == view;
    cengine_numbered_event("request", is_current ? current_page : 0, number, "url",
                           kit.webkit_uri_scheme_request_get_uri(request), "method",
                           kit.webkit_uri_scheme_request_get_http_method(request), "range",
                           headers ? kit.soup_message_headers_get_one(headers, "Range") : NULL, NULL);
}

static void *take_request(int number) {
    if (number < 0 || number >= next_request || number < next_request - most_requests) return NULL;
    void **slot = &requests[number % most_requests], *request = *slot;
    *slot = NULL;
    return request;
}

static void *stream_of(int descriptor, int64_t offset, int64_t length) {
    if (descriptor < 0 || length <= 0) {
        if (descriptor >= 0) close(descriptor);
        return kit.g_memory_input_stream_new_from_data("", 0, NULL);
    }
    if (lseek(descriptor, 0, SEEK_END) == length && lseek(descriptor, 0, SEEK_SET) == 0)
        return kit.g_unix_input_stream_new(descriptor, 1);
    uint8_t *bytes = kit.g_malloc((size_t)length);
    ssize_t count = pread(descriptor, bytes, (size_t)length, offset);
    close(descriptor);
    return kit.g_memory_input_stream_new_from_data(bytes, count > 0 ? count : 0, kit.g_free);
}

void cengine_answer(int number, int descriptor, int64_t offset, int64_t length, const char *type, int status,
                    const char *const *names, const char *const *values, int count) {
    void *request = take_request(number);
    void *stream = stream_of(request ? descriptor : -1, offset, length);
    if (request == NULL) {
        if (descriptor >= 0) close(descriptor);
    } else if (status == 0) {
        kit.webkit_uri_scheme_request_finish(request, stream, length, type);
    } else {
        void *response = kit.webkit_uri_scheme_response_new(stream, length);
        kit.webkit_uri_scheme_response_set_status(response, (unsigned)status, NULL);
        kit.webkit_uri_scheme_response_set_content_type(response, type);
        void *headers = kit.soup_message_headers_new(headers_response);
        for (int i = 0; i < count; i++) kit.soup_message_headers_replace(headers, names[i], values[i]);
        kit.webkit_uri_scheme_response_set_http_headers(response, headers);
        kit.webkit_uri_scheme_request_finish_with_response(request, response);
        kit.g_object_unref(response);
    }
    kit.g_object_unref(stream);
    if (request != NULL) kit.g_object_unref(request);
}

void cengine_fail(int number, const char *reason) {
    void *request = take_request(number);
    if (request == NULL) return;
    toolkit_error *error = kit.g_error_new_literal(kit.g_quark_from_string("packtool"), 1, reason);
    kit.webkit_uri_scheme_request_finish_error(request, error);
    kit.g_error_free(error);
    kit.g_object_unref(request);
}

// MARK: Events of a page

static void on_message(void *manager, void *result, void *data) {
    (void)manager, (void)data;
    char *text = kit.jsc_value_to_string(kit.webkit_javascript_result_get_js_value(result));
    cengine_event("message", current_page, "text", text, NULL);
    kit.g_free(text);
}

static void on_resource_failed(void *resource, toolkit_error *error, void *data) {
    (void)data;
    cengine_event("failed", current_page, "url", kit.webkit_web_resource_get_uri(resource), "text", error->message, NULL);
}

static void on_resource(void *which, void *resource, void *request, void *data) {
    (void)which, (void)request, (void)data;
    CONNECT(resource, "failed", on_resource_failed);
}

static void on_load(void *which, int state, void *data) {
    (void)data;
    static const char *const names[] = {"started", "redirected", "committed", "finished"};
    const char *url = kit.webkit_web_view_get_uri(which);
    if (address != NULL && url != NULL) kit.gtk_label_set_text(address, url);
    cengine_event("load", current_page, "state", names[state & 3], "url", url, NULL);
}

static int on_load_failed(void *which, int state, const char *url, toolkit_error *error, void *data) {
    (void)which, (void)state, (void)data;
    cengine_event("unloaded", current_page, "url", url, "text", error->message, NULL);
    return !is_for_user;
}

static void on_crash(void *which, int reason, void *data) {
    (void)which, (void)data;
    cengine_event("crashed", current_page, "text", reason == 1 ? "memory" : "crash", NULL);
}

static int on_dialog(void *which, void *dialog, void *data) {
    (void)which, (void)data;
    static const char *const names[] = {"alert", "confirm", "prompt", "beforeunload"};
    int type = kit.webkit_script_dialog_get_dialog_type(dialog) & 3;
    cengine_event("dialog", current_page, "kind", names[type], "text", kit.webkit_script_dialog_get_message(dialog),
                  NULL);
    if (is_for_user) return 0;
    if (type == dialog_confirm || type == dialog_beforeunload)
        kit.webkit_script_dialog_confirm_set_confirmed(dialog, type == dialog_beforeunload);
    return 1;
}

static int on_print(void *which, void *operation, void *data) {
    (void)which, (void)operation, (void)data;
    cengine_event("dialog", current_page, "kind", "print", NULL);
    return !is_for_user;
}

static void *on_create(void *which, void *action, void *data) {
    (void)which, (void)data;
    void *request = kit.webkit_navigation_action_get_request(action);
    cengine_event("window", current_page, "url", kit.webkit_uri_request_get_uri(request), NULL);
    return NULL;
}

static void on_close(void *which, void *data) {
    (void)which, (void)data;
    cengine_event("closed", current_page, NULL);
}

static int on_permission(void *which, void *request, void *data) {
    (void)which, (void)data;
    kit.webkit_permission_request_deny(request);
    return 1;
}

static int on_file_chooser(void *which, void *request, void *data) {
    (void)which, (void)data;
    kit.webkit_file_chooser_request_cancel(request);
    return 1;
}

static int on_policy(void *which, void *decision, int type, void *data) {
    (void)which, (void)data;
    if (type > decision_new_window) return 0;
    void *action = kit.webkit_navigation_policy_decision_get_navigation_action(decision);
    const char *url = kit.webkit_uri_request_get_uri(kit.webkit_navigation_action_get_request(action));
    cengine_event(type == decision_new_window ? "window" : "navigation", current_page, "url", url, NULL);
    if (type != decision_new_window) return 0;
    kit.webkit_policy_decision_ignore(decision);
    return 1;
}

static void on_download(void *which, void *download, void *data) {
    (void)which, (void)data;
    cengine_event("download", current_page, NULL);
    if (!is_for_user) kit.webkit_download_cancel(download);
}

// MARK: Pages

static void *make_view(void) {
    void *manager = kit.webkit_user_content_manager_new();
    CONNECT(manager, "script-message-received::packtool", on_message);
    kit.webkit_user_content_manager_register_script_message_handler(manager, "packtool");
    kit.webkit_user_content_manager_add_script(
        manager, kit.webkit_user_script_new(observer, frames_all, time_start, NULL, NULL));
    void *settings = kit.webkit_settings_new();
    kit.webkit_settings_set_enable_write_console_messages_to_stdout(settings, 1);
    kit.webkit_settings_set_hardware_acceleration_policy(settings, acceleration_never);
    kit.webkit_settings_set_enable_developer_extras(settings, is_for_user);
    void *made = kit.g_object_new(kit.webkit_web_view_get_type(), "web-context", context, "user-content-manager",
                                  manager, "settings", settings, NULL);
    CONNECT(made, "resource-load-started", on_resource);
    CONNECT(made, "load-changed", on_load);
    CONNECT(made, "load-failed", on_load_failed);
    CONNECT(made, "web-process-terminated", on_crash);
    CONNECT(made, "script-dialog", on_dialog);
    CONNECT(made, "print", on_print);
    CONNECT(made, "create", on_create);
    CONNECT(made, "close", on_close);
    CONNECT(made, "permission-request", on_permission);
    CONNECT(made, "run-file-chooser", on_file_chooser);
    CONNECT(made, "decide-policy", on_policy);
    return made;
}

void cengine_close(void) {
    if (window != NULL) kit.gtk_widget_destroy(window);
    window = view = list = address = NULL;
}

static void on_back(void *button, void *data) {
    (void)button, (void)data;
    kit.webkit_web_view_go_back(view);
}

static void on_reload(void *button, void *data) {
    (void)button, (void)data;
    cengine_list(NULL);
    kit.webkit_web_view_reload_bypass_cache(view);
}

static int on_delete(void *which, void *event, void *data) {
    (void)which, (void)event, (void)data;
    cengine_event("left", current_page, NULL);
    return 0;
}

/// The window for a user: buttons and the address above, the page and its requests side by side.
static void *window_content(int width) {
    void *back = kit.gtk_button_new_with_label("Back"), *reload = kit.gtk_button_new_with_label("Reload");
    CONNECT(back, "clicked", on_back);
    CONNECT(reload, "clicked", on_reload);
    address = kit.gtk_label_new("");
    kit.gtk_label_set_xalign(address, 0);
    kit.gtk_label_set_ellipsize(address, ellipsize_middle);
    kit.gtk_label_set_selectable(address, 1);
    void *bar = kit.gtk_box_new(1 - vertical, 6), *column = kit.gtk_box_new(vertical, 4);
    kit.gtk_box_pack_start(bar, back, 0, 0, 0);
    kit.gtk_box_pack_start(bar, reload, 0, 0, 0);
    kit.gtk_box_pack_start(bar, address, 1, 1, 0);
    list = kit.gtk_list_box_new();
    void *scrolled = kit.gtk_scrolled_window_new(NULL, NULL), *pane = kit.gtk_paned_new(1 - vertical);
    kit.gtk_container_add(scrolled, list);
    kit.gtk_widget_set_size_request(scrolled, 420, -1);
    kit.gtk_widget_set_size_request(view, width, -1);
    kit.gtk_paned_pack1(pane, view, 1, 0);
    kit.gtk_paned_pack2(pane, scrolled, 1, 1);
    kit.gtk_box_pack_start(column, bar, 0, 0, 4);
    kit.gtk_box_pack_start(column, pane, 1, 1, 0);
    return column;
}

void cengine_open(int page, const char *url, int width, int height) {
    cengine_close();
    current_page = page;
    view = make_view();
    window = kit.gtk_window_new(window_toplevel);
    kit.gtk_window_set_title(window, url);
    kit.gtk_window_set_default_size(window, is_for_user ? width + 500 : width, height);
    kit.gtk_container_add(window, is_for_user ? window_content(width) : view);
    if (is_for_user) CONNECT(window, "delete-event", on_delete);
    kit.gtk_widget_show_all(window);
    kit.webkit_web_view_load_uri(view, url);
}

static void remove_row(void *row, void *data) {
    (void)data;
    kit.gtk_widget_destroy(row);
}

void cengine_list(const char *text) {
    if (list == NULL) return;
    if (text == NULL) return kit.gtk_container_foreach(list, remove_row, NULL);
    void *label = kit.gtk_label_new(text);
    kit.gtk_label_set_xalign(label, 0);
    kit.gtk_label_set_selectable(label, 1);
    kit.gtk_list_box_insert(list, label, -1);
    kit.gtk_widget_show_all(list);
}

// MARK: Scripts and pictures

static void on_value(void *which, void *result, void *number) {
    toolkit_error *error = NULL;
    void *value = kit.webkit_web_view_evaluate_javascript_finish(which, result, &error);
    char *text = value ? kit.jsc_value_to_string(value) : NULL;
    if (which == view)
        cengine_numbered_event("value", current_page, (long)(intptr_t)number, "text", text, "error",
                               error ? error->message : NULL, NULL);
    kit.g_free(text);
    if (value != NULL) kit.g_object_unref(value);
    if (error != NULL) kit.g_error_free(error);
}

void cengine_evaluate(int number, const char *script) {
    if (view != NULL)
        kit.webkit_web_view_evaluate_javascript(view, script, -1, NULL, NULL, NULL, on_value,
                                                (void *)(intptr_t)number);
}

struct snapshot {
    int number;
    char *path;
};

static int colours(void *surface) {
    kit.cairo_surface_flush(surface);
    const unsigned char *pixels = kit.cairo_image_surface_get_data(surface);
    int width = kit.cairo_image_surface_get_width(surface), height = kit.cairo_image_surface_get_height(surface);
    int stride = kit.cairo_image_surface_get_stride(surface), count = 0;
    uint32_t known[4];
    for (int y = 0; pixels != NULL && y < height; y++)
        for (int x = 0; x < width && count < 4; x++) {
            uint32_t pixel;
            memcpy(&pixel, pixels + (size_t)y * (size_t)stride + (size_t)x * 4, 4);
            int i = 0;
            while (i < count && known[i] != pixel) i++;
            if (i == count) known[count++] = pixel;
        }
    return count;
}

static void on_snapshot(void *which, void *result, void *data) {
    struct snapshot *snapshot = data;
    toolkit_error *error = NULL;
    void *surface = kit.webkit_web_view_get_snapshot_finish(which, result, &error);
    char count[16] = "";
    if (surface != NULL) {
        snprintf(count, sizeof count, "%d", colours(surface));
        if (kit.cairo_surface_write_to_png(surface, snapshot->path) != 0) snapshot->path[0] = 0;
        kit.cairo_surface_destroy(surface);
    }
    if (which == view)
        cengine_numbered_event("snapshot", current_page, snapshot->number, "colours", surface ? count : NULL, "path",
                               surface ? snapshot->path : NULL, NULL);
    if (error != NULL) kit.g_error_free(error);
    free(snapshot->path);
    free(snapshot);
}

void cengine_snapshot(int number, const char *path) {
    struct snapshot *snapshot = malloc(sizeof *snapshot);
    if (snapshot == NULL || view == NULL) return free(snapshot);
    *snapshot = (struct snapshot){number, strdup(path)};
    kit.webkit_web_view_get_snapshot(view, region_visible, 0, NULL, on_snapshot, snapshot);
}

// MARK: The context

// The address of a socket that never listens: each connection is refused, and no other program can take the port.
static int refusing_proxy(char *text, size_t capacity) {
    int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof own;
    if (number < 0 || bind(number, (struct sockaddr *)&own, length) != 0
        || getsockname(number, (struct sockaddr *)&own, &length) != 0)
        return errno;
    snprintf(text, capacity, "http://127.0.0.1:%d", ntohs(own.sin_port));
    return 0;
}

int cengine_prepare(const char *scheme, const char *directory, const char *script, int network, int is_window) {
    if (!kit.gtk_init_check(NULL, NULL)) return 1;
    is_for_user = is_window;
    observer = strdup(script);
    // Not ephemeral: a private session writes nothing to the console.
    void *data = kit.g_object_new(kit.webkit_website_data_manager_get_type(), "base-data-directory", directory,
                                  "base-cache-directory", directory, NULL);
    char proxy[64];
    if (!network) {
        if (refusing_proxy(proxy, sizeof proxy) != 0) return 1;
        kit.webkit_website_data_manager_set_network_proxy_settings(
            data, proxy_custom, kit.webkit_network_proxy_settings_new(proxy, NULL));
    }
    context = kit.webkit_web_context_new_with_website_data_manager(data);
    kit.webkit_web_context_register_uri_scheme(context, scheme, on_request, NULL, NULL);
    CONNECT(context, "download-started", on_download);
    char version[32];
    snprintf(version, sizeof version, "%u.%u.%u", kit.webkit_get_major_version(), kit.webkit_get_minor_version(),
             kit.webkit_get_micro_version());
    cengine_event("ready", 0, "version", version, NULL);
    return 0;
}
#else
typedef int cengine_view_needs_linux;
#endif
