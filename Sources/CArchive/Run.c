#define _GNU_SOURCE
#include "CArchive.h"
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

extern char **environ;

enum {
    // The interval, in milliseconds, for checking whether the program has ended.
    tick = 20,
    // The time to continue reading after its end: a child of it may keep the streams open forever.
    rest = 1000,
    // The time for a program to end by itself when packtool is ended.
    patience = 500,
};

static long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_both(int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

// The named variables, and private keys under any name.
static int is_hidden(const char *variable, const char *const *hidden) {
    if (strstr(variable, "PRIVATE KEY-----") != NULL) return 1;
    for (; *hidden != NULL; hidden++) {
        size_t length = strlen(*hidden);
        if (strncmp(variable, *hidden, length) == 0 && variable[length] == '=') return 1;
    }
    return 0;
}

static int make_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

// MARK: Starting

// In a separate process group, so that its children can also be ended; restores ignored signals.
#if defined(__linux__)
// Not posix_spawn: only the child itself can request to be killed when this process ends.
static int spawn(const char *const *words, char **variables, const int streams[3], pid_t *child) {
    int failure[2];
    if (make_pipe(failure) != 0) return errno;
    pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    // None of our handlers may run in the child.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *child = fork();
    if (*child == 0) {
        setpgid(0, 0);
        // For this thread, which waits until the child has ended.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        struct sigaction standard = {.sa_handler = SIG_DFL};
        for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
        sigset_t none;
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, NULL);
        int number = 0;
        for (int i = 0; i < 3; i++)
            if (dup2(streams[i], i) < 0) number = errno;
        if (number == 0) {
            execvpe(words[0], (char *const *)words, variables);
            number = errno;
        }
        ssize_t written = write(failure[1], &number, sizeof number);
        _exit(written == sizeof number ? 127 : 126);
    }
    int number = *child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(failure[1]);
    if (number == 0) {
        ssize_t count;
        do count = read(failure[0], &number, sizeof number);
        while (count < 0 && errno == EINTR);
        if (count <= 0) number = 0;
        if (number != 0)
            while (waitpid(*child, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(failure[0]);
    return number;
}
#else
static int spawn(const char *const *words, char **variables, const int streams[3], pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++) posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    posix_spawnattr_setflags(&attributes, flags);
    int number = posix_spawnp(child, words[0], &actions, &attributes, (char *const *)words, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return number;
}
#endif

static int start(const char *const *words, const char *const *hidden, const int streams[3], pid_t *child) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **variables = calloc(count + 1, sizeof *variables);
    if (variables == NULL) return ENOMEM;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_hidden(environ[i], hidden)) variables[kept++] = environ[i];
    int number = spawn(words, variables, streams, child);
    free(variables);
    return number;
}

// MARK: The terminal

// The terminal of a running program; `descriptor` is -1 if it has none.
struct terminal {
    int descriptor;
    pid_t group;
    struct termios state;
};

static void set_foreground(int descriptor, pid_t group) {
    // In the background, this stops the process unless the signal is blocked.
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    tcsetpgrp(descriptor, group);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Gives a program the terminal, because a background process is stopped when it reads from it.
static struct terminal give_terminal(pid_t child) {
    static const char name[] = "/dev/tty";
    struct terminal terminal = {
        .descriptor = cfiles_open(name, sizeof name - 1, O_RDWR | O_NOCTTY), .group = getpgrp()};
    if (terminal.descriptor < 0) return terminal;
    // A background job must not take the terminal from the foreground job.
    if (tcgetpgrp(terminal.descriptor) != terminal.group || tcgetattr(terminal.descriptor, &terminal.state) != 0) {
        close(terminal.descriptor);
        terminal.descriptor = -1;
        return terminal;
    }
    set_foreground(terminal.descriptor, child);
    // The program may have been stopped already.
    kill(-child, SIGCONT);
    return terminal;
}

static void take_terminal(struct terminal terminal, int is_whole) {
    if (terminal.descriptor < 0) return;
    set_foreground(terminal.descriptor, terminal.group);
    // A program killed at a passphrase prompt leaves echo off.
    if (!is_whole) tcsetattr(terminal.descriptor, TCSANOW, &terminal.state);
    close(terminal.descriptor);
}

// MARK: Running programs

enum { most_groups = 64 };
static pthread_mutex_t groups_lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t groups[most_groups];
static int is_ending = 0;

// Registers a program; fails if the table is full or packtool is ending.
static int add_group(pid_t child) {
    int is_added = 0;
    pthread_mutex_lock(&groups_lock);
    for (int i = 0; i < most_groups && !is_added && !is_ending; i++)
        if (groups[i] == 0) groups[i] = child, is_added = 1;
    pthread_mutex_unlock(&groups_lock);
    return is_added;
}

static void remove_group(pid_t child) {
    pthread_mutex_lock(&groups_lock);
    for (int i = 0; i < most_groups; i++)
        if (groups[i] == child) groups[i] = 0;
    pthread_mutex_unlock(&groups_lock);
}

// Sends a signal to all running programs, and counts them.
static int signal_groups(int number) {
    int count = 0;
    pthread_mutex_lock(&groups_lock);
    is_ending = 1;
    for (int i = 0; i < most_groups; i++)
        if (groups[i] != 0) kill(-groups[i], number), count++;
    pthread_mutex_unlock(&groups_lock);
    return count;
}

void carchive_end_programs(void) {
    if (signal_groups(SIGTERM) == 0) return;
    long long end = milliseconds() + patience;
    // Signal 0 only checks whether some are still running.
    while (milliseconds() < end && signal_groups(0) > 0) poll(NULL, 0, tick);
    signal_groups(SIGKILL);
    // The thread that runs the program restores the terminal.
    end = milliseconds() + patience;
    while (milliseconds() < end && signal_groups(0) > 0) poll(NULL, 0, tick);
}

// MARK: Running

/// Reads the available bytes. Returns 1 at the end of the stream, 2 if they do not fit.
static int drain(int descriptor, struct carchive_text *text, int is_cut) {
    uint8_t dropped[4096];
    size_t room = text->capacity - text->used;
    ssize_t count = room > 0 ? read(descriptor, text->start + text->used, room)
                             : read(descriptor, dropped, sizeof dropped);
    if (count == 0) return 1;
    if (count < 0) return errno == EINTR || errno == EAGAIN ? 0 : 1;
    if (room == 0) return is_cut ? 0 : 2;
    text->used += (size_t)count;
    return 0;
}

// A running program, and our ends of its streams, -1 once they are closed.
struct run {
    pid_t child;
    int ends[3];
    size_t sent;
    int has_ended;
    int raw;
};

static void close_end(struct run *run, int i) {
    if (run->ends[i] >= 0) close(run->ends[i]);
    run->ends[i] = -1;
}

// Whether the program has ended. A stopped one is continued: Ctrl-Z does not stop packtool itself.
static int look(struct run *run) {
    if (run->has_ended) return 1;
    pid_t found = waitpid(run->child, &run->raw, WNOHANG | WUNTRACED);
    if (found != run->child) return 0;
    if (WIFSTOPPED(run->raw)) {
        kill(-run->child, SIGCONT);
        return 0;
    }
    run->has_ended = 1;
    return 1;
}

// Writes to a program that may have closed its input, without SIGPIPE: the disposition is the
// process's and not ours to change, so this thread blocks the signal and takes the one it raised.
static ssize_t write_quietly(int descriptor, const uint8_t *bytes, size_t count) {
    sigset_t pipe, pending, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ssize_t result = write(descriptor, bytes, count);
    int error = errno;
    if (result < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
        sigpending(&pending);
        int number;
        if (sigismember(&pending, SIGPIPE)) sigwait(&pipe, &number);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return result;
}

// Waits until a stream is ready, and reads or writes it. Returns how the run ends, if it ends here.
static int move(struct run *run, const uint8_t *input, size_t size, struct carchive_text *output,
                struct carchive_text *messages, int wait) {
    struct pollfd polled[3];
    for (int i = 0; i < 3; i++)
        polled[i] = (struct pollfd){.fd = run->ends[i], .events = i == 0 ? POLLOUT : POLLIN};
    if (poll(polled, 3, wait) < 0) return errno == EINTR ? CARCHIVE_RUN_ENDED : CARCHIVE_RUN_TOO_LONG;
    if (polled[0].revents != 0) {
        // A program need not read its input: its output decides.
        ssize_t count =
            run->sent < size ? write_quietly(run->ends[0], input + run->sent, size - run->sent) : 0;
        if (count > 0) run->sent += (size_t)count;
        if (run->sent == size || (count < 0 && errno != EINTR && errno != EAGAIN)) close_end(run, 0);
    }
    for (int i = 1; i < 3; i++) {
        if (polled[i].revents == 0) continue;
        int state = drain(run->ends[i], i == 1 ? output : messages, i == 2);
        if (state != 0) close_end(run, i);
        if (state == 2) return CARCHIVE_RUN_TOO_MUCH;
    }
    return CARCHIVE_RUN_ENDED;
}

int carchive_run(const char *const *words, const char *const *hidden, const uint8_t *input,
                 size_t input_size, int seconds, struct carchive_text *output,
                 struct carchive_text *messages, int *status) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    if (make_pipe(in) != 0 || make_pipe(out) != 0 || make_pipe(err) != 0) {
        *status = errno;
        close_both(in), close_both(out), close_both(err);
        return CARCHIVE_RUN_NOT_STARTED;
    }
    struct run run = {.ends = {in[1], out[0], err[0]}};
    int streams[3] = {in[0], out[1], err[1]};
    *status = start(words, hidden, streams, &run.child);
    for (int i = 0; i < 3; i++) close(streams[i]);
    if (*status != 0) {
        for (int i = 0; i < 3; i++) close_end(&run, i);
        return CARCHIVE_RUN_NOT_STARTED;
    }
    int result = CARCHIVE_RUN_ENDED;
    if (!add_group(run.child)) result = CARCHIVE_RUN_TOO_LONG;
    struct terminal terminal = give_terminal(run.child);
    fcntl(run.ends[0], F_SETFL, O_NONBLOCK);
    // There is no limit while a user is prompted: Ctrl-C ends the program.
    int has_limit = terminal.descriptor < 0;
    long long end = milliseconds() + (long long)seconds * 1000;
    while (result == CARCHIVE_RUN_ENDED) {
        int is_read = run.ends[1] < 0 && run.ends[2] < 0;
        if (!run.has_ended && look(&run)) {
            end = milliseconds() + rest;
            has_limit = 1;
        }
        if (run.has_ended && (is_read || milliseconds() >= end)) break;
        if (has_limit && milliseconds() >= end) {
            result = CARCHIVE_RUN_TOO_LONG;
            break;
        }
        // With all streams closed, only the program's end is left to wait for.
        result = move(&run, input, input_size, output, messages, is_read ? tick / 10 : tick);
    }
    for (int i = 0; i < 3; i++) close_end(&run, i);
    if (result != CARCHIVE_RUN_ENDED) kill(-run.child, SIGKILL);
    if (!run.has_ended)
        while (waitpid(run.child, &run.raw, 0) < 0 && errno == EINTR) {}
    int is_whole = WIFEXITED(run.raw) && result == CARCHIVE_RUN_ENDED;
    take_terminal(terminal, is_whole && WEXITSTATUS(run.raw) == 0);
    remove_group(run.child);
    *status = WIFSIGNALED(run.raw) ? 128 + WTERMSIG(run.raw) : WEXITSTATUS(run.raw);
    // Ctrl-C reached only the program, which had the terminal. Raised for the process, because
    // libdispatch blocks signals on its threads; the pause lets another thread handle it.
    if (terminal.descriptor >= 0 && result == CARCHIVE_RUN_ENDED && *status == 128 + SIGINT) {
        kill(getpid(), SIGINT);
        poll(NULL, 0, tick);
    }
    return result;
}
