/* cmd_flamegraph.c - `nytprof flamegraph`: folded lines, of this program's or anyone's making, as a picture. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "report/flame.h"
#include "report/folded.h"
#include "report/page.h"
#include "report/sink.h"

typedef struct request {
    nytp_flame flame;
    nytp_arena arena;
    const char *out, *attributes;
    int reverse;
} request;

static const struct option options[] = {
    {"out", 1, NULL, 'o'},      {"title", 1, NULL, 'T'},    {"width", 1, NULL, 'W'},    {"height", 1, NULL, 'H'},
    {"minwidth", 1, NULL, 'M'}, {"fonttype", 1, NULL, 'F'}, {"fontsize", 1, NULL, 'S'}, {"fontwidth", 1, NULL, 'L'},
    {"countname", 1, NULL, 'C'}, {"nametype", 1, NULL, 'N'}, {"colors", 1, NULL, 'P'},  {"nameattr", 1, NULL, 'A'},
    {"total", 1, NULL, 't'},    {"factor", 1, NULL, 'f'},   {"reverse", 0, NULL, 'R'},  {"inverted", 0, NULL, 'I'},
    {"negate", 0, NULL, 'D'},   {0, 0, NULL, 0},
};

static double *number_of(nytp_flame *f, int option, double *total) {
    switch (option) {
    case 'W': return &f->width;
    case 'H': return &f->frame_height;
    case 'M': return &f->min_width;
    case 'S': return &f->font_size;
    case 'L': return &f->font_width;
    case 'f': return &f->factor;
    case 't': return total;
    default: return NULL;
    }
}

static nytp_str *text_of(nytp_flame *f, int option) {
    switch (option) {
    case 'T': return &f->title;
    case 'F': return &f->font;
    case 'C': return &f->count_name;
    case 'N': return &f->name_type;
    case 'P': return &f->colors;
    default: return NULL;
    }
}

/* What a picture can be made with: no size of nothing, or beyond all screens. */
static int take_number(double *to) {
    char *end;
    double value = strtod(optarg, &end);
    if (end == optarg || *end || !(value >= 0 && value <= 1e15)) return -1;
    *to = value;
    return 0;
}

static int take_option(request *r, int option, double *total) {
    double *number = number_of(&r->flame, option, total);
    nytp_str *text = text_of(&r->flame, option);
    if (number) return take_number(number);
    if (text) *text = nytp_str_c(optarg);
    else if (option == 'o') r->out = optarg;
    else if (option == 'A') r->attributes = optarg;
    else if (option == 'R') r->reverse = 1;
    else if (option == 'I') r->flame.inverted = 1;
    else r->flame.negate = 1;
    return 0;
}

/* ---- files ---- */

/* Appends all of a file, or of standard input for "-". Returns whether that worked, having said why not. */
static int slurp(nytp_buf *out, const char *path) {
    int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    ssize_t got = fd < 0 ? -1 : 1;
    while (got > 0) {
        unsigned char *room = nytp_buf_room(out, 65536);
        got = room ? read(fd, room, 65536) : -1; /* without memory malloc has left errno */
        if (got > 0) out->n += (size_t)got;
        else if (got < 0 && errno == EINTR) got = 1;
    }
    if (got < 0) fprintf(stderr, "nytprof: %s: %s\n", path, strerror(errno));
    if (fd > STDIN_FILENO) close(fd);
    return got == 0;
}

/* Only pages, here or in the web: what a browser would run is no link. */
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

/* ---- the picture ---- */

/* A total below what there is by no more than 2 % is what rounding makes of it. */
static void use_total(nytp_flame *flame, const nytp_stacks *s, double total) {
    double sum = s->n ? (double)s->at[0].total / NYTP_FOLDED_UNIT : 0;
    if (total > 0 && total < sum / 1.02)
        fprintf(stderr, "Specified --total %.15g is less than actual total %.15g, so ignored\n", total, sum);
    flame->total = total < 9e15 ? (int64_t)(total * NYTP_FOLDED_UNIT) : 0;
    flame->factor /= NYTP_FOLDED_UNIT;
}

/* Without anything to draw there is still a picture, which says so. */
static int draw(request *r, nytp_buf *svg, const nytp_stacks *s, double total) {
    if (s->n && s->at[0].total > 0) {
        use_total(&r->flame, s, total);
        return nytp_flame_svg(svg, s, &r->flame);
    }
    fputs("ERROR: No stack counts found\n", stderr);
    int code = nytp_flame_error(svg, &r->flame, NYTP_LIT("No valid input provided to flamegraph."));
    return code ? code : NYTP_FORMAT;
}

static int put(const char *out, const nytp_buf *svg, nytp_error *e) {
    nytp_sink *sink = nytp_sink_file(out, e);
    if (sink) nytp_sink_put(sink, NYTP_LIT("flame.svg"), svg->p, svg->n);
    nytp_sink_close(sink, e);
    return e->code;
}

/* Exit code 2, with a picture, where there is nothing to draw: flamegraph.pl's. */
static int make_picture(request *r, nytp_str lines, double total) {
    nytp_stacks s = {0};
    nytp_buf svg = {0};
    nytp_error e = {0};
    uint32_t bad = 0;
    int code = nytp_folded_read(&s, lines, r->reverse, &bad);
    if (!code) code = nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    if (bad) fprintf(stderr, "Ignored %u lines with invalid format\n", (unsigned)bad);
    if (!code) code = draw(r, &svg, &s, total);
    if (code == NYTP_OK || code == NYTP_FORMAT) put(r->out, &svg, &e);
    else nytp_error_set(&e, code, "out of memory");
    nytp_buf_free(&svg);
    nytp_stacks_free(&s);
    if (e.code) return nytp_cli_failure(&e);
    return code ? NYTP_CLI_USAGE : NYTP_CLI_FINE;
}

int nytp_cmd_flamegraph(int argc, char **argv) {
    request r = {.flame = nytp_flame_default(), .out = "-"};
    nytp_buf lines = {0}, attributes = {0};
    double total = 0;
    int option, status = NYTP_CLI_FINE;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:", options, NULL)) != -1) {
        if (option == '?' || option == ':') return nytp_cli_bad_option(argv, option);
        if (take_option(&r, option, &total)) return nytp_cli_usage("flamegraph: '%s' is no such number", optarg);
    }
    if (r.flame.width < 100 || r.flame.width > 1e6 || r.flame.frame_height < 1 || r.flame.frame_height > 1000 ||
        r.flame.font_size < 1 || r.flame.font_width < 0.01)
        return nytp_cli_usage("flamegraph: sizes that no picture can have");
    if (r.attributes && (!slurp(&attributes, r.attributes) || read_links(&r, nytp_page_bytes(&attributes))))
        status = NYTP_CLI_FAILURE;
    if (optind == argc) slurp(&lines, "-");
    for (int i = optind; i < argc; i++) slurp(&lines, argv[i]);
    if (!status) status = make_picture(&r, nytp_page_bytes(&lines), total);
    nytp_buf_free(&lines);
    nytp_buf_free(&attributes);
    nytp_arena_free(&r.arena);
    return status;
}
