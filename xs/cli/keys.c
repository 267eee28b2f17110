/* SPDX-License-Identifier: MIT */
/* keys.c - keys pressed at the terminal. */
#include "cli/keys.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/screen.h"

#define OTHER_SCREEN "\033[?1049h\033[?25l\033[?7l" /* no cursor, and what is beyond the right edge is not shown */
#define FIRST_SCREEN "\033[?7h\033[?25h\033[?1049l"
#define PENDING 32

/* What the terminal was, for the end; and keys that were read and not asked for yet. */
static struct termios before;
static int has_terminal;
static char pending[PENDING];
static size_t pending_n;

static volatile sig_atomic_t has_ended;

static void end_soon(int number) {
    (void)number;
    has_ended = 1;
}

static void resize(int number) { (void)number; }

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(number, &action, NULL);
}

static void print(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

int nytp_keys_begin(void) {
    if (!nytp_screen_can_draw() || tcgetattr(STDIN_FILENO, &before)) return 0;
    struct termios raw = before;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)) return 0;
    has_terminal = 1;
    handle(SIGTERM, end_soon);
    handle(SIGINT, end_soon);
    handle(SIGHUP, end_soon);
    handle(SIGWINCH, resize);
    print(OTHER_SCREEN);
    return 1;
}

void nytp_keys_end(void) {
    if (!has_terminal) return;
    print(FIRST_SCREEN);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    has_terminal = 0;
}

static const struct {
    const char *sequence;
    int key;
} sequences[] = {
    {"\033[A", NYTP_KEY_UP},       {"\033[B", NYTP_KEY_DOWN},      {"\033OA", NYTP_KEY_UP},   {"\033OB", NYTP_KEY_DOWN},
    {"\033[5~", NYTP_KEY_PAGE_UP}, {"\033[6~", NYTP_KEY_PAGE_DOWN}, {"\033[H", NYTP_KEY_HOME}, {"\033[F", NYTP_KEY_END},
    {"\033[1~", NYTP_KEY_HOME},    {"\033[4~", NYTP_KEY_END},      {"\033OH", NYTP_KEY_HOME}, {"\033OF", NYTP_KEY_END},
    {"\n", NYTP_KEY_RETURN},       {"\177", NYTP_KEY_BACKSPACE},
};

static void drop(size_t n) {
    pending_n -= n;
    memmove(pending, pending + n, pending_n);
}

/* An escape that begins no known sequence is the key; the rest of an unknown sequence is dropped with it. */
static int take(void) {
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        size_t n = strlen(sequences[i].sequence);
        if (pending_n < n || memcmp(pending, sequences[i].sequence, n) != 0) continue;
        drop(n);
        return sequences[i].key;
    }
    int key = (unsigned char)pending[0];
    drop(key == NYTP_KEY_ESCAPE ? pending_n : 1);
    return key;
}

int nytp_keys_wait(int ms) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    if (has_ended) return NYTP_KEY_GONE;
    if (pending_n) return take();
    if (poll(&in, 1, ms) <= 0) return has_ended ? NYTP_KEY_GONE : NYTP_KEY_NONE;
    ssize_t n = read(STDIN_FILENO, pending, sizeof pending);
    if (n <= 0) return NYTP_KEY_GONE;
    pending_n = (size_t)n;
    return take();
}
