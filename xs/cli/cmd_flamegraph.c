/* SPDX-License-Identifier: MIT */
/* cmd_flamegraph.c - `nytprof flamegraph`: folded lines, from this or any other program, as a picture. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/print.h"
#include "report/flame.h"
#include "report/folded.h"
#include "report/page.h"
#include "report/sink.h"

typedef struct request {
    nytp_flame flame;
    nytp_arena arena;
    const char *out;
    uint32_t mode;
    int reverse;
} request;

enum { LINES, OUT, MODE, TITLE, WIDTH, HEIGHT, MIN_WIDTH, FONT_TYPE, FONT_SIZE, FONT_WIDTH, COUNT_NAME, NAME_TYPE,
       COLORS, NAME_ATTR, TOTAL, FACTOR, REVERSE, INVERTED, NEGATE, ARGS };

#define TEXT(what) .kind = NYTP_ARG_TEXT, .value = what
#define NUMBER .kind = NYTP_ARG_DECIMAL, .value = "N", .most = 1e15 /* larger than any screen */
#define COLOR_NAMES "hot mem io java js red green blue yellow purple aqua orange"

static const nytp_arg args[] = {
    [LINES] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "LINES",
               .help = "call paths, if there is no argument LINES"},
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = "-",
             .help = "where to write"},
    [MODE] = NYTP_ARGS_MODE("those of LINES"),
    [TITLE] = {.name = "title", TEXT("TEXT"), .fallback = "Flame Graph", .help = "above the picture"},
    [WIDTH] = {.name = "width", NUMBER, .fallback = "1200", .help = "of the picture, in pixels"},
    [HEIGHT] = {.name = "height", NUMBER, .fallback = "16", .help = "of a frame"},
    [MIN_WIDTH] = {.name = "minwidth", NUMBER, .fallback = "0.1", .help = "leave out narrower frames"},
    [FONT_TYPE] = {.name = "fonttype", TEXT("NAME"), .fallback = "Verdana", .help = "of all text"},
    [FONT_SIZE] = {.name = "fontsize", NUMBER, .fallback = "12", .help = "of all text"},
    [FONT_WIDTH] = {.name = "fontwidth", NUMBER, .fallback = "0.59",
                    .help = "of an average letter, as a share of the size"},
    [COUNT_NAME] = {.name = "countname", TEXT("TEXT"), .fallback = "samples", .help = "what is counted"},
    [NAME_TYPE] = {.name = "nametype", TEXT("TEXT"), .fallback = "Function:", .help = "before a frame's name"},
    [COLORS] = {.name = "colors", TEXT("NAME"), .fallback = "hot", .words = COLOR_NAMES, .help = COLOR_NAMES},
    [NAME_ATTR] = {.name = "nameattr", .kind = NYTP_ARG_FILE, .value = "FILE",
                   .help = "lines \"NAME<tab>href=PAGE<tab>title=TEXT\": links of frames"},
    [TOTAL] = {.name = "total", NUMBER, .help = "value of the whole width, if more than the sum"},
    [FACTOR] = {.name = "factor", NUMBER, .help = "multiply the values shown by N"},
    [REVERSE] = {.name = "reverse", .help = "read paths from their ends"},
    [INVERTED] = {.name = "inverted", .help = "the root is on top"},
    [NEGATE] = {.name = "negate", .help = "exchange the colours of a difference"},
    {0},
};

/* Options that are not given keep their defaults. */
static void take_options(request *r, const nytp_arg_value *v) {
    nytp_flame *f = &r->flame;
    double *const numbers[ARGS] = {
        [WIDTH] = &f->width,          [HEIGHT] = &f->frame_height,   [MIN_WIDTH] = &f->min_width,
        [FONT_SIZE] = &f->font_size,  [FONT_WIDTH] = &f->font_width, [FACTOR] = &f->factor,
    };
    nytp_str *const texts[ARGS] = {
        [TITLE] = &f->title,          [FONT_TYPE] = &f->font,        [COUNT_NAME] = &f->count_name,
        [NAME_TYPE] = &f->name_type,  [COLORS] = &f->colors,
    };
    for (int i = 0; i < ARGS; i++) {
        if (v[i].given && numbers[i]) *numbers[i] = v[i].number;
        if (v[i].given && texts[i]) *texts[i] = nytp_str_c(v[i].text);
    }
    r->reverse = v[REVERSE].given != 0;
    f->inverted = v[INVERTED].given != 0;
    f->negate = v[NEGATE].given != 0;
}

/* ---- files ---- */

/* Appends all of a file, or of standard input for "-". */
static void slurp(nytp_buf *out, const char *path, nytp_error *e) {
    int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    ssize_t got = fd < 0 ? -1 : 1;
    while (got > 0) {
        unsigned char *room = nytp_buf_room(out, 65536);
        if (!room) break;
        got = read(fd, room, 65536);
        if (got > 0) out->n += (size_t)got;
        else if (got < 0 && errno == EINTR) got = 1;
    }
    if (got < 0) nytp_error_sys(e, "%s", path);
    if (out->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (fd > STDIN_FILENO) close(fd);
}

/* Links go to pages, local or on the web, and never to code that a browser would run. */
static int is_page(nytp_str href) {
    const char *colon = memchr(href.p, ':', href.n), *slash = memchr(href.p, '/', href.n);
    if (!colon || (slash && slash < colon)) return 1;
    return nytp_str_starts(href, NYTP_LIT("http:")) || nytp_str_starts(href, NYTP_LIT("https:")) ||
           nytp_str_starts(href, NYTP_LIT("file:"));
}

static nytp_str take_field(nytp_str *line) {
    const char *tab = memchr(line->p, '\t', line->n);
    nytp_str field = {line->p, tab ? (size_t)(tab - line->p) : line->n};
    size_t taken = tab ? field.n + 1 : field.n;
    *line = (nytp_str){line->p + taken, line->n - taken};
    return field;
}

static nytp_flame_link link_of(nytp_str line) {
    nytp_str href = NYTP_LIT("href="), title = NYTP_LIT("title=");
    nytp_flame_link link = {.name = take_field(&line)};
    while (line.n) {
        nytp_str field = take_field(&line);
        nytp_str *to = nytp_str_starts(field, href) ? &link.href : nytp_str_starts(field, title) ? &link.title : NULL;
        size_t key = to == &link.href ? href.n : title.n;
        if (to) *to = (nytp_str){field.p + key, field.n - key};
    }
    return link;
}

static int by_name(const void *a, const void *b) {
    return nytp_str_cmp(((const nytp_flame_link *)a)->name, ((const nytp_flame_link *)b)->name);
}

static int read_links(request *r, nytp_str text) {
    uint32_t lines = 1, n = 0;
    for (size_t i = 0; i < text.n; i++) lines += text.p[i] == '\n';
    nytp_flame_link *links = nytp_arena_get(&r->arena, lines * sizeof *links);
    if (!links) return NYTP_NOMEM;
    while (text.n) {
        const char *newline = memchr(text.p, '\n', text.n);
        size_t length = newline ? (size_t)(newline - text.p) : text.n, taken = newline ? length + 1 : length;
        links[n] = link_of((nytp_str){text.p, length});
        if (links[n].name.n && links[n].href.n && is_page(links[n].href)) n++;
        text = (nytp_str){text.p + taken, text.n - taken};
    }
    qsort(links, n, sizeof *links, by_name);
    r->flame.links = links;
    r->flame.links_n = n;
    return NYTP_OK;
}

/* Neither a capture nor a file of format 5 has lines of paths. */
static int is_profile(const nytp_buf *b) {
    nytp_str text = nytp_page_bytes(b);
    return nytp_str_starts(text, NYTP_LIT("NYTProf capture ")) || nytp_str_starts(text, NYTP_LIT("NYTProf 5 "));
}

/* ---- the picture ---- */

/* A --total up to 2 % below the sum is taken for a rounding error. */
static void use_total(nytp_flame *flame, const nytp_stacks *s, double total) {
    double sum = s->tree.n ? (double)s->tree.at[0].total / NYTP_FOLDED_UNIT : 0;
    if (total > 0 && total < sum / 1.02)
        nytp_print_line(stderr, "Specified --total %.15g is less than actual total %.15g, so ignored", total, sum);
    flame->total = total < 9e15 ? (int64_t)(total * NYTP_FOLDED_UNIT) : 0;
    flame->factor /= NYTP_FOLDED_UNIT;
}

/* Draws a picture, also without stacks: then one with an error message. */
static int draw(request *r, nytp_buf *svg, const nytp_stacks *s, double total) {
    if (s->tree.n && s->tree.at[0].total > 0) {
        use_total(&r->flame, s, total);
        return nytp_flame_svg(svg, s, &r->flame);
    }
    nytp_print_line(stderr, "ERROR: No stack counts found");
    int code = nytp_flame_error(svg, &r->flame, NYTP_LIT("No valid input provided to flamegraph."));
    return code ? code : NYTP_FORMAT;
}

static int put(const request *r, const nytp_buf *svg, nytp_error *e) {
    nytp_sink *sink = nytp_sink_file(r->out, r->mode, e);
    if (sink) nytp_sink_put(sink, NYTP_LIT("flame.svg"), svg->p, svg->n);
    nytp_sink_close(sink, e);
    return e->code;
}

/* Without stacks there is a picture that says so, as flamegraph.pl makes one. */
static int make_picture(request *r, nytp_str lines, double total) {
    nytp_stacks s = {0};
    nytp_buf svg = {0};
    nytp_error e = {0};
    uint32_t bad = 0;
    int code = nytp_folded_read(&s, lines, r->reverse, &bad);
    if (!code) code = nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    if (bad) nytp_print_line(stderr, "Ignored %u lines with invalid format", (unsigned)bad);
    if (!code) code = draw(r, &svg, &s, total);
    if (code == NYTP_OK || code == NYTP_FORMAT) put(r, &svg, &e);
    else nytp_error_set(&e, code, "out of memory");
    nytp_buf_free(&svg);
    nytp_stacks_free(&s);
    if (e.code) return nytp_cli_failure(&e);
    return code ? NYTP_CLI_FAILURE : NYTP_CLI_FINE;
}

static void read_attributes(request *r, nytp_buf *text, const char *path, nytp_error *e) {
    slurp(text, path, e);
    if (!e->code && read_links(r, nytp_page_bytes(text))) nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

static void read_lines(nytp_buf *lines, const char *const *paths, int n, nytp_error *e) {
    for (int i = 0; i < n && !e->code; i++) slurp(lines, paths[i], e);
    if (!e->code && is_profile(lines))
        nytp_error_set(e, NYTP_FORMAT,
                       "flamegraph: wants call paths: `nytprof folded -o - FILE` makes them of a profile");
}

static int run_flamegraph(const nytp_call *call) {
    const nytp_arg_value *v = call->values;
    request r = {.flame = nytp_flame_default(), .out = v[OUT].text};
    nytp_buf lines = {0}, attributes = {0};
    nytp_error e = {0};
    const char *only = v[LINES].given ? v[LINES].text : "-";
    const char *const *paths = call->argc ? (const char *const *)call->argv : &only;
    int paths_n = call->argc ? call->argc : 1;
    if (nytp_cli_either_file(call, &v[LINES])) return NYTP_CLI_USAGE;
    take_options(&r, v);
    r.mode = nytp_cli_mode(&v[MODE], paths, (uint32_t)paths_n);
    if (r.flame.width < 100 || r.flame.width > 1e6 || r.flame.frame_height < 1 || r.flame.frame_height > 1000 ||
        r.flame.font_size < 1 || r.flame.font_width < 0.01)
        return nytp_cli_usage("flamegraph: sizes that no picture can have");
    if (v[NAME_ATTR].given) read_attributes(&r, &attributes, v[NAME_ATTR].text, &e);
    if (!e.code) read_lines(&lines, paths, paths_n, &e);
    int status = e.code ? nytp_cli_failure(&e) : make_picture(&r, nytp_page_bytes(&lines), v[TOTAL].number);
    nytp_buf_free(&lines);
    nytp_buf_free(&attributes);
    nytp_arena_free(&r.arena);
    return status;
}

const nytp_verb nytp_flamegraph_verb = {
    .name = "flamegraph",
    .task = NYTP_TASK_EXPORT,
    .arguments = "[OPTIONS] [LINES...]",
    .summary = "draws folded call paths of any program as a flame graph",
    .args = args,
    .run = run_flamegraph,
};
