/// WebKitGTK 4.1 in a process of its own, loaded with `dlopen`: no header and no library is needed to build packtool.
///
/// The parent starts the process and reads its events, one JSON object a line. The child has one thread for all
/// calls below "The child", and a second one that reads commands.
#ifndef CENGINE_H
#define CENGINE_H

#include <stddef.h>
#include <stdint.h>

// MARK: The parent

/// Starts a program in a process group of its own, with exactly these variables.
///
/// `words` and `variables` end with NULL. `input` and `output` receive our ends of its standard input and output, both
/// closed in other programs; its standard error is discarded. Returns 0 or an errno.
int cengine_spawn(const char *const *words, const char *const *variables, int *input, int *output, int *child);

/// Waits until output can be read: 1, or 0 after `milliseconds`.
int cengine_wait(int descriptor, int milliseconds);

/// The resident memory of a process and its descendants in bytes; 0 if the system does not tell.
uint64_t cengine_memory(int process);

/// Ends a process group with SIGKILL, and waits for its leader. Returns the leader's status as `waitpid` does.
int cengine_end(int child);

// MARK: The child

/// 1 if this program can load libraries: not if it is linked statically.
int cengine_can_load(void);

/// The first library or function that is missing; NULL if WebKitGTK can be used.
const char *cengine_load(void);

/// Makes this process the child: its standard output becomes the stream of events.
///
/// `directory` is where WebKit stores data. `command` receives each line of standard input on the main thread; `ended`
/// is called on another thread when the parent is gone, and must only remove files. Without a window, nothing of the
/// user's session is used. Returns 0 or an errno.
int cengine_adopt(const char *directory, int is_window, void (*command)(const char *line, size_t length),
                  void (*ended)(void));

/// Starts Xvfb, which ends with this process, and sets DISPLAY. Returns 0, or an errno.
int cengine_start_display(void);

/// Prepares the engine. With `is_window`, there is a window for a user, with buttons and a list of requests.
///
/// `network` is whether other hosts can be reached. Returns 0, or 1 without a usable display.
int cengine_prepare(const char *scheme, const char *directory, const char *script, int network, int is_window);

/// Runs the main loop; does not return before `cengine_quit`.
void cengine_run(void);
void cengine_quit(void);

/// Opens a page in a new view with a web process of its own; the previous page is closed.
void cengine_open(int page, const char *url, int width, int height);

/// Closes the page.
void cengine_close(void);

/// Runs a script in the page's main frame; its value is sent as an event with `number`.
void cengine_evaluate(int number, const char *script);

/// Writes the visible part of the page to a PNG file, and counts its colours up to 4.
void cengine_snapshot(int number, const char *path);

/// Answers a request with a file, or a part of it; closes the descriptor. A negative descriptor is an empty file.
///
/// `names` and `values` are headers. With `status` 0, the answer has a media type alone.
void cengine_answer(int request, int descriptor, int64_t offset, int64_t length, const char *type, int status,
                    const char *const *names, const char *const *values, int count);

/// Fails a request.
void cengine_fail(int request, const char *reason);

/// Adds a line to the list of requests, or clears it if `text` is NULL.
void cengine_list(const char *text);

/// Sends an event: `json` is an object without a line break.
void cengine_send(const char *json, size_t length);

#endif
