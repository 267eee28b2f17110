/* SPDX-License-Identifier: MIT */
/* The correction of raw ticks, compared with calculations by hand: the ticks subtracted from each place and node, the
 * prices that count, and the same for a capture from a pipe. */
#include "scratch.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/correct.h"
#include "capture/reader.h"
#include "capture/writer.h"

static char path[SCRATCH_NAME];
static int64_t parts[NYTP_EVENTS]; /* the 256ths of each price */

static void price(nytp_writer *w, uint64_t event, int64_t ticks) {
    nytp_rec_price p = {event, ticks, 1, 7, parts[event]};
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PRICE, .u.price = p});
}

/* A window of 1000 ticks in which place 1 has three statements and two returns, and its node calls. */
static void window(nytp_writer *w, int64_t start, int64_t cost_of_statement) {
    const nytp_rec_delta places[] = {{1, 3, 600, {0, 2}}, {3, 0, 100, {0}}, {2, 0, 300, {0, 0, 4, 0, 1}}};
    const nytp_rec_delta nodes[] = {{0, 0, 400, {2, 0, 0, 0, 0, 1}}, {5, 4, 600, {1, 2, 4, 0, 1}}};
    const nytp_rec_window end = {0};

    if (cost_of_statement) price(w, NYTP_EVENT_STATEMENT, cost_of_statement);
    if (cost_of_statement) price(w, NYTP_EVENT_SWITCH, 10);
    if (cost_of_statement) price(w, NYTP_EVENT_ENTER, 20);
    if (cost_of_statement) price(w, NYTP_EVENT_LEAF_ENTER, 2);
    if (cost_of_statement) price(w, NYTP_EVENT_LEAF_EXIT, 3);
    for (int i = 0; i < 3; i++) nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_PLACE_DELTA, .u.delta = places[i]});
    for (int i = 0; i < 2; i++) nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_NODE_DELTA, .u.delta = nodes[i]});
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_WINDOW, .u.window = end});
    nytp_writer_chunk(w, start, start + 1000);
}

static void write_capture(uint32_t pid, int64_t first, int64_t second) {
    const nytp_stream_id stream = {.pid = pid};
    scratch_name(path, "capture");
    nytp_writer *w = nytp_writer_open(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), &stream, 1);

    window(w, 0, first);
    window(w, 1000, second);
    nytp_writer_end(w, NYTP_END_FINISHED);
    nytp_writer_chunk(w, 2000, 2000);
    is(nytp_writer_close(w), NYTP_OK, "a capture is written");
}

typedef struct sums {
    int64_t place[4], node[6], places, nodes, subtracted;
    float place_spread[4], node_spread[6];
} sums;

static sums read_all(const char *name) {
    nytp_bytes bytes;
    nytp_error e = {0};
    nytp_record r;
    sums s = {0};

    nytp_bytes_open(&bytes, name);
    nytp_reader *reader = nytp_reader_corrected(&bytes, &e);
    ok(reader != NULL, "it opens %s", e.text);
    while (reader && nytp_reader_next(reader, &r) > 0) {
        if (r.kind == NYTP_REC_PLACE_DELTA) s.place[r.u.delta.id] += r.u.delta.ticks, s.places += r.u.delta.ticks;
        if (r.kind == NYTP_REC_NODE_DELTA) s.node[r.u.delta.id] += r.u.delta.ticks, s.nodes += r.u.delta.ticks;
        if (r.kind == NYTP_REC_PLACE_DELTA) s.place_spread[r.u.delta.id] += r.spread;
        if (r.kind == NYTP_REC_NODE_DELTA) s.node_spread[r.u.delta.id] += r.spread;
        if (r.kind == NYTP_REC_WINDOW) s.subtracted += r.u.window.subtracted;
    }
    nytp_reader_close(reader);
    return s;
}

static void by_the_last_prices(const char *name) {
    sums s = read_all(name);

    is(s.place[1], 2 * (600 - 3 * 7 - 2 * 10), "a place has statements and switches taken off, at the last prices");
    is(s.place[3], 2 * 100, "one without events nothing");
    is(s.place[2], 2 * (300 - 4 * 20 - 2 - 3), "one that calls what calls cost, a leaf's with its end");
    is(s.node[0], 2 * (400 - 2 * 7 - 3), "a context its own");
    is(s.node[5], 2 * (600 - 7 - 2 * 10 - 4 * 20 - 2), "of each kind");
    is((int64_t)s.place_spread[1], 2 * (3 + 2), "each event may have cost a tick more or less");
    is((int64_t)s.place_spread[3], 0, "what has none is exact");
    is((int64_t)s.node_spread[5], 2 * (1 + 2 + 4 + 1), "in contexts, too");
    is(s.subtracted, 2 * (3 * 7 + 2 * 10 + 4 * 20 + 2 + 3), "the window says how much that was");
    ok(s.places + s.subtracted == 2000 && s.nodes + s.subtracted == 2000, "and all adds up");
}

/* Switches cost 9.75, beginnings of leaf calls 2.5. */
static void by_parts_of_ticks(void) {
    sums s = read_all(path);

    is(s.place[1], 2 * (600 - 3 * 7 - 19), "half a tick is not taken off a place");
    is(s.place[3], 2 * 100, "nor off the next, which has no events");
    is(s.place[2], 2 * (300 - 4 * 20 - 2 - 3 - 1), "but off that which has the other half");
    is(s.node[0], 2 * (400 - 2 * 7 - 3), "a context with whole ticks has them taken off");
    is(s.node[5], 2 * (600 - 7 - 80 - 22), "one with two halves both");
    is(s.subtracted, 2 * (3 * 7 + 22 + 4 * 20 + 3), "the window says the whole");
    ok(s.places + s.subtracted == 2000 && s.nodes + s.subtracted == 2000, "all adds up with parts of ticks");
}

int main(void) {
    write_capture(1, 5, 7);
    by_the_last_prices(path);
    if (!freopen(path, "r", stdin)) return 1;
    by_the_last_prices("-");
    int ends[2], saved = dup(STDIN_FILENO);
    char bytes[4096];
    ssize_t n = pread(saved, bytes, sizeof bytes, 0);
    if (pipe(ends) || write(ends[1], bytes, (size_t)n) != n) return 1;
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    by_the_last_prices("-");

    parts[NYTP_EVENT_SWITCH] = -64;
    parts[NYTP_EVENT_LEAF_ENTER] = 128;
    write_capture(3, 5, 7);
    by_parts_of_ticks();
    memset(parts, 0, sizeof parts);

    write_capture(2, 0, 0);
    sums s = read_all(path);
    is(s.place[1], 2 * 600, "without prices ticks stay as they are");
    is(s.subtracted, 0, "and nothing is subtracted");
    return done();
}
