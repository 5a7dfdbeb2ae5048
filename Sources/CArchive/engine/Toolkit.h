// The functions of GTK 3 and WebKitGTK 4.1 that the engine calls, found with dlsym. The prototypes follow the
// libraries' documentation; every object is an untyped pointer.
#ifndef TOOLKIT_H
#define TOOLKIT_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef void (*toolkit_callback)(void);
typedef struct {
    uint32_t domain;
    int code;
    char *message;
} toolkit_error;

#define TOOLKIT(X)                                                                                                     \
    X(glib, void, g_free, (void *))                                                                                    \
    X(glib, void *, g_malloc, (size_t))                                                                                \
    X(glib, unsigned, g_idle_add, (int (*)(void *), void *))                                                           \
    X(glib, void *, g_main_loop_new, (void *, int))                                                                    \
    X(glib, void, g_main_loop_run, (void *))                                                                           \
    X(glib, void, g_main_loop_quit, (void *))                                                                          \
    X(glib, uint32_t, g_quark_from_string, (const char *))                                                             \
    X(glib, toolkit_error *, g_error_new_literal, (uint32_t, int, const char *))                                       \
    X(glib, void, g_error_free, (toolkit_error *))                                                                     \
    X(gobject, void *, g_object_new, (size_t, const char *, ...))                                                      \
    X(gobject, void *, g_object_ref, (void *))                                                                         \
    X(gobject, void, g_object_unref, (void *))                                                                         \
    X(gobject, unsigned long, g_signal_connect_data,                                                                   \
      (void *, const char *, toolkit_callback, void *, void *, int))                                                   \
    X(gio, void *, g_memory_input_stream_new_from_data, (const void *, ssize_t, void (*)(void *)))                     \
    X(gio, void *, g_unix_input_stream_new, (int, int))                                                                \
    X(gtk, int, gtk_init_check, (int *, char ***))                                                                     \
    X(gtk, void *, gtk_window_new, (int))                                                                              \
    X(gtk, void, gtk_window_set_title, (void *, const char *))                                                         \
    X(gtk, void, gtk_window_set_default_size, (void *, int, int))                                                      \
    X(gtk, void, gtk_container_add, (void *, void *))                                                                  \
    X(gtk, void, gtk_container_foreach, (void *, void (*)(void *, void *), void *))                                    \
    X(gtk, void, gtk_widget_show_all, (void *))                                                                        \
    X(gtk, void, gtk_widget_destroy, (void *))                                                                         \
    X(gtk, void, gtk_widget_set_size_request, (void *, int, int))                                                      \
    X(gtk, void *, gtk_box_new, (int, int))                                                                            \
    X(gtk, void, gtk_box_pack_start, (void *, void *, int, int, unsigned))                                             \
    X(gtk, void *, gtk_button_new_with_label, (const char *))                                                          \
    X(gtk, void *, gtk_label_new, (const char *))                                                                      \
    X(gtk, void, gtk_label_set_text, (void *, const char *))                                                           \
    X(gtk, void, gtk_label_set_xalign, (void *, float))                                                                \
    X(gtk, void, gtk_label_set_ellipsize, (void *, int))                                                               \
    X(gtk, void, gtk_label_set_selectable, (void *, int))                                                              \
    X(gtk, void *, gtk_list_box_new, (void))                                                                           \
    X(gtk, void, gtk_list_box_insert, (void *, void *, int))                                                           \
    X(gtk, void *, gtk_scrolled_window_new, (void *, void *))                                                          \
    X(gtk, void *, gtk_paned_new, (int))                                                                               \
    X(gtk, void, gtk_paned_pack1, (void *, void *, int, int))                                                          \
    X(gtk, void, gtk_paned_pack2, (void *, void *, int, int))                                                          \
    X(cairo, int, cairo_surface_write_to_png, (void *, const char *))                                                  \
    X(cairo, void, cairo_surface_destroy, (void *))                                                                    \
    X(cairo, void, cairo_surface_flush, (void *))                                                                      \
    X(cairo, unsigned char *, cairo_image_surface_get_data, (void *))                                                  \
    X(cairo, int, cairo_image_surface_get_width, (void *))                                                             \
    X(cairo, int, cairo_image_surface_get_height, (void *))                                                            \
    X(cairo, int, cairo_image_surface_get_stride, (void *))                                                            \
    X(soup, void *, soup_message_headers_new, (int))                                                                   \
    X(soup, void, soup_message_headers_replace, (void *, const char *, const char *))                                  \
    X(soup, const char *, soup_message_headers_get_one, (void *, const char *))                                        \
    X(jsc, char *, jsc_value_to_string, (void *))                                                                      \
    X(webkit, unsigned, webkit_get_major_version, (void))                                                              \
    X(webkit, unsigned, webkit_get_minor_version, (void))                                                              \
    X(webkit, unsigned, webkit_get_micro_version, (void))                                                              \
    X(webkit, size_t, webkit_web_view_get_type, (void))                                                                \
    X(webkit, size_t, webkit_website_data_manager_get_type, (void))                                                    \
    X(webkit, void *, webkit_network_proxy_settings_new, (const char *, const char *const *))                          \
    X(webkit, void, webkit_website_data_manager_set_network_proxy_settings, (void *, int, void *))                     \
    X(webkit, void *, webkit_web_context_new_with_website_data_manager, (void *))                                      \
    X(webkit, void, webkit_web_context_register_uri_scheme,                                                            \
      (void *, const char *, void (*)(void *, void *), void *, void *))                                                \
    X(webkit, void *, webkit_user_content_manager_new, (void))                                                         \
    X(webkit, void, webkit_user_content_manager_add_script, (void *, void *))                                          \
    X(webkit, int, webkit_user_content_manager_register_script_message_handler, (void *, const char *))                \
    X(webkit, void *, webkit_user_script_new,                                                                          \
      (const char *, int, int, const char *const *, const char *const *))                                              \
    X(webkit, void *, webkit_javascript_result_get_js_value, (void *))                                                 \
    X(webkit, void *, webkit_settings_new, (void))                                                                     \
    X(webkit, void, webkit_settings_set_enable_write_console_messages_to_stdout, (void *, int))                        \
    X(webkit, void, webkit_settings_set_hardware_acceleration_policy, (void *, int))                                   \
    X(webkit, void, webkit_settings_set_enable_developer_extras, (void *, int))                                        \
    X(webkit, void, webkit_web_view_load_uri, (void *, const char *))                                                  \
    X(webkit, const char *, webkit_web_view_get_uri, (void *))                                                         \
    X(webkit, void, webkit_web_view_go_back, (void *))                                                                 \
    X(webkit, void, webkit_web_view_reload_bypass_cache, (void *))                                                     \
    X(webkit, void, webkit_web_view_evaluate_javascript,                                                               \
      (void *, const char *, ssize_t, const char *, const char *, void *, void (*)(void *, void *, void *), void *))   \
    X(webkit, void *, webkit_web_view_evaluate_javascript_finish, (void *, void *, toolkit_error **))                  \
    X(webkit, void, webkit_web_view_get_snapshot,                                                                      \
      (void *, int, int, void *, void (*)(void *, void *, void *), void *))                                            \
    X(webkit, void *, webkit_web_view_get_snapshot_finish, (void *, void *, toolkit_error **))                         \
    X(webkit, const char *, webkit_web_resource_get_uri, (void *))                                                     \
    X(webkit, void *, webkit_navigation_policy_decision_get_navigation_action, (void *))                               \
    X(webkit, void *, webkit_navigation_action_get_request, (void *))                                                  \
    X(webkit, const char *, webkit_uri_request_get_uri, (void *))                                                      \
    X(webkit, void, webkit_policy_decision_ignore, (void *))                                                           \
    X(webkit, int, webkit_script_dialog_get_dialog_type, (void *))                                                     \
    X(webkit, const char *, webkit_script_dialog_get_message, (void *))                                                \
    X(webkit, void, webkit_script_dialog_confirm_set_confirmed, (void *, int))                                         \
    X(webkit, void, webkit_permission_request_deny, (void *))                                                          \
    X(webkit, void, webkit_file_chooser_request_cancel, (void *))                                                      \
    X(webkit, void, webkit_download_cancel, (void *))                                                                  \
    X(webkit, const char *, webkit_uri_scheme_request_get_uri, (void *))                                               \
    X(webkit, const char *, webkit_uri_scheme_request_get_http_method, (void *))                                       \
    X(webkit, void *, webkit_uri_scheme_request_get_http_headers, (void *))                                            \
    X(webkit, void *, webkit_uri_scheme_request_get_web_view, (void *))                                                \
    X(webkit, void, webkit_uri_scheme_request_finish, (void *, void *, int64_t, const char *))                         \
    X(webkit, void, webkit_uri_scheme_request_finish_error, (void *, toolkit_error *))                                 \
    X(webkit, void, webkit_uri_scheme_request_finish_with_response, (void *, void *))                                  \
    X(webkit, void *, webkit_uri_scheme_response_new, (void *, int64_t))                                               \
    X(webkit, void, webkit_uri_scheme_response_set_status, (void *, unsigned, const char *))                           \
    X(webkit, void, webkit_uri_scheme_response_set_content_type, (void *, const char *))                               \
    X(webkit, void, webkit_uri_scheme_response_set_http_headers, (void *, void *))

#define TOOLKIT_FIELD(library, result, name, parameters) result (*name) parameters;

/// The functions, once `cengine_load` has found them.
extern struct toolkit { TOOLKIT(TOOLKIT_FIELD) } kit;

/// The parts of an event; names and texts alternate, and end with NULL. A text of NULL leaves its member out.
void cengine_event(const char *name, int page, ...);
/// The same with a member "number".
void cengine_numbered_event(const char *name, int page, long number, ...);

/// Connects a handler without arguments of its own.
#define CONNECT(object, signal, handler)                                                                               \
    kit.g_signal_connect_data(object, signal, (toolkit_callback)(void *)(handler), NULL, NULL, 0)

#endif
