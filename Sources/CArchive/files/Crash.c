#define _GNU_SOURCE
#include "CFiles.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 4096, STACK_SIZE = 32768 };

static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { FATAL_COUNT = sizeof fatal / sizeof fatal[0] };
// The handlers installed before: the default, or Swift's for backtraces.
static struct sigaction earlier[FATAL_COUNT];
static int is_told;

// Per thread, because several work in parallel. In static memory, because a handler must not
// allocate.
static _Thread_local struct {
    char name[NAME_SIZE];
    volatile size_t length;
    int has_stack;
    // After a stack overflow, the thread's stack has no space for a handler.
    char stack[STACK_SIZE];
} work;

// Only for a thread without an alternate stack.
static void use_own_stack(void) {
    stack_t present;
    work.has_stack = 1;
    if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
    stack_t stack = {.ss_sp = work.stack, .ss_size = sizeof work.stack};
    (void)sigaltstack(&stack, NULL);
}

void cfiles_working_on(const char *name, size_t length) {
    if (!work.has_stack) use_own_stack();
    // In this order, a handler sees the old name, none, or the complete new one.
    work.length = 0;
    if (length > sizeof work.name) length = sizeof work.name;
    memcpy(work.name, name, length);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    work.length = length;
}

struct text {
    size_t length;
    char bytes[NAME_SIZE + 512];
};

static void add(struct text *text, const char *bytes, size_t length) {
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static void add_line(struct text *text, const char *line) { add(text, line, strlen(line)); }

static void tell(int number) {
    static struct text text;
    if (isatty(STDERR_FILENO)) add_line(&text, "\n");
    add_line(&text, "error: packtool crashed (signal ");
    char digits[2] = {(char)('0' + number / 10 % 10), (char)('0' + number % 10)};
    add(&text, digits + (number < 10), number < 10 ? 1 : 2);
    size_t length = work.length;
    if (length > 0) {
        add_line(&text, ") while working on '");
        add(&text, work.name, length);
        add_line(&text, "'\nhelp: this is a bug in packtool; run the command again without this file "
                        "(--exclude), and report it with the file\n");
    } else {
        add_line(&text, ")\nhelp: this is a bug in packtool; report it with the command that you ran\n");
    }
    const char *rest = text.bytes;
    while (text.length > 0) {
        ssize_t count = write(STDERR_FILENO, rest, text.length);
        if (count <= 0) return;
        rest += count;
        text.length -= (size_t)count;
    }
}

// Only async-signal-safe calls from here on.
static void on_crash(int number, siginfo_t *info, void *context) {
    (void)context;
    if (__atomic_exchange_n(&is_told, 1, __ATOMIC_SEQ_CST) == 0) tell(number);
    for (size_t i = 0; i < FATAL_COUNT; i++)
        if (fatal[i] == number) (void)sigaction(number, &earlier[i], NULL);
    // After the return, the failing instruction fails again and reaches the earlier handler, which
    // sees its address. Raised explicitly for a trap, which is not executed again, and for a signal
    // from another process.
    if (info->si_code <= 0 || number == SIGTRAP) (void)raise(number);
}

void cfiles_report_crashes(void) {
    use_own_stack();
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_crash;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FATAL_COUNT; i++) {
        if (sigaction(fatal[i], NULL, &earlier[i]) != 0) continue;
        if (!(earlier[i].sa_flags & SA_SIGINFO) && earlier[i].sa_handler == SIG_IGN) continue;
        (void)sigaction(fatal[i], &action, NULL);
    }
}
