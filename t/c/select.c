/* SPDX-License-Identifier: MIT */
/* select.c - the subs and paths that options choose. */
#include "report/select.h"

#include "report/folded.h"
#include "report/page.h"
#include "tap.h"

/* ---- a small profile ---- */

enum { ROOT, UNKNOWN, RUNTIME, WORK, READ, MATCH, UNCALLED, SUBS };

static nytp_file files[] = {{.name = {"", 0}}, {.name = {"lib/Foo/Bar.pm", 14}},
                            {.name = {"(eval 1)[lib/Foo/Bar.pm:3]", 26}, .parent = 1}};

#define NAME(text) {text, sizeof text - 1}

static nytp_sub subs[SUBS] = {
    [ROOT] = {.name = NAME("main::RUNTIME"), .package = NAME("main"), .flags = NYTP_SUB_PHASE, .moved = ROOT},
    [UNKNOWN] = {.moved = UNKNOWN},
    [RUNTIME] = {.name = NAME("main::BEGIN"), .package = NAME("main"), .flags = NYTP_SUB_PHASE, .moved = RUNTIME},
    [WORK] = {.name = NAME("Foo::work"), .package = NAME("Foo"), .file = 1, .moved = WORK, .calls = 3},
    [READ] = {.name = NAME("Foo::Bar::read"), .package = NAME("Foo::Bar"), .file = 2, .moved = READ, .calls = 3},
    [MATCH] = {.name = NAME("Food::eat"), .package = NAME("Food"), .moved = MATCH, .calls = 9},
    [UNCALLED] = {.name = NAME("Spare::eat"), .package = NAME("Spare"), .moved = UNCALLED},
};

/* main::RUNTIME calls work, which calls itself and read, which calls eat; below read perl runs a BEGIN block, which
 * calls eat. */
static nytp_node nodes[] = {
    {.sub = ROOT, .exclusive = 1000},
    {.sub = WORK, .calls = 1, .exclusive = 200},
    {.sub = WORK, .parent = 1, .calls = 2, .exclusive = 30},
    {.sub = READ, .parent = 2, .calls = 3, .exclusive = 4},
    {.sub = MATCH, .parent = 3, .calls = 4, .exclusive = 5},
    {.sub = RUNTIME, .parent = 3, .calls = 1, .exclusive = 60},
    {.sub = MATCH, .parent = 5, .calls = 5, .exclusive = 700},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const nytp_profile profile = {
    .files = files, .files_n = COUNT(files), .subs = subs, .subs_n = SUBS, .nodes = nodes, .nodes_n = COUNT(nodes),
    .ticks_per_second = 1, .totals = {.whole = 1999, .calls = 15}};

/* ---- the tests ---- */

static nytp_error error;

/* The subs that are chosen, a digit each. */
static void chosen(const nytp_wish *wish, const char *expected, const char *name) {
    nytp_selection s;
    char got[SUBS + 1] = "";
    size_t n = 0;
    is(nytp_selection_make(&s, &profile, wish, &error), NYTP_OK, "no error");
    for (uint32_t i = 0; i < SUBS; i++)
        if (nytp_selection_has(&s, i)) got[n++] = (char)('0' + i);
    if (!ok(strcmp(got, expected) == 0, "%s", name)) printf("#   got %s\n", got);
    nytp_selection_free(&s);
}

static void test_subs(void) {
    chosen(&(nytp_wish){0}, "0123456", "without options all");
    chosen(&(nytp_wish){.filter = "::(read|w.rk)$"}, "34", "an extended expression");
    chosen(&(nytp_wish){.filter = "Foo"}, "345", "which may match anywhere in the name");
    chosen(&(nytp_wish){.filter = "^$"}, "1", "also a name that is empty");
    chosen(&(nytp_wish){.package = "Foo"}, "34", "a package and those below it, none that only begins alike");
    chosen(&(nytp_wish){.package = "Foo::Bar"}, "4", "one package");
    chosen(&(nytp_wish){.source = "Bar.pm"}, "34", "the last part of a file's name, with its evals");
    chosen(&(nytp_wish){.source = "lib/Foo/Bar.pm"}, "34", "the whole name");
    chosen(&(nytp_wish){.source = "ar.pm"}, "", "half a word is no part");
    chosen(&(nytp_wish){.source = "Bar.pm", .filter = "work"}, "3", "two options choose what both choose");
}

static void refused(const nytp_wish *wish, const char *expected) {
    nytp_selection s;
    nytp_error checked = {0};
    error = (nytp_error){0};
    is(nytp_selection_make(&s, &profile, wish, &error), NYTP_USAGE, "refused");
    if (!ok(strcmp(error.text, expected) == 0, "%s", expected)) printf("#   got %s\n", error.text);
    nytp_selection_free(&s);
    nytp_selection_check(wish, &checked);
    ok(wish->from || strcmp(checked.text, expected) == 0, "before there is a profile");
    error = (nytp_error){0};
}

static void test_mistakes(void) {
#define SAYS "--filter: expected a regular expression, got "
    refused(&(nytp_wish){.filter = "(a)(b"}, SAYS "'(a)(b': Unmatched ( or \\(, at character 4");
    refused(&(nytp_wish){.filter = "a\\"}, SAYS "'a\\': Trailing backslash, at character 2");
    refused(&(nytp_wish){.package = ""}, "--package: expected a name, got an empty one");
    refused(&(nytp_wish){.source = ""}, "--source: expected a name, got an empty one");
    refused(&(nytp_wish){.from = "nope"}, "--from: there is no sub nope in this profile");
    refused(&(nytp_wish){.from = "wrok"}, "--from: there is no sub wrok in this profile");
    refused(&(nytp_wish){.from = "Foo::walk"}, "--from: there is no sub Foo::walk in this profile; "
                                               "similar names: Foo::work");
    refused(&(nytp_wish){.from = "ork"}, "--from: there is no sub ork in this profile; similar names: Foo::work");
    subs[UNCALLED].calls = 1;
    refused(&(nytp_wish){.from = "eat"}, "--from: eat is the end of several names: Food::eat, Spare::eat");
    subs[UNCALLED].calls = 0;
}

/* The folded lines of what is selected. */
static void paths(const nytp_wish *wish, nytp_calltree_options options, const char *expected, const char *name) {
    nytp_selection s;
    nytp_stacks stacks = {0};
    nytp_buf out = {0};
    is(nytp_selection_make(&s, &profile, wish, &error), NYTP_OK, "no error");
    options.selection = &s;
    is(nytp_stacks_profile(&stacks, &profile, &options), NYTP_OK, "paths");
    is(nytp_stacks_sort(&stacks, NYTP_STACKS_HEAVIEST), NYTP_OK, "in their order");
    nytp_folded_lines(&out, NULL, &stacks, 1, 0);
    nytp_str got = nytp_page_bytes(&out);
    if (!ok(nytp_str_eq(got, nytp_str_c(expected)), "%s", name)) printf("# got:\n%.*s\n", (int)got.n, got.p);
    nytp_buf_free(&out);
    nytp_stacks_free(&stacks);
    nytp_selection_free(&s);
}

#define MAIN "main::RUNTIME"
#define WORKS "Foo::work;Foo::work"
#define READS WORKS ";Foo::Bar::read"

static void test_paths(void) {
    static const nytp_calltree_options ticks = {0}, calls = {.calls = 1}, subs_only = {.subs_only = 1};
    paths(&(nytp_wish){0}, ticks,
          MAIN " 1000\n" MAIN ";Foo::work 200\n" MAIN ";" WORKS " 30\n" MAIN ";" READS " 4\n" MAIN ";" READS
          ";Food::eat 5\nmain::BEGIN 60\nmain::BEGIN;Food::eat 700\n", "all");
    paths(&(nytp_wish){.filter = "read"}, ticks, MAIN ";" READS " 4\n" MAIN ";" READS ";Food::eat 5\n",
          "paths with a chosen sub, its callees and its callers' names; a phase below is a path of its own");
    paths(&(nytp_wish){.from = "Foo::work"}, ticks, "Foo::work 200\n" WORKS " 30\n" READS " 4\n" READS ";Food::eat 5\n",
          "paths from a sub on, from its outermost call");
    paths(&(nytp_wish){.from = "work"}, ticks, "Foo::work 200\n" WORKS " 30\n" READS " 4\n" READS ";Food::eat 5\n",
          "which may be the end of a name");
    paths(&(nytp_wish){.from = "eat"}, subs_only, "Food::eat 705\n", "if only one sub with it was called");
    paths(&(nytp_wish){.from = "Foo::work", .filter = "eat"}, ticks, READS ";Food::eat 5\n", "both");
    paths(&(nytp_wish){.from = "main::BEGIN"}, ticks, "main::BEGIN 60\nmain::BEGIN;Food::eat 700\n", "from a phase");
    paths(&(nytp_wish){.from = "Food::eat"}, subs_only, "Food::eat 705\n", "from several callers");
    paths(&(nytp_wish){.percent = 2}, ticks,
          MAIN " 1000\n" MAIN ";Foo::work 239\nmain::BEGIN 60\nmain::BEGIN;Food::eat 700\n",
          "frames with less than 2 % are merged into their callers, and nothing is lost");
    paths(&(nytp_wish){.percent = 90}, ticks, MAIN " 1239\nmain::BEGIN 760\n", "what has no caller stays");
    paths(&(nytp_wish){.percent = 50}, calls, MAIN ";Foo::work 1\n" MAIN ";" WORKS " 9\nmain::BEGIN 6\n",
          "of calls a share of all calls");
}

static void test_rows(void) {
    nytp_selection s;
    nytp_selection_make(&s, &profile, &(nytp_wish){.percent = 50, .top = 7}, &error);
    ok(nytp_selection_shows(&s, 1000) && !nytp_selection_shows(&s, 999), "rows from half of the run on");
    is(s.top, 7, "seven rows");
    nytp_selection_free(&s);
    nytp_selection_make(&s, &profile, &(nytp_wish){0}, &error);
    ok(nytp_selection_shows(&s, -5) && s.top == UINT32_MAX, "without options every row");
    nytp_selection_free(&s);
}

static void test_least(void) {
    const nytp_selection half = {.share = 0.5}, all = {.share = 1};
    is(nytp_selection_least(&half, 3), 2, "a row has at least its share");
    is(nytp_selection_least(&half, 4), 2, "of a whole that divides, too");
    is(nytp_selection_least(&all, INT64_MAX), INT64_MAX, "the longest whole has a share");
}

int main(void) {
    test_least();
    test_subs();
    test_mistakes();
    test_paths();
    test_rows();
    return done();
}
