#ifndef WEBVIEW_H
#define WEBVIEW_H
#include <stddef.h>
#include <stdint.h>

// A window with a WebKitGTK view. All functions but webview_later and webview_answer belong to the main thread.

typedef struct webview_task webview_task;

typedef struct {
    void *context;
    /// A page requests a URL of the scheme.
    void (*request)(void *context, webview_task *task);
    /// A page calls window.webkit.messageHandlers.packtool.postMessage(text).
    void (*message)(void *context, const char *text);
    /// The view begins to load a page.
    void (*started)(void *context);
    /// The page of a call of webview_load has been loaded, or could not be.
    void (*loaded)(void *context, int succeeded);
    /// The process of the page has ended.
    void (*ended)(void *context);
    /// A button was clicked, by its number.
    void (*clicked)(void *context, int button);
} webview_delegate;

/// Opens the window; the script runs at the start of each document. Returns 0 without a display.
int webview_open(const char *title, const char *scheme, const char *script, const char *const *buttons,
                 int button_count, webview_delegate delegate);
/// Runs until webview_quit.
void webview_run(void);
void webview_quit(void);
void webview_load(const char *url);
/// The URL of the shown page, or NULL.
const char *webview_shown(void);
/// Shows a line of text, and progress from 0 to 1; a negative value shows none.
void webview_show(const char *text, double progress);
/// Calls a function on the main thread.
void webview_later(void (*function)(void *context), void *context);

const char *webview_method(webview_task *task);
const char *webview_url(webview_task *task);
/// The value of a request's header, or NULL.
const char *webview_header(webview_task *task, const char *name);

/// Reads the next bytes of an answer, on any thread: the number of bytes, 0 at the end, -1 for an error.
typedef intptr_t (*webview_read)(void *body, uint8_t *bytes, size_t count);

/// Answers a request once, on the main thread.
///
/// - names, values: the headers. length: of the body, or -1. body is released by `release` when it is no longer
///   needed, also if the request was cancelled.
void webview_answer(webview_task *task, int status, const char *reason, const char *type,
                    const char *const *names, const char *const *values, int count, int64_t length,
                    void *body, webview_read read, void (*release)(void *body));
/// Fails a request.
void webview_fail(webview_task *task, const char *reason);

#endif
