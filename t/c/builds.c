/* SPDX-License-Identifier: MIT */
/* The processes of a build as arrays, and their classes. */
#include "model/build.h"
#include "report/classes.h"
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
    test_others();
    rmdir(directory);
    return done();
}
