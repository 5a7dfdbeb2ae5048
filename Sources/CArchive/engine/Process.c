// The processes of the engine: the parent starts and ends the child, and the child its display.
#define _GNU_SOURCE
#include "CEngine.h"
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_both(int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

static int make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return errno;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
}

int cengine_spawn(const char *const *words, const char *const *variables, int *input, int *output, int *child) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    int number = make_pipe(in);
    if (number == 0) number = make_pipe(out);
    if (number != 0) {
        close_both(in), close_both(out);
        return number;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t started = 0;
    number = posix_spawn(&started, words[0], &actions, &attributes, (char *const *)words, (char *const *)variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]), close(out[1]);
    if (number != 0) {
        close(in[1]), close(out[0]);
        return number;
    }
    *input = in[1], *output = out[0], *child = (int)started;
    return 0;
}

int cengine_wait(int descriptor, int milliseconds) {
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    return poll(&polled, 1, milliseconds) > 0;
}

int cengine_end(int child) {
    kill(-child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

#if defined(__linux__)
#include <dirent.h>
#include <sys/prctl.h>
#include <sys/resource.h>

struct process {
    int number, parent;
    uint64_t pages;
};

// Fields 4 and 24 of /proc/PID/stat, see proc_pid_stat(5).
static int read_process(const char *name, struct process *process) {
    char path[64], text[1024];
    int length = snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    int file = cfiles_open(path, (size_t)length, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    // The name of the program is in parentheses, and may contain any character.
    char *rest = strrchr(text, ')');
    if (rest == NULL) return 0;
    process->number = atoi(name);
    char *state, *word = strtok_r(rest + 1, " ", &state);
    for (int field = 3; word != NULL; field++, word = strtok_r(NULL, " ", &state)) {
        if (field == 4) process->parent = atoi(word);
        if (field == 24) return process->pages = strtoull(word, NULL, 10), 1;
    }
    return 0;
}

uint64_t cengine_memory(int root) {
    enum { most = 4096 };
    int descriptor = cfiles_open("/proc", 5, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    DIR *directory = fdopendir(descriptor);
    struct process *all = calloc(most, sizeof *all);
    if (directory == NULL || all == NULL) {
        if (directory != NULL) closedir(directory);
        else close(descriptor);
        free(all);
        return 0;
    }
    int count = 0;
    for (struct dirent *entry; count < most && (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_process(entry->d_name, &all[count])) count++;
    closedir(directory);
    uint64_t pages = 0;
    int family[64] = {root}, members = 1;
    for (int i = 0; i < members; i++)
        for (int j = 0; j < count; j++) {
            if (all[j].number == root && i == 0) pages += all[j].pages;
            if (all[j].parent != family[i]) continue;
            pages += all[j].pages;
            if (members < 64) family[members++] = all[j].number;
        }
    free(all);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// MARK: The child

#include "Toolkit.h"

#include <pthread.h>
#include <stdarg.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int events = -1;
static pid_t display;

static void write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno != EINTR) return;
        if (written > 0) bytes += written, count -= (size_t)written;
    }
}

void cengine_send(const char *json, size_t length) {
    pthread_mutex_lock(&lock);
    write_all(events, json, length);
    write_all(events, "\n", 1);
    pthread_mutex_unlock(&lock);
}

// Texts of pages are cut after so many bytes; the list of a page's links is the longest.
enum { most_text = 1 << 20 };

// Cuts a text between two characters.
static size_t length_of(const char *text) {
    size_t length = strnlen(text, most_text);
    while (length == most_text && length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    return length;
}

static size_t put_text(char *line, size_t used, const char *text, size_t length) {
    line[used++] = '"';
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\') line[used++] = '\\', line[used++] = (char)byte;
        else if (byte < 0x20) used += (size_t)snprintf(line + used, 8, "\\u%04x", byte);
        else line[used++] = (char)byte;
    }
    line[used++] = '"';
    return used;
}

static void send_event(const char *name, int page, const long *number, va_list rest) {
    size_t used = 0, capacity = 256;
    char *line = malloc(capacity);
    if (line == NULL) return;
    used = (size_t)snprintf(line, capacity, "{\"event\":\"%s\",\"page\":%d", name, page);
    if (number != NULL) used += (size_t)snprintf(line + used, 40, ",\"number\":%ld", *number);
    for (const char *key; (key = va_arg(rest, const char *)) != NULL;) {
        const char *text = va_arg(rest, const char *);
        if (text == NULL) continue;
        size_t length = length_of(text);
        // Six bytes for an escaped one.
        char *larger = realloc(line, capacity += 6 * length + 64);
        if (larger == NULL) break;
        line = larger;
        used += (size_t)snprintf(line + used, 40, ",\"%s\":", key);
        used = put_text(line, used, text, length);
    }
    line[used++] = '}';
    cengine_send(line, used);
    free(line);
}

void cengine_event(const char *name, int page, ...) {
    va_list rest;
    va_start(rest, page);
    send_event(name, page, NULL, rest);
    va_end(rest);
}

void cengine_numbered_event(const char *name, int page, long number, ...) {
    va_list rest;
    va_start(rest, number);
    send_event(name, page, &number, rest);
    va_end(rest);
}

// MARK: Commands

static void (*on_command)(const char *line, size_t length);
static void (*on_end)(void);

static int run_command(void *line) {
    on_command(line, strlen(line));
    free(line);
    return 0;
}

static pthread_t main_thread;

static void hold(int number) {
    (void)number;
    for (;;) pause();
}

// The parent is gone: ends every process of the group, also if the main thread hangs.
static void leave(void) {
    pid_t group = getpgrp();
    // GLib would abort the process when it finds WebKit's processes killed.
    signal(SIGUSR2, hold);
    pthread_kill(main_thread, SIGUSR2);
    // This process must outlive WebKit's, which write to the directory.
    if (display > 0 && setpgid(0, display) == 0) kill(-group, SIGKILL);
    on_end();
    kill(display > 0 ? getpid() : -group, SIGKILL);
}

static void *read_commands(void *context) {
    (void)context;
    size_t used = 0, capacity = 1 << 16;
    char *line = malloc(capacity);
    while (line != NULL) {
        if (used + 1 >= capacity) {
            char *larger = realloc(line, capacity *= 2);
            if (larger == NULL) break;
            line = larger;
        }
        ssize_t count = read(0, line + used, capacity - used - 1);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        used += (size_t)count;
        for (char *end; (end = memchr(line, '\n', used)) != NULL;) {
            size_t length = (size_t)(end - line);
            kit.g_idle_add(run_command, strndup(line, length));
            used -= length + 1;
            memmove(line, end + 1, used);
        }
    }
    free(line);
    leave();
    return NULL;
}

// WebKit writes messages of the console to standard output, line by line only to a terminal.
static void *read_console(void *context) {
    FILE *console = fdopen((int)(intptr_t)context, "r");
    char *line = NULL;
    size_t capacity = 0;
    while (console != NULL && getline(&line, &capacity, console) >= 0) {
        if (strstr(line, "CONSOLE ") == NULL) continue;
        line[strcspn(line, "\r\n")] = 0;
        cengine_event("console", 0, "text", line, NULL);
    }
    return NULL;
}

static int redirect_streams(void) {
    events = fcntl(1, F_DUPFD_CLOEXEC, 3);
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    char name[64];
    if (events < 0 || terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0
        || ptsname_r(terminal, name, sizeof name) != 0)
        return errno;
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    int writer = cfiles_open(name, strlen(name), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (writer < 0) return errno;
    dup2(writer, 1), dup2(writer, 2);
    close(writer);
    pthread_t thread;
    return pthread_create(&thread, NULL, read_console, (void *)(intptr_t)terminal);
}

int cengine_adopt(const char *directory, int is_window, void (*command)(const char *line, size_t length),
                  void (*ended)(void)) {
    on_command = command, on_end = ended;
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1", 1);
    setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", 1);
    setenv("NO_AT_BRIDGE", "1", 1);
    // A crash of WebKit's processes would write gigabytes.
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (is_window) return redirect_streams();
    // Nothing of the user's session is used, and nothing is written outside the directory.
    for (const char *const *name = (const char *const[]){"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                                         "XDG_RUNTIME_DIR", "TMPDIR", NULL};
         *name != NULL; name++)
        setenv(*name, directory, 1);
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1);
    setenv("GDK_BACKEND", "x11", 1);
    setenv("GIO_USE_VFS", "local", 1);
    setenv("GSETTINGS_BACKEND", "memory", 1);
    return redirect_streams();
}

static int start_reading(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, read_commands, NULL);
}

int cengine_start_display(void) {
    int ends[2];
    int number = make_pipe(ends);
    if (number != 0) return number;
    char descriptor[16];
    snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
    pid_t parent = getpid();
    display = fork();
    if (display == 0) {
        // Xvfb removes its lock when it ends by SIGTERM: it is not in the group that is killed.
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(127);
        fcntl(ends[1], F_SETFD, 0);
        execlp("Xvfb", "Xvfb", "-displayfd", descriptor, "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
               "-noreset", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char name[32] = ":";
    size_t used = 1;
    while (display > 0 && used < sizeof name - 1 && strchr(name, '\n') == NULL && cengine_wait(ends[0], 20000)) {
        ssize_t count = read(ends[0], name + used, sizeof name - 1 - used);
        if (count <= 0) break;
        name[used += (size_t)count] = 0;
    }
    close(ends[0]);
    if (strchr(name, '\n') == NULL) return ENOENT;
    name[strcspn(name, "\n")] = 0;
    setenv("DISPLAY", name, 1);
    return 0;
}

static void *loop;

void cengine_run(void) {
    main_thread = pthread_self();
    loop = kit.g_main_loop_new(NULL, 0);
    if (start_reading() == 0) kit.g_main_loop_run(loop);
}

void cengine_quit(void) {
    if (loop != NULL) kit.g_main_loop_quit(loop);
}
#else
uint64_t cengine_memory(int process) { return (void)process, 0; }
#endif
