/* SPDX-License-Identifier: MIT */
/* cmd_top.c - `nytprof top`: the live table of a program that runs. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/keys.h"
#include "cli/screen.h"
#include "cli/watch.h"
#include "report/page.h"
#include "terminal/board.h"

enum { FILE_NAME, ONCE, ROWS, LAST, INTERVAL, SORT, VIEW };

static const nytp_arg args[] = {
    [FILE_NAME] = NYTP_CLI_ARGS_FILE,
    [ONCE] = {.name = "once", .help = "print the table once, and end"},
    [ROWS] = {.name = "top", .letter = 'n', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 4000000000u,
              .fallback = "20", .help = "rows of a table that is printed once"},
    [LAST] = {.name = "last", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .least = 0, .most = 1e6, .fallback = "10",
              .help = "what the program did in so many seconds; 0: since its start"},
    [INTERVAL] = {.name = "interval", .letter = 'd', .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .least = 0.1,
                  .most = 3600, .fallback = "1", .help = "between two looks at the capture"},
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "WORD", .fallback = "self",
              .words = "total self cpu waiting calls", .help = "what comes first"},
    [VIEW] = {.name = "view", .kind = NYTP_ARG_WORD, .value = "WORD", .fallback = "subs", .words = "subs lines stacks",
              .help = "what the rows are"},
    {0},
};

typedef struct top {
    nytp_watch watch;
    nytp_board board;
    nytp_board_rows rows;
    nytp_buf title, out;
    double last, interval; /* seconds */
    int32_t is_whole;      /* 1: since the start, whatever `last` is */
    int32_t is_paused, is_over;
    nytp_error error;      /* of the latest look */
} top;

/* The position of the option's value among its words. */
static int word_of(const nytp_arg *row, const char *text) {
    size_t n = strlen(text);
    int i = 0;
    for (const char *at = row->words; *at; i++) {
        size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, text, n) == 0) return i;
        at += length + (at[length] != '\0');
    }
    return 0;
}

/* ---- the picture ---- */

static void measure(top *t) {
    t->board.width = nytp_screen_width();
    t->board.height = t->board.has_cursor ? nytp_screen_height() : 0;
    if (t->board.has_cursor && t->board.height < 5) t->board.height = 5;
}

static void write_title(top *t) {
    nytp_buf_rewind(&t->title);
    nytp_watch_title(&t->title, &t->watch);
    if (t->is_paused) nytp_buf_bytes(&t->title, ", paused", 8);
    if (t->error.code) {
        nytp_buf_bytes(&t->title, "  ", 2);
        nytp_buf_bytes(&t->title, t->error.text, strlen(t->error.text));
    }
    nytp_buf_byte(&t->title, '\0');
    t->board.title = t->title.failed ? "" : (const char *)t->title.p;
    t->board.seconds = t->watch.seconds;
}

/* Lines of the screen end where the rest of an older picture begins. */
static void print_picture(top *t) {
    nytp_str text = nytp_page_bytes(&t->out);
    fputs("\033[H", stdout);
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\n') fputs("\033[K\r", stdout);
        putchar(text.p[i]);
    }
    fputs("\033[J", stdout);
    fflush(stdout);
}

/* An nytp_code. */
static enum nytp_code draw(top *t) {
    const nytp_profile *p = &t->watch.profile;
    measure(t);
    write_title(t);
    enum nytp_code code = nytp_board_gather(&t->rows, p, t->board.view, t->board.by, t->board.filter);
    nytp_board_move(&t->board, t->rows.n, 0);
    nytp_buf_rewind(&t->out);
    nytp_board_draw(&t->out, &t->board, p, &t->rows);
    return code || t->out.failed ? NYTP_NOMEM : NYTP_OK;
}

/* ---- keys ---- */

/* Without its last character, which may have several bytes. */
static void shorten(char *text) {
    size_t n = strlen(text);
    while (n && ((unsigned char)text[--n] & 0xC0) == 0x80) continue;
    text[n] = '\0';
}

static void type(nytp_board *b, int key) {
    size_t n = strlen(b->filter);
    if (key == NYTP_KEY_RETURN) b->is_typing = 0;
    else if (key == NYTP_KEY_ESCAPE) b->is_typing = 0, b->filter[0] = '\0';
    else if (key == NYTP_KEY_BACKSPACE) shorten(b->filter);
    else if (key > ' ' - 1 && key < 256 && key != 127 && n + 1 < sizeof b->filter)
        b->filter[n] = (char)key, b->filter[n + 1] = '\0';
    b->first = b->cursor = 0;
}

static void show(nytp_board *b, enum nytp_board_view view) {
    b->view = view;
    b->first = b->cursor = 0;
}

static void sort_by(top *t, int step) {
    int by = (int)t->board.by;
    do by = (by + step + NYTP_BOARD_COLUMNS) % NYTP_BOARD_COLUMNS;
    while (!nytp_board_has(&t->rows, &t->watch.profile, (enum nytp_board_column)by));
    t->board.by = (enum nytp_board_column)by;
    t->board.first = t->board.cursor = 0;
}

static void move(top *t, int64_t by) { nytp_board_move(&t->board, t->rows.n, by); }

static void take(top *t, int key) {
    nytp_board *b = &t->board;
    int64_t page = nytp_board_page(b);
    if (key == NYTP_KEY_GONE || key == NYTP_KEY_CTRL_C) t->is_over = 1;
    else if (b->is_typing) type(b, key);
    else switch (key) {
    case 'q': t->is_over = 1; break;
    case 's': show(b, NYTP_BOARD_SUBS); break;
    case 'l': show(b, NYTP_BOARD_LINES); break;
    case 'c': show(b, NYTP_BOARD_STACKS); break;
    case 'w': t->is_whole = !t->is_whole; break;
    case 'p': t->is_paused = !t->is_paused; break;
    case '<': sort_by(t, -1); break;
    case '>': sort_by(t, 1); break;
    case '/': b->is_typing = 1; break;
    case 'h': case '?': b->wants_help = !b->wants_help; break;
    case NYTP_KEY_ESCAPE: b->wants_help = 0, b->filter[0] = '\0'; break;
    case 'k': case NYTP_KEY_UP: move(t, -1); break;
    case 'j': case NYTP_KEY_DOWN: move(t, 1); break;
    case 'b': case NYTP_KEY_PAGE_UP: move(t, -page); break;
    case ' ': case NYTP_KEY_PAGE_DOWN: move(t, page); break;
    case 'g': case NYTP_KEY_HOME: move(t, INT32_MIN); break;
    case 'G': case NYTP_KEY_END: move(t, INT32_MAX); break;
    default: break;
    }
}

/* ---- the verb ---- */

/* An error of the first look is the verb's; later the file may be replaced while it is read. */
static void look(top *t) {
    t->error = (nytp_error){0};
    nytp_watch_read(&t->watch, t->is_whole ? 0 : t->last, &t->error);
}

/* Reading takes a tenth of the time at most. */
static int pause_of(const top *t) {
    double seconds = t->interval > 10 * t->watch.took ? t->interval : 10 * t->watch.took;
    return (int)(seconds * 1000);
}

static enum nytp_code follow(top *t) {
    enum nytp_code code = NYTP_OK;
    while (!t->is_over && !code) {
        int was_whole = t->watch.asked <= 0, is_whole = t->is_whole || t->last <= 0;
        if (!t->is_paused || was_whole != is_whole) look(t);
        code = draw(t);
        if (code) break;
        print_picture(t);
        take(t, nytp_keys_wait(pause_of(t)));
    }
    return code;
}

static enum nytp_code print_once(top *t) {
    enum nytp_code code = draw(t);
    fwrite(t->out.p, 1, code ? 0 : t->out.n, stdout);
    return code;
}

static void free_top(top *t) {
    nytp_watch_end(&t->watch);
    nytp_board_free(&t->rows);
    nytp_buf_free(&t->title);
    nytp_buf_free(&t->out);
}

static int run_top(const nytp_call *call) {
    const nytp_arg_value *v = call->values;
    const char *named = v[FILE_NAME].given ? v[FILE_NAME].text : NYTP_CLI_DEFAULT_FILE;
    top t = {.last = v[LAST].number, .interval = v[INTERVAL].number,
             .board = {.most = (uint32_t)v[ROWS].number, .title = "",
                       .by = (enum nytp_board_column)word_of(&args[SORT], v[SORT].text),
                       .view = (enum nytp_board_view)word_of(&args[VIEW], v[VIEW].text)}};
    nytp_error e = {0};
    int status = nytp_cli_either_file(call, &v[FILE_NAME]);
    if (status) return status;
    const char *const *files = call->argc ? (const char *const *)call->argv : &named;
    if (!nytp_watch_begin(&t.watch, files, call->argc ? (uint32_t)call->argc : 1, &e)) {
        look(&t);
        e = t.error;
    }
    enum nytp_code code = e.code;
    if (!code && !v[ONCE].given) t.board.has_cursor = nytp_keys_begin();
    if (!code) t.board.has_color = nytp_screen_has_color();
    if (!code) code = t.board.has_cursor ? follow(&t) : print_once(&t);
    nytp_keys_end();
    free_top(&t);
    if (code && !e.code) nytp_error_set(&e, code, "out of memory");
    return code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}

const nytp_verb nytp_top_verb = {
    .name = "top",
    .task = NYTP_TASK_LOOK,
    .arguments = "[OPTIONS] [FILE...|PID]",
    .summary = "shows what a running program does, as top does",
    .args = args,
    .run = run_top,
};
