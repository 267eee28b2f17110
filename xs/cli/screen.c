/* SPDX-License-Identifier: MIT */
/* screen.c - size and colours of the terminal, and a pager.
 *
 * With a pager standard output is a pipe to another process, which keeps the text until it is longer than the screen.
 * If it ends before, that process prints it; otherwise it becomes the pager, and a third one feeds it. */
#include "cli/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/program.h"

#define PIECE 65536

/* ---- size and colours ---- */

static struct winsize size_of_terminal(void) {
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)) memset(&size, 0, sizeof size);
    return size;
}

static int is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static int is_dumb(void) {
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

uint32_t nytp_screen_width(void) {
    uint32_t columns = size_of_terminal().ws_col;
    return columns ? columns : NYTP_SCREEN_WIDTH;
}

uint32_t nytp_screen_height(void) { return size_of_terminal().ws_row; }

int nytp_screen_can_draw(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !is_dumb(); }

int nytp_screen_has_color(void) { return isatty(STDOUT_FILENO) && !is_dumb() && !is_set("NO_COLOR"); }

/* ---- the pager ---- */

/* The other process, and the terminal while standard output is a pipe. For the signal handler and the end of the
 * process, which have no argument for it. */
static volatile pid_t shows;
static int terminal;

/* The command, or NULL if there is none. Of one with words for a shell only the shell can tell whether it is there. */
static const char *pager(void) {
    char name[256], path[NYTP_PROGRAM_PATH];
    const char *command = getenv("PAGER");
    if (!command) command = "less";
    size_t n = strcspn(command, " ");
    if (!*command || strcmp(command, "cat") == 0 || n >= sizeof name) return NULL;
    if (strpbrk(command, "/$'\"=\\`")) return command;
    memcpy(name, command, n);
    name[n] = '\0';
    return nytp_program_in_path(name, path, sizeof path) ? command : NULL;
}

/* 1 at the end of the text. */
static int take(int from, nytp_buf *text) {
    unsigned char *room = nytp_buf_room(text, PIECE);
    ssize_t got = room ? read(from, room, PIECE) : 0;
    if (got > 0) text->n += (size_t)got;
    return got == 0 || (got < 0 && errno != EINTR);
}

static void print_all(int to, const unsigned char *p, size_t n) {
    while (n) {
        ssize_t done = write(to, p, n);
        if (done < 0 && errno != EINTR) break;
        if (done > 0) p += done, n -= (size_t)done;
    }
}

/* Whether the text fills the rows above the prompt. Bytes within a character take no column. */
static int is_long(const nytp_buf *text, const struct winsize *size) {
    uint32_t rows = 0, column = 0;
    for (size_t i = 0; i < text->n; i++) {
        if (text->p[i] != '\n' && column == size->ws_col) rows++, column = 0;
        if (text->p[i] == '\n') rows++, column = 0;
        else if ((text->p[i] & 0xC0) != 0x80) column++;
    }
    return rows >= size->ws_row;
}

/* Copies the text to the pager, also after an interrupt from the keyboard, which the pager takes. */
static void feed(int from, int to, nytp_buf *text) {
    signal(SIGINT, SIG_IGN);
    do {
        print_all(to, text->p, text->n);
        nytp_buf_clear(text);
    } while (!take(from, text));
    print_all(to, text->p, text->n);
    _exit(0);
}

/* Colours pass, a text of one screen is printed, and the text stays when the pager ends. */
static void become_pager(const char *command, int from) {
    dup2(from, STDIN_FILENO);
    close(from);
    setenv("LESS", "FRX", 0);
    execlp("sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* The other process. */
static void show(int from, const char *command, const struct winsize *size) {
    nytp_buf text = {0};
    int ends[2], ended;
    while (!(ended = take(from, &text)) && !is_long(&text, size)) continue;
    pid_t feeder = ended && !is_long(&text, size) ? -1 : pipe(ends) ? -1 : fork();
    if (feeder == 0) {
        close(ends[0]);
        feed(from, ends[1], &text);
    }
    if (feeder > 0) {
        close(ends[1]);
        close(from);
        become_pager(command, ends[0]);
    }
    print_all(STDOUT_FILENO, text.p, text.n);
    nytp_buf_free(&text);
    _exit(0);
}

static void wait_for_pager(void) {
    while (waitpid(shows, NULL, 0) < 0 && errno == EINTR) continue;
}

/* The terminal is the pager's until the user quits it. */
static void end_behind_pager(int number) {
    wait_for_pager();
    signal(number, SIG_DFL);
    raise(number);
}

static void wait_when_interrupted(void) {
    struct sigaction wait = {.sa_handler = end_behind_pager}, before;
    if (!sigaction(SIGINT, NULL, &before) && before.sa_handler == SIG_DFL) sigaction(SIGINT, &wait, NULL);
}

void nytp_screen_begin(void) {
    struct winsize size = size_of_terminal();
    const char *command = size.ws_row && size.ws_col && !is_dumb() && !shows ? pager() : NULL;
    int ends[2];
    if (!command || pipe(ends)) return;
    fflush(stdout);
    shows = fork();
    if (shows == 0) {
        close(ends[1]);
        show(ends[0], command, &size);
    }
    terminal = shows > 0 ? dup(STDOUT_FILENO) : -1;
    if (terminal >= 0) {
        dup2(ends[1], STDOUT_FILENO);
        wait_when_interrupted();
    } else shows = 0;
    close(ends[0]);
    close(ends[1]);
}

void nytp_screen_end(void) {
    if (!shows) return;
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    wait_for_pager();
    shows = 0;
}

/* ---- closed pipes ---- */

static void go_on(int number) { (void)number; }

void nytp_screen_outlive_reader(void) {
    struct sigaction stay = {.sa_handler = go_on, .sa_flags = SA_RESTART}, before;
    static const int signals[] = {SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_DFL) sigaction(signals[i], &stay, NULL);
}

int nytp_screen_has_reader(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) <= 0 || !(out.revents & (POLLERR | POLLHUP));
}
