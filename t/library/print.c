/* SPDX-License-Identifier: MIT */
/* print.c - for t/library.t, built as a program outside this tree is: prints what libnytprof says of profiles.
 *
 *   print tables FILE...   rows of a profile
 *   print sizes FILE       whether structs of other versions are filled as they should be
 *   print records FILE     records, as `nytprof dump` prints them
 *   print bad FILE...      of each: read in both ways, the error or the first damage
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <nytprof/read.h>

static void print_text(nytprof_text text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c >= ' ' && c <= '~' && c != '\\') printf("%s%c", c == '"' ? "\\" : "", c);
        else printf("\\x%02X", c);
    }
}

static int fail(const nytprof_error *e) {
    printf("error %d %d %s\n", e->code, e->sys, e->text);
    return 1;
}

/* ---- a profile ---- */

/* Time of the evals that a line runs, or any line of the file, and of theirs; as csv adds it to the line. */
static int64_t time_of_evals(const nytprof_profile *p, uint32_t file, uint32_t line) {
    nytprof_file f;
    nytprof_line l;
    int64_t sum = 0;
    for (uint32_t i = 1; nytprof_get_file(p, i, &f, sizeof f); i++) {
        if (f.parent != file || f.same_as != i || (line != NYTPROF_NONE && f.parent_line != line)) continue;
        for (uint32_t k = 0; nytprof_get_line(p, i, NYTPROF_BY_LINE, k, &l, sizeof l); k++)
            if (l.ticks > 0) sum += l.ticks;
        sum += time_of_evals(p, i, NYTPROF_NONE);
    }
    return sum;
}

static void print_file(const nytprof_profile *p, uint32_t i) {
    nytprof_file f;
    nytprof_line l;
    nytprof_get_file(p, i, &f, sizeof f);
    if (f.same_as != i) return;
    for (uint32_t k = 0; nytprof_get_line(p, i, NYTPROF_BY_LINE, k, &l, sizeof l); k++) {
        printf("line %" PRIu32 " %f,%" PRId64 " ", f.id,
               nytprof_seconds(p, (l.ticks > 0 ? l.ticks : 0) + time_of_evals(p, i, l.line)), l.count);
        print_text(nytprof_source(p, i, l.line));
        putchar('\n');
    }
}

static void print_sub(const nytprof_profile *p, uint32_t i) {
    nytprof_sub s, caller;
    nytprof_call c;
    nytprof_get_sub(p, i, &s, sizeof s);
    printf("sub %" PRId64 " %.9f %.9f ", s.calls, nytprof_seconds(p, s.exclusive), nytprof_seconds(p, s.inclusive));
    print_text(s.name);
    putchar('\n');
    for (uint32_t k = 0; k < s.calls_rows && nytprof_get_call(p, s.first_call + k, &c, sizeof c); k++) {
        nytprof_get_sub(p, c.caller, &caller, sizeof caller);
        printf("call %" PRId64 " ", c.calls);
        print_text(caller.name);
        printf(" > ");
        print_text(s.name);
        printf(c.callee == i ? "\n" : " is another\n");
    }
}

/* A walk through the tree adds up to the same as the table of subs. */
static int64_t sum_of_nodes(const nytprof_profile *p, uint32_t i) {
    nytprof_node n;
    int64_t sum = 0;
    if (!nytprof_get_node(p, i, &n, sizeof n)) return 0;
    sum = n.exclusive;
    for (uint32_t k = n.child; k; k = n.next) {
        sum += sum_of_nodes(p, k);
        nytprof_get_node(p, k, &n, sizeof n);
    }
    return sum;
}

static int print_tables(const char *const *paths, uint32_t n) {
    nytprof_error e;
    nytprof_totals t;
    nytprof_process process;
    nytprof_pair pair;
    nytprof_sub s;
    int64_t ranked = 0;
    nytprof_profile *p = nytprof_load(paths, n, 0, &e);
    if (!p) return fail(&e);
    nytprof_get_totals(p, &t, sizeof t);
    printf("totals %" PRId64 " %" PRId64 " inputs %" PRIu32 "\n", t.statements, t.calls, t.inputs);
    for (uint32_t i = 0; nytprof_get_process(p, i, &process, sizeof process); i++)
        printf("process %" PRIu32 " %.*s ends %d\n", process.pid, (int)process.program.size, process.program.at,
               process.ending);
    for (uint32_t i = 0; nytprof_get_pair(p, i, &pair, sizeof pair); i++)
        printf("pair %.*s=%.*s\n", (int)pair.key.size, pair.key.at, (int)pair.value.size, pair.value.at);
    for (uint32_t i = 0; i < t.files; i++) print_file(p, i);
    for (uint32_t i = 0; nytprof_get_sub(p, nytprof_ranked(p, NYTPROF_CALLS, i), &s, sizeof s); i++) {
        print_sub(p, nytprof_ranked(p, NYTPROF_CALLS, i));
        ranked += s.exclusive;
    }
    nytprof_get_sub(p, 0, &s, sizeof s);
    printf("nodes %s\n", sum_of_nodes(p, 0) == ranked + s.exclusive ? "agree" : "differ");
    nytprof_free(p);
    return 0;
}

/* ---- versions ---- */

static int sizes_fit(const char *path) {
    struct {
        nytprof_sub known;
        int64_t later;
    } newer;
    struct {
        nytprof_text name;
        uint32_t guard;
    } older = {{NULL, 0}, 42};
    nytprof_profile *p = nytprof_load(&path, 1, 0, NULL);
    int fits = p != NULL;
    memset(&newer, 1, sizeof newer);
    if (fits) fits = nytprof_get_sub(p, 0, (nytprof_sub *)&newer, sizeof newer) && newer.later == 0;
    if (fits) fits = nytprof_get_sub(p, 0, (nytprof_sub *)&older, sizeof older.name) && older.guard == 42;
    if (fits) fits = older.name.at == newer.known.name.at && !nytprof_get_sub(p, NYTPROF_NONE, &newer.known, 8);
    nytprof_free(p);
    puts(fits ? "fits" : "does not fit");
    return !fits;
}

/* ---- records ---- */

static void print_field(const nytprof_field *f) {
    printf(" %s=", f->name);
    switch (f->type) {
    case NYTPROF_UNSIGNED: printf("%" PRIu64, f->number); break;
    case NYTPROF_SIGNED: printf("%" PRId64, f->integer); break;
    case NYTPROF_REAL: printf(strcmp(f->name, "time") == 0 ? "%.6f" : "%.17g", f->real); break;
    default:
        putchar('"');
        print_text(f->text);
        putchar('"');
    }
}

static int print_records(const char *path) {
    nytprof_error e;
    nytprof_record record;
    nytprof_field f;
    int more;
    nytprof_reader *r = nytprof_open(path, 0, &e);
    if (!r) return fail(&e);
    while ((more = nytprof_next(r, &record, sizeof record, &e)) > 0) {
        fputs(record.kind, stdout);
        for (uint32_t i = 0; nytprof_get_field(r, i, &f, sizeof f); i++) print_field(&f);
        putchar('\n');
    }
    nytprof_close(r);
    return more ? fail(&e) : 0;
}

/* ---- what is bad ---- */

static void look_at_profile(const char *path) {
    nytprof_error e;
    nytprof_input in;
    nytprof_profile *p = nytprof_load(&path, 1, NYTPROF_OUTSIDE | NYTPROF_KEEP_EVALS, &e);
    if (!p) {
        fail(&e);
        return;
    }
    nytprof_get_input(p, 0, &in, sizeof in);
    printf("damage %.*s\n", (int)in.damage.size, in.damage.at);
    nytprof_free(p);
}

static void look_at_records(const char *path) {
    nytprof_error e;
    nytprof_record record;
    nytprof_field f;
    int more;
    uint64_t sum = 0;
    nytprof_reader *r = nytprof_open(path, NYTPROF_CORRECTED, &e);
    if (!r) {
        fail(&e);
        return;
    }
    while ((more = nytprof_next(r, &record, sizeof record, &e)) > 0)
        for (uint32_t i = 0; nytprof_get_field(r, i, &f, sizeof f); i++)
            for (size_t k = 0; k < f.text.size; k++) sum += (unsigned char)f.text.at[k];
    if (more < 0) fail(&e);
    else printf("read %s\n", sum ? "texts" : "nothing");
    nytprof_close(r);
}

int main(int argc, char **argv) {
    const char *const *paths = (const char *const *)(argv + 2);
    if (argc < 3) return 2;
    if (strcmp(argv[1], "tables") == 0) return print_tables(paths, (uint32_t)(argc - 2));
    if (strcmp(argv[1], "records") == 0) return print_records(argv[2]);
    if (strcmp(argv[1], "sizes") == 0) return sizes_fit(argv[2]);
    for (int i = 2; i < argc; i++) {
        look_at_profile(argv[i]);
        look_at_records(argv[i]);
    }
    return 0;
}
