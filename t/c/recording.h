/* SPDX-License-Identifier: MIT */
/* recording.h - a recorder with a fake clock and no interpreter, and the contents of its capture. */
#ifndef RECORDING_H
#define RECORDING_H

#include "scratch.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/reader.h"
#include "record/deltas.h"
#include "record/flush.h"
#include "record/frames.h"
#include "record/lag.h"
#include "record/output.h"
#include "record/places.h"
#include "record/subs.h"
#include "record/nodes.h"

static char path[SCRATCH_NAME];
static nytp_options options;
static nytp_recorder recorder, *const r = &recorder;
static char said[1000];

static inline uint32_t no_source(void *self, const nytp_live_file *file, nytp_buf *text) {
    (void)self, (void)file, (void)text;
    return 0;
}

static inline void no_description(void *self, nytp_writer *w) { (void)self, (void)w; }

static inline void say(void *self, const char *line) {
    (void)self;
    snprintf(said, sizeof said, "%s", line);
}

static inline void set(const char *name, const char *value) {
    nytp_error e = {0};
    ok(nytp_options_set(&options, name, value, &e) == 1, "option %s=%s", name, value);
}

static inline void begin(void) {
    nytp_front front = {0};
    nytp_error e = {0};

    front.program = NYTP_LIT("test");
    front.source = no_source;
    front.describe = no_description;
    front.say = say;
    memset(r, 0, sizeof *r);
    is(nytp_recorder_open(r, &options, &front, &e), NYTP_OK, "a recorder opens");
    is(nytp_recorder_on(r, &e), NYTP_OK, "and is switched on");
}

static inline void finish_one(nytp_recorder *of) {
    nytp_recorder_off(of);
    nytp_flush_last(of);
    nytp_output_end(of);
    nytp_output_close(of);
    nytp_recorder_close(of);
}

static inline void finish(void) { finish_one(r); }

static inline nytp_live_place *place_in(const char *name, uint32_t line) {
    nytp_rec_file file = {0};
    file.name = nytp_str_c(name);
    nytp_live_file *f = nytp_places_find_file(r, file.name);
    if (!f) f = nytp_places_add_file(r, &file);
    nytp_rec_place what = {0, f->id, line, line, line};
    return nytp_places_add(r, &what, 0);
}

static inline nytp_live_place *place(uint32_t line) { return place_in("/x.pl", line); }

/* A server with n places, its statements. */
static inline void serve(nytp_live_place **places, uint32_t n) {
    begin();
    for (uint32_t i = 0; i < n; i++) places[i] = place(i + 1);
}

/* A server waits for a tenth of a second or longer; the last draft is always older than such a wait. */
static inline void rest(double seconds) {
    int64_t now = nytp_now(r);
    if (nytp_flush_due(r, now)) nytp_flush_before_wait(r, now);
    r->clock.fake += (int64_t)(seconds * (double)r->clock.ticks_per_second);
}

static inline int64_t size_of(const char *name) {
    struct stat st;
    return stat(name, &st) == 0 ? (int64_t)st.st_size : -1;
}

static inline nytp_live_sub *sub(const char *name, const void *body, const void *alias) {
    nytp_rec_sub what = {0};
    what.name = nytp_str_c(name);
    return nytp_subs_add(r, (nytp_subkey){body, NULL, NULL, alias}, &what);
}

static inline nytp_live_frame *call(nytp_live_sub *s, int event, const char *native) {
    nytp_live_node *n = nytp_nodes_child(r, r->node, r->place, s);
    nytp_live_frame *frame = nytp_enter(r, n, r->place, native, nytp_now(r), event);
    nytp_entered(r, event);
    return frame;
}

/* ---- the contents of a capture ---- */

typedef struct sums {
    int64_t count[64], place_ticks[64], calls[64], node_ticks[64];
    int64_t at_nodes[NYTP_EVENTS];
    int64_t subtracted;
    uint32_t windows, wrong, ends, notes, carried, code;
} sums;

static inline void close_window(sums *s, int64_t length, int64_t places, int64_t nodes, const nytp_rec_window *w) {
    int64_t rest = w->subtracted + w->flush + w->off + w->cold;
    s->windows++;
    if (places + rest != length || nodes + rest != length) s->wrong++;
    s->subtracted += w->subtracted;
}

static inline sums read_file(const char *name) {
    nytp_bytes bytes;
    nytp_error e = {0};
    nytp_record rec;
    sums s = {0};
    int64_t places = 0, nodes = 0, at_places[NYTP_EVENTS] = {0};
    nytp_bytes_open(&bytes, name);
    nytp_reader *reader = nytp_reader_corrected(&bytes, &e);

    ok(reader != NULL, "the capture opens %s", e.text);
    while (reader && nytp_reader_next(reader, &rec) == 1) {
        const nytp_rec_delta *d = &rec.u.delta;
        if (rec.kind == NYTP_REC_PLACE_DELTA) {
            if (d->id < 64) s.count[d->id] += d->count, s.place_ticks[d->id] += d->ticks;
            places += d->ticks;
            for (int event = 0; event < NYTP_EVENTS; event++) at_places[event] += d->events[event];
        } else if (rec.kind == NYTP_REC_NODE_DELTA) {
            if (d->id < 64) s.calls[d->id] += d->count, s.node_ticks[d->id] += d->ticks;
            nodes += d->ticks;
            for (int event = 0; event < NYTP_EVENTS; event++) s.at_nodes[event] += d->events[event];
        } else if (rec.kind == NYTP_REC_WINDOW) {
            const nytp_chunk_info *chunk = nytp_reader_chunk(reader);
            close_window(&s, chunk->end - chunk->start, places, nodes, &rec.u.window);
            if (memcmp(at_places, s.at_nodes, sizeof at_places) != 0) s.wrong++;
            places = nodes = 0;
        } else if (rec.kind == NYTP_REC_END) {
            s.ends++;
        } else if (rec.kind == NYTP_REC_NOTE) {
            s.notes++;
        } else if (rec.kind == NYTP_REC_CARRIED) {
            s.carried++;
        } else if (rec.kind == NYTP_REC_CODE) {
            s.code++;
        }
    }
    nytp_reader_close(reader);
    return s;
}

static inline sums read_back(void) { return read_file(path); }

/* Called before the first test, and after the last. */
static inline void set_up(void) {
    scratch_name(path, "capture");
    nytp_options_init(&options);
    set("clock", "fake");
    set("file", path);
}

static inline int take_down(void) {
    is(said[0], 0, "nobody had to be told anything");
    nytp_options_free(&options);
    return done();
}

#endif
