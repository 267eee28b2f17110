/* SPDX-License-Identifier: MIT */
/* The recorder in rare cases: memory is short when a node gets many children, a counter wraps around before another
 * output is opened, a forked child lives longer than its first window, or is late for its parent; threads fork at
 * once. */
#include "recording.h"

#include "record/marks.h"

#include <pthread.h>
#include <sys/wait.h>

static int memory_is_short;

/* Replaces libc's. It calls malloc by a pointer, as gcc would make calloc of malloc and memset. */
void *calloc(size_t n, size_t size) {
    static void *(*volatile get)(size_t) = malloc;
    void *p = memory_is_short ? NULL : get(n * size);
    return p ? memset(p, 0, n * size) : NULL;
}

/* A node with as many children as a list may have, and one more. */
#define LISTED 16

static void crowd_without_memory(void) {
    static const char bodies[LISTED + 1];
    nytp_live_sub *subs[LISTED + 1];
    begin();
    nytp_live_place *site = place(1);
    for (int i = 0; i <= LISTED; i++) {
        char name[32];
        snprintf(name, sizeof name, "main::f%d", i);
        subs[i] = sub(name, bodies + i, NULL);
        if (i < LISTED) nytp_nodes_child(r, &r->nodes.root, site, subs[i]);
    }
    memory_is_short = 1;
    ok(!nytp_nodes_child(r, &r->nodes.root, site, subs[LISTED]) && r->dead, "a table of children that cannot be made");
    ok(!nytp_nodes_child(r, &r->nodes.root, site, subs[LISTED]), "is not asked by the next call either");
    ok(nytp_nodes_known(r, &r->nodes.root, site, subs[0]->key) != NULL, "and children that were there are found");
    memory_is_short = 0;
    is(r->nodes.root.children, LISTED, "a child that has no place is none");
    finish();
}

#define A_WINDOW_OF_EVENTS 0x60000000u

/* Counters have 32 bits, and a new output gets their counts since the program began. */
static void carried_over(void) {
    nytp_error e = {0};
    begin();
    nytp_statement(r, place(1), nytp_now(r));
    nytp_live_frame *frame = call(sub("main::f", "f", NULL), NYTP_EVENT_ENTER, r->native);
    nytp_live_node *n = r->node;
    uint32_t id = n->id;
    for (int windows = 0; windows < 3; windows++) {
        n->events[NYTP_EVENT_STATEMENT] += A_WINDOW_OF_EVENTS;
        n->calls += A_WINDOW_OF_EVENTS;
        nytp_touch_node(r, n);
        nytp_flush_all(r);
    }
    nytp_exit(r, frame, nytp_now(r), NYTP_EVENT_EXIT);
    nytp_recorder_off(r);
    nytp_flush_last(r);
    nytp_output_end(r);
    nytp_output_close(r);
    is(nytp_recorder_on(r, &e), NYTP_OK, "another output");
    nytp_flush_carried_over(r);
    finish();
    sums s = read_back();
    is(s.at_nodes[NYTP_EVENT_STATEMENT], 3 * (int64_t)A_WINDOW_OF_EVENTS,
       "has every event of a run in which a counter has wrapped round");
    is(s.calls[id], 3 * (int64_t)A_WINDOW_OF_EVENTS + 1, "and every call");
}

static sums read_capture_of(pid_t child) {
    char name[sizeof path + 32];
    snprintf(name, sizeof name, "%s.%ld", path, (long)child);
    return read_file(name);
}

/* A file that a brief child touches in its second window only, the last one. */
static void live_for_two_windows(nytp_live_place *other) {
    nytp_recorder_moved(r);
    nytp_flush_all(r);
    nytp_statement(r, other, nytp_now(r));
    r->output.is_ending = 1; /* as in nytp_session_sum_up */
    finish();
    _exit(0);
}

static void carried_in_child(void) {
    begin();
    nytp_live_place *other = place_in("/y.pl", 1);
    nytp_rec_carried line = {other->file, 2, 1};
    nytp_places_carry(r, &line);
    for (uint32_t at = 60; at < 70; at++) nytp_marks_add(r, nytp_places_file(r, other->file), at);
    nytp_marks_add(r, nytp_places_file(r, other->file), 64);
    nytp_marks_add(r, nytp_places_file(r, other->file), 0);
    nytp_marks_add(r, nytp_places_file(r, other->file), UINT32_MAX);
    nytp_statement(r, place(1), nytp_now(r));
    nytp_flush_all(r);
    pid_t child = fork();
    if (!child) live_for_two_windows(other);
    waitpid(child, NULL, 0);
    finish();
    is(read_back().code, 10, "lines of code are recorded once, and only lines that a file may have");
    sums of_child = read_capture_of(child);
    is(of_child.carried, 1, "a brief child tells of merged lines in the files that it has touched");
    is(of_child.code, 10, "and of its lines of code");
}

/* A child reports this lag. Exit status 2: the child does not have the lag of its parent at the fork. */
static void live_and_be_late(int64_t lag) {
    int64_t before = nytp_lag_now(r);
    nytp_recorder_moved(r);
    int is_later = nytp_lag_is_heard(r) && nytp_lag_now(r) > before;
    if (is_later) nytp_lag_tell(r, lag);
    _exit(is_later ? 0 : 2);
}

static pid_t late_child(int64_t lag) {
    int status = -1;
    nytp_lag_share(r);
    pid_t child = fork();
    if (!child) live_and_be_late(lag);
    waitpid(child, &status, 0);
    is(status, 0, "a child is as late as its parent was, and later by its own beginning");
    is(read_capture_of(child).ends, 0, "its capture is there, without an end");
    return child;
}

static int64_t caught_up(pid_t child) {
    int64_t before = r->window.cold;
    nytp_lag_catch_up(r, (uint32_t)child, nytp_now(r));
    return r->window.cold - before;
}

static void lags(void) {
    begin();
    nytp_statement(r, place(1), nytp_now(r));
    pid_t child = late_child(nytp_lag_now(r) + 1000);
    for (int i = 0; i < 500; i++) nytp_now(r);
    is(caught_up(child), 1000, "who has waited for a child becomes as late as that");
    nytp_live_node **queued = r->queue.nodes;
    r->queue.nodes = NULL;
    is(caught_up(child), 0, "once, and does not go through what it has counted to know that");
    r->queue.nodes = queued;
    is(caught_up(child + 1), 0, "of others nothing is known");
    child = late_child(nytp_lag_now(r) + 1000000000);
    int64_t last = r->last, most = caught_up(child);
    ok(most > 0 && r->last == last + most && r->last <= nytp_now(r), "but not by more than has been waited");
    finish();
    is(read_back().wrong, 0, "and every window adds up");
}

/* Pages that processes share, in this process's list of its memory. */
static int shared_pages(void) {
    char line[512];
    int n = 0;
    FILE *in = fopen("/proc/self/maps", "r");
    while (in && fgets(line, sizeof line, in)) n += strstr(line, "/dev/zero") != NULL;
    if (in) fclose(in);
    return n;
}

static pthread_barrier_t both;

static void *share(void *unused) {
    (void)unused;
    pthread_barrier_wait(&both);
    nytp_lag_share(r);
    return NULL;
}

static void forks_at_once(void) {
    int before = shared_pages();
    begin();
    pthread_barrier_init(&both, NULL, 2);
    for (int i = 0; i < 5000; i++) {
        pthread_t other;
        if (pthread_create(&other, NULL, share, NULL)) break;
        share(NULL);
        pthread_join(other, NULL);
        nytp_lag_close(r);
    }
    pthread_barrier_destroy(&both);
    finish();
    is(shared_pages(), before, "threads that fork at once share one page, which is given back");
}

int main(void) {
    set_up();
    crowd_without_memory();
    carried_over();
    carried_in_child();
    lags();
    forks_at_once();
    return take_down();
}
