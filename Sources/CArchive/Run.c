#define _GNU_SOURCE
#include "CArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_both(int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

// Variables that are named, and private keys, whatever they are called.
static int is_hidden(const char *variable, const char *const *hidden) {
    if (strstr(variable, "PRIVATE KEY-----") != NULL) return 1;
    for (; *hidden != NULL; hidden++) {
        size_t length = strlen(*hidden);
        if (strncmp(variable, *hidden, length) == 0 && variable[length] == '=') return 1;
    }
    return 0;
}

static int start(const char *const *words, const char *const *hidden, int in, int out, int err, pid_t *child) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **variables = calloc(count + 1, sizeof *variables);
    if (variables == NULL) return ENOMEM;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_hidden(environ[i], hidden)) variables[kept++] = environ[i];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    // A group of its own, so that a timeout ends its children, too; the signals that we ignore work there.
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
    free(variables);
    return number;
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

/// Reads what there is. Returns 1 at the end of the stream, 2 if there is more than fits.
static int drain(int descriptor, struct carchive_text *text, int is_cut) {
    uint8_t rest[4096];
    size_t room = text->capacity - text->used;
    ssize_t count = room > 0 ? read(descriptor, text->start + text->used, room)
                             : read(descriptor, rest, sizeof rest);
    if (count == 0) return 1;
    if (count < 0) return errno == EINTR || errno == EAGAIN ? 0 : 1;
    if (room == 0) return is_cut ? 0 : 2;
    text->used += (size_t)count;
    return 0;
}

int carchive_run(const char *const *words, const char *const *hidden, const uint8_t *input,
                 size_t input_size, int seconds, struct carchive_text *output,
                 struct carchive_text *messages, int *status) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    if (make_pipe(in) != 0 || make_pipe(out) != 0 || make_pipe(err) != 0) {
        int number = errno;
        close_both(in), close_both(out), close_both(err);
        *status = number;
        return CARCHIVE_RUN_NOT_STARTED;
    }
    pid_t child = 0;
    int number = start(words, hidden, in[0], out[1], err[1], &child);
    close(in[0]), close(out[1]), close(err[1]);
    int ends[3] = {in[1], out[0], err[0]};
    if (number != 0) {
        for (int i = 0; i < 3; i++) close(ends[i]);
        *status = number;
        return CARCHIVE_RUN_NOT_STARTED;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int result = CARCHIVE_RUN_ENDED;
    size_t sent = 0;
    long long end = milliseconds() + (long long)seconds * 1000;
    // The streams first: a program that closes them ends soon, or is ended below.
    while (ends[1] >= 0 || ends[2] >= 0) {
        long long left = end - milliseconds();
        if (left <= 0) {
            result = CARCHIVE_RUN_TOO_LONG;
            break;
        }
        struct pollfd polled[3];
        for (int i = 0; i < 3; i++)
            polled[i] = (struct pollfd){.fd = ends[i], .events = i == 0 ? POLLOUT : POLLIN};
        if (poll(polled, 3, (int)left) < 0) {
            if (errno == EINTR) continue;
            result = CARCHIVE_RUN_TOO_LONG;
            break;
        }
        if (polled[0].revents != 0) {
            // A program that reads nothing is no error here: its answer decides. SIGPIPE is ignored.
            ssize_t count = sent < input_size ? write(ends[0], input + sent, input_size - sent) : 0;
            if (count > 0) sent += (size_t)count;
            if (sent == input_size || (count < 0 && errno != EINTR && errno != EAGAIN)) {
                close(ends[0]);
                ends[0] = -1;
            }
        }
        for (int i = 1; i < 3; i++) {
            if (polled[i].revents == 0) continue;
            int state = drain(ends[i], i == 1 ? output : messages, i == 2);
            if (state == 2) result = CARCHIVE_RUN_TOO_MUCH;
            if (state != 0) {
                close(ends[i]);
                ends[i] = -1;
            }
        }
        if (result != CARCHIVE_RUN_ENDED) break;
    }
    for (int i = 0; i < 3; i++)
        if (ends[i] >= 0) close(ends[i]);
    int raw = 0;
    while (result == CARCHIVE_RUN_ENDED) {
        pid_t ended = waitpid(child, &raw, WNOHANG);
        if (ended == child) break;
        if (ended < 0 && errno != EINTR) {
            *status = errno;
            return CARCHIVE_RUN_NOT_STARTED;
        }
        if (milliseconds() >= end) {
            result = CARCHIVE_RUN_TOO_LONG;
            break;
        }
        poll(NULL, 0, 2);
    }
    if (result != CARCHIVE_RUN_ENDED) {
        kill(-child, SIGKILL);
        while (waitpid(child, &raw, 0) < 0 && errno == EINTR) {}
    }
    *status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    return result;
}
