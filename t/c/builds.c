/* SPDX-License-Identifier: MIT */
/* The processes of a build as arrays, and their classes. */
#include "model/build.h"
#include "model/critical.h"
#include "model/jobs.h"
#include "report/classes.h"
#include "report/command.h"
#include "report/groups.h"
#include "sample.h"
#include "tap.h"

#define SECOND UINT64_C(1000000000)

static char path[500];
static nytp_error e;

static nytp_writer *begin(void) {
    nytp_stream_id id = sample_stream;
    id.front_end = NYTP_FRONT_BUILD;
    nytp_writer *w = nytp_writer_open(sample_create(path), &id, 0);
    nytp_rec_process_start start = {.start = 100 * SECOND, .ticks_per_second = SECOND, .clock_id = 1,
        .clock_name = NYTP_LIT("monotonic"), .program = NYTP_LIT("make"), .interpreter = NYTP_LIT("preload 7.00")};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PROCESS_START, .u.process_start = start});
    nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("host"), NYTP_LIT("one"));
    return w;
}

static void end(nytp_writer *w) {
    nytp_writer_chunk(w, 0, 0);
    if (nytp_writer_close(w)) abort();
}

/* Times are in seconds; a process is known by its start. */
static void began(nytp_writer *w, uint64_t at, uint64_t parent, nytp_str command, const char *directory) {
    nytp_rec_process r = {.pid = 1000 + at, .start = at * SECOND, .parent = parent * SECOND, .level = 1, .words = 2,
        .cut = 3, .directory = nytp_str_c(directory), .target = NYTP_LIT("all"), .command = command};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PROCESS, .u.process = r});
}

static void ended(nytp_writer *w, uint64_t at, uint64_t start, uint64_t status, uint64_t user, uint64_t system) {
    nytp_rec_exit r = {.pid = 1000 + start, .start = start * SECOND, .end = at * SECOND, .status = status,
        .user_us = user, .system_us = system, .max_rss_kb = 7, .minor_faults = 1, .major_faults = 2, .blocks_in = 3,
        .blocks_out = 4, .switches = 5, .forced_switches = 6};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_EXIT, .u.exit = r});
}

static const nytp_str make = {"make\0all", 9}, cc = {"gcc\0x.c", 8};

static void test_arrays(void) {
    nytp_writer *w = begin();
    began(w, 1, 0, make, "/src");
    began(w, 2, 1, cc, "/src/a");
    began(w, 3, 1, cc, "/src/a");
    ended(w, 5, 3, 2, 3000, 100);
    ended(w, 6, 2, NYTP_STATUS_SIGNAL + 9, 1000, 50);
    ended(w, 9, 1, 0, 10000, 200);
    end(w);
    nytp_build b;
    ok(nytp_build_is(path, &e), "the file is the capture of a build");
    is(nytp_build_load(&b, path, &e), NYTP_OK, "which loads");
    is(b.n, 3, "three processes");
    const nytp_build_process *top = &b.processes[0], *two = &b.processes[1], *three = &b.processes[2];
    is(top->parent, NYTP_BUILD_NONE, "the first has no parent");
    ok(two->parent == 0 && three->parent == 0 && three->depth == 1, "the others are below it");
    ok(top->children == 2 && two->pid == 1002 && two->level == 1 && two->words == 2 && two->cut == 3, "numbers");
    ok(three->began - b.first == 2 * (int64_t)SECOND && three->ended - b.first == 4 * (int64_t)SECOND, "times");
    is(b.last - b.first, 8 * (int64_t)SECOND, "of all");
    is(b.first, 101 * (int64_t)SECOND, "since the epoch");
    ok(three->status == 2 && two->status == NYTP_STATUS_SIGNAL + 9 && b.failed == 1 && b.killed == 1, "statuses");
    ok(top->user_us == 10000 && top->own_user_us == 6000 && top->own_system_us == 50, "CPU time without children");
    ok(b.own_user_us == 10000 && b.own_system_us == 200, "whose sum is that of the build");
    ok(two->max_rss_kb == 7 && two->minor_faults == 1 && two->major_faults == 2 && two->blocks_in == 3 &&
           two->blocks_out == 4 && two->switches == 5 && two->forced_switches == 6, "what it has used");
    ok(two->command == three->command && two->directory == three->directory && top->directory != two->directory,
       "equal texts have one index");
    ok(nytp_str_eq(b.texts[two->command], cc) && nytp_str_eq(b.texts[two->directory], NYTP_LIT("/src/a")) &&
           nytp_str_eq(b.texts[two->host], NYTP_LIT("one")) && b.texts[0].n == 0, "and are kept");
    ok(!b.notes_n && !b.left && !b.exceeded, "nothing is missing");
    ok(sizeof *top <= 200, "a process takes %u bytes", (unsigned)sizeof *top);

    nytp_classes c;
    nytp_schemata *rules = nytp_schemata_make("", NULL, &e);
    is(nytp_classes_make(&c, rules, &b), NYTP_OK, "processes have classes");
    ok(c.n == 2 && c.lists[0].n == 3 && c.lists[1].n == 3, "in two schemata, of two classes each");
    ok(nytp_str_eq(c.lists[0].name, NYTP_LIT("CATEGORY")), "by command");
    ok(nytp_str_eq(c.lists[0].classes[c.lists[0].of[2]], NYTP_LIT("gcc")), "the name of the program");
    ok(nytp_str_eq(c.lists[1].classes[c.lists[1].of[0]], NYTP_LIT("src")), "and by directory");
    nytp_schemata_free(rules);
    nytp_classes_free(&c);
    nytp_build_free(&b);
}

static void test_missing(void) {
    nytp_writer *w = begin();
    began(w, 1, 0, make, "/");
    began(w, 2, 1, cc, "/");
    began(w, 3, 77, cc, "/");
    ended(w, 4, 2, 0, 10, 5);
    ended(w, 4, 44, 0, 10, 5);
    ended(w, 6, 1, 0, 8, 6);
    end(w);
    nytp_build b;
    is(nytp_build_load(&b, path, &e), NYTP_OK, "a build that is not whole loads");
    ok(b.left == 1 && !b.processes[2].has_end && b.processes[2].ended == b.last, "an end that is not known");
    ok(b.counts.ends == 1 && b.counts.parents == 1, "a process that was not seen to begin, and a parent");
    ok(b.exceeded == 1 && b.processes[0].is_exceeded, "children that have used more than their parent");
    ok(b.processes[0].own_user_us == 0 && b.processes[0].own_system_us == 0, "leave it no time of its own");
    is(b.notes_n, 4, "all of which is told");
    nytp_build_free(&b);
}

/* ---- what is found out about a build ---- */

/* Seconds: process 1 is make -j3; below it 10 to 20, 12 to 30 and a make from 20 to 40, which runs 22 to 28 and 29 to
 * 38; 5 is gone before the others begin. */
static void begin_overlaps(nytp_build *b) {
    static const nytp_str top = {"/usr/bin/make\0-kj\0003", 20};
    static const uint64_t times[][3] = {{1, 50, 0}, {5, 6, 1}, {10, 20, 1}, {12, 30, 1}, {20, 40, 1}, {22, 28, 20},
                                        {29, 38, 20}};
    nytp_writer *w = begin();
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        began(w, times[i][0], times[i][2], i ? i == 4 ? make : cc : top, i < 5 ? "/src" : "/src/sub");
    for (size_t i = sizeof times / sizeof *times; i-- > 0;)
        ended(w, times[i][1], times[i][0], 0, i ? 1000000 : 6000000, 0);
    end(w);
    if (nytp_build_load(b, path, &e)) abort();
}

static uint64_t seconds(const nytp_jobs *jobs, uint32_t running) { return jobs->time[running] / SECOND; }

static void test_jobs(void) {
    nytp_build b;
    nytp_jobs jobs;
    begin_overlaps(&b);
    is(nytp_jobs_count(&jobs, &b), NYTP_OK, "jobs are counted");
    is(jobs.limit, 3, "-kj 3 is a limit");
    ok(jobs.most == 2 && seconds(&jobs, 0) == 18 && seconds(&jobs, 1) == 13 && seconds(&jobs, 2) == 18,
       "none, one and two ran for 18, 13 and 18 seconds: a make with recipes is no job");
    is(jobs.work / SECOND, 49, "which adds up to their work");
    ok(jobs.mean == 1.0, "and to one on average");
    ok(jobs.steps[0].at == b.first && jobs.steps[jobs.n - 1].at == b.last, "steps cover all of the time");
    nytp_jobs_free(&jobs);
    nytp_build_free(&b);
}

static void test_critical(void) {
    nytp_build b;
    nytp_critical c;
    begin_overlaps(&b);
    is(nytp_critical_find(&c, &b), NYTP_OK, "the chain to the end");
    ok(c.n == 4 && c.processes[0] == 1 && c.processes[1] == 2 && c.processes[2] == 5 && c.processes[3] == 6,
       "goes below the make that ended last, and on before its begin");
    is(c.length / SECOND, 1 + 10 + 6 + 9, "and has the time of its processes");
    nytp_critical_free(&c);
    nytp_build_free(&b);
}

static void test_groups(void) {
    nytp_build b;
    uint32_t keys, n;
    begin_overlaps(&b);
    uint32_t *of = nytp_groups_commands(&b, &keys);
    nytp_group_sum *groups = nytp_groups_make(&b, of, keys, NYTP_BUILD_NONE, &n);
    ok(keys == 4 && n == 4, "commands in directories");
    ok(groups[0].n == 3 && groups[0].first == 1 && groups[0].user_us == 3000000, "one of them three times");
    is(groups[0].real / SECOND, 1 + 10 + 18, "for so many seconds together");
    is(groups[0].longest / SECOND, 18, "at most");
    uint64_t all = 0;
    for (uint32_t i = 0; i < n; i++) all += groups[i].user_us;
    is(all, b.own_user_us, "each second counts once");
    free(groups);
    free(of);
    nytp_build_free(&b);
}

/* Recipes as make passes them to a shell, and the program that each is about. */
static void test_programs(void) {
    static const char *const recipes[][2] = {
        {"gcc -c a.c", "gcc"},
        {"cd sub && CC=gcc ccache /usr/bin/gcc -c a.c", "gcc"},
        {"fail=; \\\nif (stop=k; case ${stop-} in ?) ;; *) echo \"wrong\" >&2; exit 1;; esac); then \\\n"
         "make -C doc; fi", "make"},
        {"cut () { f=`echo \"$1\" | sed s/x//`; }; \\\ncase $X in *I*) cut 'I';; *) cut;; esac; ld -r a.o", "ld"},
        {"a=: && d=\".am$$\" && \\\nw=`pwd` && cd . && \\\nrm -rf $d && if (makeinfo --version) >/dev/null; then :; fi",
         "makeinfo"},
        {"(cd doc && make)", "make"},
        {"case $X in a) gcc -c a.c;; *) cc -c a.c;; esac", "gcc"},
        {"case $X in a) ;; esac; (install a b)", "install"},
        {"\\\n", ""},
        {"rm -f a.o 2>&1", "rm"},
        {"f () { :; }; f", "f"},
    };
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        nytp_str program = nytp_command_program(nytp_str_c(recipes[i][0]));
        ok(nytp_str_eq(program, nytp_str_c(recipes[i][1])), recipes[i][1]);
    }
}

static void test_others(void) {
    nytp_build b;
    nytp_writer *w = begin();
    end(w);
    ok(nytp_build_load(&b, path, &e) == NYTP_FORMAT && strstr(e.text, "no processes of a build"), "an empty build");
    nytp_build_free(&b);
    w = nytp_writer_open(sample_create(path), &sample_stream, 0);
    nytp_writer_note(w, NYTP_LIT("x"));
    end(w);
    ok(!nytp_build_is(path, &e), "a profile is no build");
    sample_spew(path, "NYTProf 5 0\n", 12);
    ok(!nytp_build_is(path, &e), "nor is a file of format 5");
    unlink(path);
    ok(!nytp_build_is(path, &e) && !nytp_build_is("/", &e), "nor what is no file");
}

int main(void) {
    const char *directory = sample_directory();
    if (!directory) abort();
    snprintf(path, sizeof path, "%s/build", directory);
    test_arrays();
    test_missing();
    test_jobs();
    test_critical();
    test_groups();
    test_programs();
    test_others();
    rmdir(directory);
    return done();
}
