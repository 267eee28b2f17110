/* SPDX-License-Identifier: MIT */
/* ninja.c - the log that ninja keeps in its build directory.
 *
 * Behind a first line with the version each line is an output of a command: when the command began and ended, in ms
 * since that build began, the output's time, its name, and a digest of the command. Lines are written when commands
 * end, so an end before that of the line above belongs to another build. */
#include "import/ninja.h"

#include <stdio.h>
#include <string.h>

#define FIRST "# ninja log v"
#define LATEST (INT64_C(1) << 40) /* ms; more is no time of a build */
#define MS INT64_C(1000000)

typedef struct entry {
    int64_t start, end; /* ms */
    nytp_str output, digest;
} entry;

/* The lines of a log. */
typedef struct lines {
    nytp_str rest;
    uint64_t number; /* of the latest line, from 1 */
} lines;

/* The next line without its newline. 0 behind the last; what has no newline was being written. */
static int next_line(lines *of, nytp_str *line) {
    const char *end = of->rest.n ? memchr(of->rest.p, '\n', of->rest.n) : NULL;
    if (!end) return 0;
    *line = (nytp_str){of->rest.p, (size_t)(end - of->rest.p)};
    of->rest.n -= line->n + 1;
    of->rest.p = end + 1;
    of->number++;
    if (nytp_str_ends(*line, NYTP_LIT("\r"))) line->n--;
    return 1;
}

int nytp_ninja_is(nytp_str text) { return nytp_str_starts(text, NYTP_LIT(FIRST)); }

/* Digits and a tab, which are taken from the line. */
static int take_time(nytp_str *line, int64_t *ms) {
    size_t n = 0;
    for (*ms = 0; n < line->n && line->p[n] >= '0' && line->p[n] <= '9' && *ms < LATEST; n++)
        *ms = 10 * *ms + (line->p[n] - '0');
    if (!n || n == line->n || line->p[n] != '\t' || *ms >= LATEST) return 0;
    line->p += n + 1;
    line->n -= n + 1;
    return 1;
}

/* The output's time is passed over: tools have written it in seconds, ns, and below zero. */
static int take_field(nytp_str *line) {
    const char *tab = line->n ? memchr(line->p, '\t', line->n) : NULL;
    if (!tab) return 0;
    line->n -= (size_t)(tab + 1 - line->p);
    line->p = tab + 1;
    return 1;
}

/* What is wrong with a line; NULL if nothing is. */
static const char *parse(entry *of, nytp_str line) {
    if (!take_time(&line, &of->start)) return "a begin in milliseconds and a tab";
    if (!take_time(&line, &of->end)) return "an end in milliseconds and a tab";
    if (of->end < of->start) return "an end that is not before the begin";
    if (!take_field(&line)) return "the time of the output and a tab";
    size_t n = line.n;
    while (n && line.p[n - 1] != '\t') n--;
    if (n < 2) return "the name of an output and a tab";
    of->output = (nytp_str){line.p, n - 1};
    of->digest = (nytp_str){line.p + n, line.n - n};
    return of->digest.n ? NULL : "a digest of the command";
}

/* A build's lines, and their number and end. */
typedef struct build {
    lines at;
    uint64_t n;
    int64_t end; /* ms */
} build;

/* The last build of the lines, whose ends ascend; earlier has the sums of those before it. All lines are checked. 0
 * with e set. */
static int find_last(const nytp_document *d, lines at, build *last, build *earlier, nytp_error *e) {
    lines before = at;
    nytp_str line;
    entry of;
    *last = (build){.at = at};
    *earlier = (build){.at = at};
    for (; next_line(&at, &line); before = at) {
        const char *wrong = line.n ? parse(&of, line) : NULL;
        if (wrong) return nytp_document_refuse(d, at.number, wrong, line, e), 0;
        if (!line.n) continue;
        if (of.end < last->end) {
            earlier->n += last->n, earlier->end += last->end;
            *last = (build){.at = before};
        }
        last->end = of.end;
        last->n++;
    }
    return 1;
}

/* Of a command the log has no more than a digest, so that the pattern of its output stands for the command. */
static void put_pattern(nytp_rec_process *p, nytp_buf *command, nytp_str output) {
    char word[40];
    size_t n = output.n;
    while (n && output.p[n - 1] != '.' && output.p[n - 1] != '/') n--;
    int has_suffix = n > 1 && output.p[n - 1] == '.' && output.p[n - 2] != '/';
    snprintf(word, sizeof word, "*%.*s", has_suffix ? (int)(output.n - n + 1) : 0, output.p + (n ? n - 1 : 0));
    nytp_made_word(p, command, nytp_str_c(word));
}

/* The end in the next line that is not empty, in ms; -1 behind the last. */
static int64_t end_of(lines at) {
    nytp_str line;
    entry of;
    while (next_line(&at, &line))
        if (!parse(&of, line)) return of.end;
    return -1;
}

static int is_same_command(const entry *a, const entry *b) {
    return a->start == b->start && a->end == b->end && nytp_str_eq(a->digest, b->digest);
}

/* Outputs of one command stand below one another, and twice if their time was changed later. */
static void add_command(nytp_made *m, nytp_made_process *p, lines *at, nytp_buf *command, int64_t origin,
                        nytp_error *e) {
    nytp_str line;
    entry first = {0}, of = {0};
    p->of.pid++;
    p->of.words = 0;
    nytp_buf_clear(command);
    for (lines before = *at; next_line(at, &line); before = *at) {
        int is_entry = !parse(&of, line);
        if (is_entry && first.digest.n && !is_same_command(&first, &of)) {
            *at = before;
            break;
        }
        if (!is_entry || nytp_str_eq(of.output, first.output)) continue;
        if (!first.digest.n) put_pattern(&p->of, command, of.output), first = of;
        nytp_made_word(&p->of, command, of.output);
    }
    p->of.target = p->object = first.output;
    p->began = origin + first.start * MS;
    p->ended = origin + first.end * MS;
    if (command->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (first.digest.n) nytp_made_add(m, p, e);
}

/* A build, up to the line at which the ends descend. Returns what is behind it. */
static lines add_build(nytp_made *m, const nytp_document *d, lines at, int64_t origin, int64_t *end, nytp_error *e) {
    nytp_made_process p = {.of = {.pid = 1, .directory = nytp_document_directory(d)}, .began = origin, .ended = origin};
    nytp_buf command = {0};
    uint32_t root;
    int64_t next;
    nytp_made_word(&p.of, &command, NYTP_LIT("ninja"));
    if (command.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    root = p.parent = nytp_made_add(m, &p, e);
    for (*end = 0; !e->code && (next = end_of(at)) >= *end; *end = next) add_command(m, &p, &at, &command, origin, e);
    if (root) m->all[root - 1].ended = origin + *end * MS;
    nytp_buf_free(&command);
    return at;
}

/* The time of a build is not in the log: the last one ended when it was written, one before that begins with it. */
enum nytp_code nytp_ninja_read(nytp_made *m, nytp_document *d, nytp_error *e) {
    lines at = {d->text, 0};
    nytp_str line = {"", 0};
    build last, earlier;
    int64_t end;
    int version = next_line(&at, &line) && line.n == sizeof FIRST ? line.p[line.n - 1] : 0;
    if (version < '5' || version > '7') return nytp_document_refuse(d, 1, "'" FIRST "5', 6 or 7", line, e);
    if (!find_last(d, at, &last, &earlier, e)) return e->code;
    int64_t origin = d->changed - last.end * MS;
    if (!d->wants_all) d->earlier = earlier.n, at = last.at;
    else origin -= earlier.end < LATEST ? earlier.end * MS : 0;
    for (; !e->code && end_of(at) >= 0; origin += end * MS) at = add_build(m, d, at, origin, &end, e);
    d->is_cut = at.rest.n > 0;
    return e->code;
}
