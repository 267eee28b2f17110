/* SPDX-License-Identifier: MIT */
/* twins.c - two names of one hash stay two things, wherever things are looked up by their names. And calls that are
 * the same are one, however many others their caller makes. */
#include "base/table.h"
#include "fixture.h"
#include "model/load.h"
#include "model/loading.h"
#include "report/sink.h"
#include "tap.h"

/* Found by trying some hundred million names. What begins with one of them has the same hash as what begins with the
 * other and goes on in the same way. */
#define ONE "Efepopkwiivca"
#define OTHER "rfvgkgkqepwbv"

static char *directory;

static const char *path_of(const char *name) {
    static char path[500];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int is_named(const void *names, uint32_t number, const void *name) {
    return nytp_str_eq(((const nytp_str *)names)[number - 1], *(const nytp_str *)name);
}

static void test_table(void) {
    nytp_str names[] = {NYTP_LIT(ONE), NYTP_LIT(OTHER), NYTP_LIT("a"), NYTP_LIT("")};
    nytp_table t = {0};
    uint64_t hash = nytp_str_hash(names[0]);

    ok(nytp_str_hash(names[1]) == hash, "the names of this test have one hash");
    is(nytp_table_get(&t, hash, is_named, names, &names[0]), 0, "an empty table has nothing");
    for (uint32_t i = 0; i < 4; i++) *nytp_table_at(&t, nytp_str_hash(names[i]), is_named, names, &names[i]) = i + 1;
    for (uint32_t i = 0; i < 4; i++)
        is(nytp_table_get(&t, nytp_str_hash(names[i]), is_named, names, &names[i]), i + 1, "each name has its number");
    is(*nytp_table_at(&t, hash, is_named, names, &names[1]), 2, "a known one gets no second entry");
    is(nytp_table_get(&t, hash, is_named, names, &NYTP_LIT("b")), 0, "a third name of that hash is new");
    nytp_table_free(&t);
    is(nytp_table_get(&t, hash, is_named, names, &names[0]), 0, "a freed table is empty");
}

static const nytp_sub *sub(const nytp_profile *p, const char *name) {
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (nytp_str_eq(p->subs[i].name, nytp_str_c(name))) return &p->subs[i];
    return &p->subs[NYTP_ROOT];
}

/* A program with a module of each name; only the first has its file in the profile. Two evals of one text define a sub
 * each; the texts of two others are the names. */
static void write_capture(const char *path) {
    fixture f = fixture_open(path, 1, "/app/main.pl");
    fixture_file(&f, 1, "/app/main.pl", 0, 0);
    fixture_file(&f, 2, "/inc/lib/" ONE ".pm", 0, 0);
    fixture_file(&f, 3, "(eval 1)[/app/main.pl:3]", 1, 3);
    fixture_file(&f, 4, "(eval 2)[/app/main.pl:3]", 1, 3);
    fixture_source(&f, 1, "require " ONE ";\nrequire " OTHER ";\neval $_ for @text;\n");
    fixture_file(&f, 5, "(eval 3)[/app/main.pl:3]", 1, 3);
    fixture_file(&f, 6, "(eval 4)[/app/main.pl:3]", 1, 3);
    fixture_source(&f, 5, ONE);
    fixture_source(&f, 6, OTHER);
    fixture_source(&f, 3, "*$name = sub { 1 };");
    fixture_source(&f, 4, "*$name = sub { 1 };");
    fixture_sub(&f, 1, 0, 2, 1, 1, ONE "::perl");
    fixture_sub(&f, 2, NYTP_SUB_XSUB, 0, 0, 0, ONE "::c");
    fixture_sub(&f, 3, NYTP_SUB_XSUB, 0, 0, 0, OTHER "::c");
    fixture_sub(&f, 4, 0, 3, 1, 1, ONE "::made");
    fixture_sub(&f, 5, 0, 4, 1, 1, OTHER "::made");
    for (uint64_t i = 1; i <= 3; i++) fixture_place(&f, i, 1, i, i, i);
    fixture_place(&f, 4, 2, 1, 1, 1);
    for (uint64_t i = 1; i <= 4; i++) fixture_ran(&f, i, 1, 1000);
    for (uint64_t i = 1; i <= 5; i++) fixture_node(&f, i, 0, 3, i);
    for (uint64_t i = 1; i <= 5; i++) fixture_called(&f, i, 1, 10);
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
}

static void test_loading(const nytp_profile *p) {
    nytp_loading found = {0};
    int has_one = 0, has_other = 0;

    if (nytp_loading_find(&found, p)) abort();
    for (uint32_t i = 0; i < found.n; i++) {
        has_one |= nytp_str_eq(found.modules[i].name, NYTP_LIT(ONE));
        has_other |= nytp_str_eq(found.modules[i].name, NYTP_LIT(OTHER));
    }
    ok(has_one, "a module is loaded by its require statement");
    ok(!has_other, "one without a file in the profile is not taken for another that has one");
    nytp_loading_free(&found);
}

static void test_model(void) {
    const char *path = path_of("twins.out");
    nytp_profile p;
    nytp_error e;

    write_capture(path);
    if (nytp_load(&p, &path, 1, NULL, &e)) printf("# %s\n", e.text);
    is(sub(&p, ONE "::c")->home, sub(&p, ONE "::perl")->file, "a C function's home is its package's file");
    const nytp_sub *made = sub(&p, OTHER "::made");
    is(sub(&p, OTHER "::c")->home, made->file, "and not another package's");
    is(made->moved, (uint32_t)(made - p.subs), "subs of equal evals are one by their names only");
    is(p.files[3].merged, 2, "evals of one text are one");
    is(p.files[5].merged * 10 + p.files[6].merged, 11, "those of two texts are two");
    test_loading(&p);
    nytp_profile_close(&p);
}

/* A program with many calls, in two chunks that define them with other ids. */
static void test_wide(void) {
    enum { CALLS = 50 };
    const char *path = path_of("wide.out");
    fixture f = fixture_open(path, 1, "-e");
    nytp_profile p;
    nytp_error e;

    fixture_file(&f, 1, "-e", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 1, "main::f");
    for (uint64_t id = 1; id <= 2 * CALLS; id++) {
        uint64_t line = 10 + id % CALLS;
        fixture_place(&f, id, 1, line, line, line);
        fixture_node(&f, id, 0, id, 1);
        fixture_called(&f, id, 1, 10);
        if (id == CALLS) fixture_chunk(&f, 0);
    }
    fixture_chunk(&f, 0);
    fixture_close(&f, 1);
    if (nytp_load(&p, &path, 1, NULL, &e)) printf("# %s\n", e.text);
    is(sub(&p, "main::f")->callers.n, CALLS, "calls of one line in two chunks are one edge");
    is(p.nodes_n, CALLS + 2, "and one context, beside the main program's and that of lost ones");
    nytp_profile_close(&p);
}

/* The marker lists the pages, so that a later report removes them. */
static void test_pages(void) {
    char marker[100] = "";
    nytp_error e = {0};
    nytp_sink *s = nytp_sink_directory(path_of("report"), 0, 0600, &e);

    for (int i = 0; i < 2; i++) {
        nytp_sink_put(s, NYTP_LIT(ONE ".html"), "1", 1);
        nytp_sink_put(s, NYTP_LIT(OTHER ".html"), "2", 1);
    }
    is(nytp_sink_close(s, &e), NYTP_OK, "a report of two pages, each written twice");
    FILE *in = fopen(path_of("report/" NYTP_SINK_MARKER), "r");
    size_t n = in ? fread(marker, 1, sizeof marker - 1, in) : 0;
    if (in) fclose(in);
    ok(strstr(marker, ONE ".html\n") && strstr(marker, OTHER ".html\n"), "each is in its list");
    is(n, strlen(ONE) + strlen(OTHER) + 2 * strlen(".html\n"), "once");
}

int main(void) {
    directory = sample_directory();
    test_table();
    test_model();
    test_wide();
    test_pages();
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command)) return 1;
    return done();
}
