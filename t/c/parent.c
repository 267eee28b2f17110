/* SPDX-License-Identifier: MIT */
/* Source that a forked child's capture leaves to its parent's: the files that get it, and the limits of the search. */
#include "capture/beside.h"
#include "fixture.h"
#include "model/ids.h"
#include "model/load.h"
#include "model/source.h"
#include "tap.h"
#include "v5/input.h"

static char *directory;

static const char *path_of(const char *name) {
    static char path[500];
    snprintf(path, sizeof path, "%s/%s.out", directory, name);
    return path;
}

/* Process number n began at moment n. */
static nytp_writer *begin(int fd, uint64_t n, uint64_t parent, const char *sources, const char *until) {
    nytp_stream_id id = sample_stream;
    id.pid = (uint32_t)n;
    id.process_start = n;
    nytp_writer *w = nytp_writer_open(fd, &id, 0);
    nytp_rec_process_start start = {.parent_start = parent, .start = n, .ticks_per_second = 10000000,
        .clock_id = NYTP_CLOCK_FAKE, .clock_name = NYTP_LIT("fake"), .program = NYTP_LIT("-e"),
        .interpreter = NYTP_LIT("perl")};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PROCESS_START, .u.process_start = start});
    if (until) nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("sources_until"), nytp_str_c(until));
    if (sources) nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("sources"), nytp_str_c(sources));
    return w;
}

static void put_file(nytp_writer *w, uint64_t id, const char *name, const char *text) {
    nytp_rec_file file = {.id = id, .name = nytp_str_c(name)};
    nytp_rec_source source = {id, 1, nytp_str_c(text)};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_FILE, .u.file = file});
    if (*text) nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_SOURCE, .u.source = source});
}

static void end(nytp_writer *w) {
    nytp_writer_chunk(w, 0, 0);
    if (nytp_writer_close(w)) abort();
}

static nytp_writer *create(const char *name, uint64_t n, uint64_t parent, const char *sources, const char *until) {
    return begin(sample_create(path_of(name)), n, parent, sources, until);
}

static nytp_profile load(const char *name) {
    nytp_profile p;
    nytp_error e;
    const char *path = path_of(name);
    if (nytp_load(&p, &path, 1, NULL, &e)) printf("# %s\n", e.text);
    return p;
}

/* Whether this is the first line of a file; "" for a file without source. */
static int says(const nytp_profile *p, const char *name, const char *text) {
    for (uint32_t i = 1; i < p->files_n; i++)
        if (nytp_str_eq(p->files[i].name, nytp_str_c(name)))
            return nytp_str_eq(nytp_source_line(p, &p->files[i], 1), nytp_str_c(text));
    return 0;
}

/* Id 2 is the parent's for all; id 3 is, too, for its child, but not for the grandchild. */
static void put_parent(nytp_writer *w) {
    put_file(w, 1, "common", "common\n");
    put_file(w, 2, "parent's", "parent's\n");
    put_file(w, 3, "parent's too", "parent's too\n");
}

static void put_grandchild(nytp_writer *w) {
    put_file(w, 1, "common", "");
    put_file(w, 2, "child's", "");
    put_file(w, 3, "grandchild's", "");
}

static void check_grandchild(const char *name, const char *where) {
    nytp_profile p = load(name);
    ok(says(&p, "common", "common\n"), "what was known before both forks is the grandparent's%s", where);
    ok(says(&p, "child's", "child's\n"), "what was known before the second is the parent's%s", where);
    ok(says(&p, "grandchild's", ""), "what came later has no source but its own%s", where);
    nytp_profile_close(&p);
}

typedef struct lines { /* of the events of format 5, what each file is called and says */
    nytp_buf text;
} lines;

static int note_line(void *self, const nytp_v5_event *e) {
    lines *l = self;
    if (e->tag == NYTP_V5_NEW_FID) {
        nytp_buf_bytes(&l->text, e->u.fid.name.p, e->u.fid.name.n);
        nytp_buf_byte(&l->text, '\n');
    } else if (e->tag == NYTP_V5_SRC_LINE) {
        nytp_buf_byte(&l->text, (unsigned char)('0' + e->u.line.fid));
        nytp_buf_bytes(&l->text, ": ", 2);
        nytp_buf_bytes(&l->text, e->u.line.text.p, e->u.line.text.n);
    }
    return 0;
}

/* Files in the order of their numbers, and then the source that is found beside. */
static void check_replay(const char *name, const char *expected) {
    nytp_error e = {0};
    nytp_v5_input in = {0};
    lines all = {0};
    nytp_v5_input_tell(&in, path_of(name), note_line, &all, &e);
    nytp_buf_byte(&all.text, 0);
    is(e.code, NYTP_OK, "a child's capture is replayed alone");
    ok(strcmp((const char *)all.text.p, expected) == 0, "with the source of its parents', beside it");
    if (strcmp((const char *)all.text.p, expected)) printf("# %s\n", all.text.p);
    nytp_buf_free(&all.text);
    nytp_v5_input_close(&in);
}

static void test_generations(void) {
    nytp_writer *w = create("parent", 1, 0, NULL, NULL);
    put_parent(w);
    end(w);
    w = create("child", 2, 1, "parent.out", "1");
    put_file(w, 2, "child's", "child's\n");
    put_file(w, 3, "child's too", "child's too\n");
    end(w);
    w = create("grandchild", 3, 2, "child.out", "2");
    put_grandchild(w);
    end(w);
    check_grandchild("grandchild", ", in captures of their own");
    check_replay("grandchild", "common\nchild's\ngrandchild's\n2: child's\n1: common\n");
}

static void test_one_capture(void) {
    int fd = sample_create(path_of("all"));
    nytp_writer *parent = begin(dup(fd), 1, 0, NULL, NULL), *child, *grandchild;
    put_parent(parent);
    end(parent);
    child = begin(dup(fd), 2, 1, "gone.out", "1");
    put_file(child, 2, "child's", "child's\n");
    put_file(child, 3, "child's too", "child's too\n");
    end(child);
    grandchild = begin(fd, 3, 2, "gone.out", "2");
    put_grandchild(grandchild);
    end(grandchild);
    check_grandchild("all", ", in one capture");
}

/* Without a limit these are 1000 * 1000 * 1000000 look-ups, many hours of work; with it the test takes a moment. */
static void test_limits(void) {
    int fd = sample_create(path_of("many"));
    for (uint32_t i = 1; i <= 1000; i++) {
        nytp_stream_id id = sample_stream;
        id.pid = i;
        nytp_writer *w = nytp_writer_open(dup(fd), &id, 0);
        nytp_rec_process_start start = {.parent_start = id.process_start, .ticks_per_second = 1};
        nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PROCESS_START, .u.process_start = start});
        nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("sources_until"), NYTP_LIT("99999999999999999999999"));
        nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("sources"), NYTP_LIT("many.out"));
        put_file(w, (1 << 20) - 1, "far", "");
        end(w);
    }
    close(fd);
    alarm(100);
    nytp_profile p = load("many");
    is(p.processes_n, 1000, "a thousand streams that each claim to be the child of all, and a million files, are read");
    alarm(0);
    nytp_profile_close(&p);
}

/* A hostile capture may name any number of files that are not there. */
static void test_budget(void) {
    int64_t budget = NYTP_BESIDE_MOST;
    nytp_buf path = {0};
    char capture[500];
    strcpy(capture, path_of("child"));
    int fd = nytp_beside_open(capture, NYTP_LIT("parent.out"), &budget, &path);
    ok(fd >= 0, "a file beside a capture is opened");
    close(fd);
    for (int i = 0; i < 2000; i++) nytp_beside_open(capture, NYTP_LIT("gone.out"), &budget, &path);
    is(nytp_beside_open(capture, NYTP_LIT("parent.out"), &budget, &path), -1, "none after a thousand that are not");
    nytp_buf_free(&path);
}

/* The limit of lines is also one for source that two files share. */
static void test_shared_limit(void) {
    nytp_profile p = {0};
    nytp_file from = {0}, to = {0}, other = {0};
    for (uint32_t line = 1; line <= 3; line++) nytp_source_add(&p, &from, line, NYTP_LIT("1;\n"));
    is(nytp_source_share(&p, &to, &from), NYTP_OK, "source is shared");
    is(to.source_lines, 3, "all lines of it");
    is(p.notes_n, 0, "and there is nothing to say");
    p.text_lines = 9999999;
    is(nytp_source_share(&p, &other, &from), NYTP_OK, "where the limit is reached");
    is(other.source_lines, 0, "it is not");
    is(nytp_source_share(&p, &other, &from), NYTP_OK, "again");
    is(p.notes_n, 1, "and a note says so, once");
    nytp_profile_close(&p);
}

/* Ids of a stream, most of them dense. */
static void test_ids(void) {
    nytp_ids ids = {0};
    int ok_all = nytp_ids_set(&ids, 100000, 7) && nytp_ids_set(&ids, UINT64_MAX, 8);
    is(nytp_ids_get(&ids, 3), 0, "an id that was never heard of");
    for (uint32_t id = 1; id <= 200000; id++)
        if (id != 100000) ok_all &= nytp_ids_set(&ids, id, id + 1);
    ok(ok_all, "two hundred thousand ids");
    is(nytp_ids_get(&ids, 200000), 200001, "the last of them");
    is(nytp_ids_get(&ids, 100000), 7, "one that came long before its neighbours");
    is(nytp_ids_get(&ids, UINT64_MAX), 8, "one that will have none");
    is(nytp_ids_get(&ids, UINT64_MAX - 1), 0, "its neighbour");
    is(ids.others.n, 2, "only two were too far off for the array");
    nytp_ids_free(&ids);
    is(nytp_ids_get(&ids, 100000), 0, "freed, it is empty");
}

int main(void) {
    directory = sample_directory();
    test_generations();
    test_one_capture();
    test_limits();
    test_budget();
    test_shared_limit();
    test_ids();
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command)) return 1;
    return done();
}
