/* SPDX-License-Identifier: MIT */
/* csv.c - every line's time and count as separated values: one file per source file and level, as Devel::NYTProf's
 * Reader has written them since its first days. Times are seconds. */
#include <inttypes.h>

#include "base/ticks.h"
#include "export/csv_build.h"
#include "model/source.h"
#include "model/walk.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"

typedef struct csv {
    const nytp_profile *p;
    const nytp_file *f;
    enum nytp_level level;
    nytp_str version, delimiter;
    nytp_shown shown;
    const nytp_selection *selection;
    int is_compatible; /* 1: counts have six digits at most, as in Devel::NYTProf */
    int is_quoted;    /* 1: text is in quotes, and no formula for a spreadsheet */
    int is_annotated; /* 1: each row begins with "srcline" and a delimiter */
    nytp_buf out;
} csv;

static const char *const level_names[] = {"line", "block", "sub"}; /* as in the files' names */

/* What a spreadsheet takes for a formula begins so, with letters of full width in some countries, too; and what has the
 * apostrophe already, so that readers can tell that from ours. */
static int is_formula(nytp_str text) {
    static const char *const begins[] = {"=",  "+", "-", "@", "\t", "\r", "'", "\xEF\xBC\x9D", "\xEF\xBC\x8B",
                                         "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (nytp_str_starts(text, nytp_str_c(begins[i]))) return 1;
    return 0;
}

static void put_text(csv *c, nytp_str text) {
    if (!c->is_quoted) {
        nytp_text_str(&c->out, text);
        return;
    }
    nytp_text_put(&c->out, is_formula(text) ? "\"'" : "\"");
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"') nytp_buf_byte(&c->out, '"');
        nytp_buf_byte(&c->out, (unsigned char)text.p[i]);
    }
    nytp_buf_byte(&c->out, '"');
}

/* A row of known numbers: time, count, time per execution, metrics, source without its leading blanks. */
static void put_row(csv *c, int64_t ticks, int64_t count, uint32_t values, nytp_str source) {
    double seconds = nytp_profile_shown(c->p, ticks);
    nytp_str delimiter = c->delimiter;
    while (source.n && (source.p[0] == ' ' || source.p[0] == '\t')) source = (nytp_str){source.p + 1, source.n - 1};
    if (source.n && source.p[source.n - 1] == '\n') source.n--;
    if (c->is_annotated) {
        nytp_text_put(&c->out, "srcline");
        nytp_text_str(&c->out, delimiter);
    }
    nytp_text_format(&c->out, "%f", seconds);
    nytp_text_str(&c->out, delimiter);
    if (c->is_compatible) nytp_text_format(&c->out, "%g", (double)count);
    else nytp_text_signed(&c->out, count);
    nytp_text_str(&c->out, delimiter);
    nytp_text_format(&c->out, "%f", count ? seconds / (double)count : 0.0);
    nytp_text_str(&c->out, delimiter);
    for (uint32_t i = 0; i < c->shown.n; i++) {
        nytp_text_format(&c->out, "%" PRId64, nytp_metrics_get(c->p, c->shown.at[i], values));
        nytp_text_str(&c->out, delimiter);
    }
    put_text(c, source);
    nytp_buf_byte(&c->out, '\n');
}

static int is_blank(nytp_str source) {
    return source.n == 0 || (source.n == 1 && source.p[0] == '\n');
}

static nytp_str source_at(const csv *c, uint32_t line) { return nytp_source_line(c->p, c->f, line); }

/* A line's time includes that of the evals it ran. Times below zero count as zero, line by line, as in the Perl API,
 * but not in the sum. */
static void put_line_as(csv *c, const nytp_walk *w, nytp_str source) {
    nytp_line l = w->level[c->level] ? *w->level[c->level] : (nytp_line){.line = w->line};
    if (l.ticks < 0) l.ticks = 0;
    for (uint32_t i = 0; i < w->evals.n; i++) {
        const nytp_file *eval = &w->p->files[w->p->evals[w->evals.first + i]];
        l.ticks = nytp_ticks_add(l.ticks, nytp_ticks_add(eval->above, eval->nested));
    }
    put_row(c, l.ticks, l.count, l.values, source);
}

static void put_line(csv *c, const nytp_walk *w) { put_line_as(c, w, source_at(c, w->line)); }

/* A row for line 0, from which perl itself calls END blocks. */
static void put_lineless(csv *c, nytp_walk *w) {
    nytp_walk_to(w, 0);
    if (!w->calls.n && !w->level[c->level] && !w->evals.n) return;
    put_line_as(c, w, NYTP_LIT("Profile data that couldn't be associated with a specific line:"));
}

/* The line behind the walk's blank ones, which are examined one by one only if there is source. */
static uint32_t end_of_blank(const csv *c, const nytp_walk *w, uint32_t last) {
    uint32_t next = nytp_walk_next(w), line = w->line + 1;
    if (next > last) next = last + 1;
    while (line < next && line <= c->f->source_lines && is_blank(source_at(c, line))) line++;
    return line > c->f->source_lines ? next : line;
}

/* A run of blank lines without data becomes at most two rows; without source one. */
static void put_lines(csv *c, uint32_t last) {
    nytp_walk w = nytp_walk_begin(c->p, c->f);
    put_lineless(c, &w);
    for (uint32_t line = 1; line <= last;) {
        nytp_walk_to(&w, line++);
        put_line(c, &w);
        if (!nytp_walk_empty(&w) || !is_blank(source_at(c, w.line))) continue;
        line = end_of_blank(c, &w, last);
        if (line - w.line > 1 && c->f->source_lines) put_line(c, &w);
    }
}

static void put_header(csv *c) {
    nytp_text_put(&c->out, "# Profile data generated by Devel::NYTProf::Reader\n# Version: v");
    nytp_text_str(&c->out, c->version);
    nytp_text_put(&c->out, "\n# More information at http://metacpan.org/release/Devel-NYTProf/\n"
                           "# Format: time,calls,time/call,");
    for (uint32_t i = 0; i < c->shown.n; i++) {
        put_text(c, c->p->metrics[c->shown.at[i]].name);
        nytp_buf_byte(&c->out, ',');
    }
    nytp_text_put(&c->out, "code\n");
    if (c->p->estimate.n) {
        nytp_text_put(&c->out, "# ");
        nytp_text_str(&c->out, c->p->estimate);
        nytp_buf_byte(&c->out, '\n');
    }
}

static void put_file(csv *c) {
    put_header(c);
    if (!c->f->source_lines)
        put_row(c, 0, 0, 0, NYTP_LIT("(the source is neither in the capture nor can it be read)"));
    put_lines(c, nytp_profile_last_line(c->p, c->f));
}

/* One level's files, NAME-FID-LEVEL.csv: evals at line level only. */
static int write_level(csv *c, nytp_sink *sink) {
    nytp_buf name = {0};
    int code = NYTP_OK;
    for (uint32_t i = 0; i < c->p->files_n && !code; i++) {
        c->f = &c->p->files[i];
        if (!nytp_profile_file_used(c->f) || (c->f->parent && c->level != NYTP_LEVEL_LINE)) continue;
        if (!nytp_selection_has_file(c->selection, i)) continue;
        nytp_buf_clear(&c->out);
        nytp_buf_clear(&name);
        put_file(c);
        nytp_names_page(&name, c->p, i, level_names[c->level]);
        nytp_text_put(&name, ".csv");
        if (c->out.failed || name.failed) code = NYTP_NOMEM;
        else code = nytp_sink_put(sink, nytp_page_bytes(&name), c->out.p, c->out.n);
    }
    nytp_buf_free(&name);
    return code;
}

enum { DELIMITER, QUOTED, ANNOTATED, COMPATIBLE, METRIC, SOURCE };

static const nytp_arg args[] = {
    [DELIMITER] = {.name = "delim", .kind = NYTP_ARG_TEXT, .value = "D", .fallback = "comma", .words = "comma tab",
                   .help = "comma, tab or any text"},
    [QUOTED] = {.name = "quote", .help = "source in quotes, and no line of it a formula for a spreadsheet"},
    [ANNOTATED] = {.name = "annotated", .letter = 'a', .help = "begin each row with \"srcline\""},
    [COMPATIBLE] = {.name = "compatible", .help = "counts as Devel::NYTProf 6 prints them: 1.23457e+06 for 1234567"},
    [METRIC] = NYTP_ARGS_METRIC,
    [SOURCE] = {.name = "source", .kind = NYTP_ARG_FILE, .value = "NAME", .use = NYTP_ARG_FOR_SOURCE,
                .help = "only this source file and its evals"},
    NYTP_ARGS_CLASSES,
    {0},
};

static nytp_str delimiter_of(nytp_str text) {
    if (!text.n || nytp_str_eq(text, NYTP_LIT("comma"))) return NYTP_LIT(",");
    return nytp_str_eq(text, NYTP_LIT("tab")) ? NYTP_LIT("\t") : text;
}

/* Lines always; blocks and subs where the program was profiled with blocks=1. */
static int write_csv(const nytp_request *r, nytp_sink *sink) {
    static const enum nytp_level order[] = {NYTP_LEVEL_SUB, NYTP_LEVEL_BLOCK, NYTP_LEVEL_LINE};
    csv c = {.p = r->profiles, .shown = nytp_shown_of(&r->shown, r->profiles, NYTP_OF_PLACE),
             .selection = r->selection, .version = nytp_str_c(r->version),
             .is_quoted = r->values[QUOTED].given != 0,
             .is_annotated = r->values[ANNOTATED].given != 0,
             .is_compatible = r->values[COMPATIBLE].given != 0,
             .delimiter = delimiter_of(nytp_str_c(r->values[DELIMITER].text))};
    int code = NYTP_OK;
    for (int i = 0; i < NYTP_LEVELS && !code; i++) {
        c.level = order[i];
        if (c.level != NYTP_LEVEL_LINE && !c.p->has_blocks) continue;
        if (r->listener.part) r->listener.part(r->listener.context, level_names[c.level]);
        code = write_level(&c, sink);
    }
    nytp_buf_free(&c.out);
    return code;
}

const nytp_report nytp_csv_report = {
    .name = "csv",
    .summary = "writes every line's time and count as comma-separated values",
    .output = "nytprof",
    .banner = "Generating CSV report...",
    .args = args,
    .write = write_csv,
    .write_build = nytp_csv_build_write,
};
