/* SPDX-License-Identifier: MIT */
/* session.c - start, forks and end of a profile. */
#include "record/session.h"

#include <string.h>

#include "record/disk.h"
#include "record/flush.h"
#include "record/log.h"
#include "record/output.h"
#include "record/places.h"
#include "record/settings.h"
#include "record/subs.h"

/* ---- the parts ---- */

int nytp_session_forked(nytp_options *o) {
    if (o->forkdepth == 0) return 0;
    if (o->forkdepth > 0) o->forkdepth--;
    return 1;
}

void nytp_session_sum_up(nytp_recorder *r, int is_brief, int how) {
    if (is_brief) nytp_flush_all(r);
    else nytp_flush_last(r);
    nytp_output_end(r, how);
}

void nytp_session_finish(nytp_recorder *r) {
    nytp_recorder_off(r);
    nytp_session_sum_up(r, 0, NYTP_END_FINISHED);
    nytp_output_close(r);
}

/* ---- defaults for functions of the front end ---- */

static nytp_options *options_of(void *self) {
    nytp_session *s = self;
    return s->first ? &s->first->options : &s->options;
}

static uint32_t source(void *self, const nytp_live_file *file, nytp_buf *text) {
    return options_of(self)->savesrc ? nytp_disk_source(file, text) : 0;
}

static void describe(void *self, nytp_writer *w) {
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("application"), ((nytp_session *)self)->r.front.program);
}

static void say(void *self, const char *line) { nytp_log_line(options_of(self), line); }

static int forked(void *self) { return nytp_session_forked(options_of(self)); }

static void stopped(void *self) { (void)self; }

static nytp_front completed(nytp_session *s, const nytp_front *front) {
    nytp_front f = *front;
    f.self = s;
    if (!f.source) f.source = source;
    if (!f.describe) f.describe = describe;
    if (!f.say) f.say = say;
    if (!f.forked) f.forked = forked;
    if (!f.stopped) f.stopped = stopped;
    return f;
}

/* ---- start and end ---- */

int nytp_session_start(nytp_session *s, const nytp_front *front, nytp_error *e) {
    nytp_front all = completed(s, front);
    if (!s->options.file && nytp_settings_begin(&s->options, e)) return e->code;
    if (nytp_recorder_open(&s->r, &s->options, &all, e)) return e->code;
    return s->options.start == NYTP_START_NO ? NYTP_OK : nytp_recorder_on(&s->r, e);
}

int nytp_session_start_thread(nytp_session *s, nytp_session *first, nytp_error *e) {
    nytp_front front = first->r.front;
    front.self = s;
    s->first = first;
    s->r.clock = first->r.clock;
    memcpy(s->r.prices, first->r.prices, sizeof s->r.prices);
    s->r.output.stream.thread = first->threads++;
    if (nytp_recorder_open(&s->r, &first->options, &front, e)) return e->code;
    return nytp_recorder_on(&s->r, e);
}

void nytp_session_in_child(nytp_session *s) { nytp_recorder_due(&s->r, INT64_MIN); }

void nytp_session_stop(nytp_session *s) {
    nytp_recorder_moved(&s->r);
    if (s->r.output.writer) nytp_session_finish(&s->r);
    nytp_recorder_close(&s->r);
    nytp_options_free(&s->options);
    *s = (nytp_session){0};
}

/* ---- things ---- */

nytp_live_file *nytp_session_file(nytp_session *s, const char *path) {
    if (!s->r.on) return NULL;
    nytp_work work = nytp_cold_begin(&s->r);
    nytp_live_file *f = nytp_disk_file(&s->r, path);
    nytp_cold_end(&s->r, work);
    return f;
}

nytp_live_place *nytp_session_place(nytp_session *s, const nytp_live_file *file, uint32_t line, uint32_t sub_line) {
    if (!s->r.on || !file) return NULL;
    nytp_work work = nytp_cold_begin(&s->r);
    const nytp_rec_place what = {.file = file->id, .line = line, .block_line = sub_line, .sub_line = sub_line};
    nytp_live_place *p = nytp_places_add(&s->r, &what, 0);
    nytp_cold_end(&s->r, work);
    return p;
}

nytp_live_sub *nytp_session_sub(nytp_session *s, const void *code, const char *name, const nytp_live_file *file,
                                uint32_t first, uint32_t last) {
    const nytp_subkey key = {.body = code};
    if (!s->r.on) return NULL;
    nytp_work work = nytp_cold_begin(&s->r);
    nytp_rec_sub what = {.name = nytp_str_c(name), .flags = NYTP_SUB_XSUB};
    if (file) what = (nytp_rec_sub){.name = what.name, .file = file->id, .first_line = first, .last_line = last};
    nytp_live_sub *sub = nytp_subs_find(&s->r, key);
    if (!sub) sub = nytp_subs_add(&s->r, key, &what);
    nytp_cold_end(&s->r, work);
    return sub;
}

nytp_live_node *nytp_session_context(nytp_session *s, nytp_live_sub *sub) {
    nytp_recorder *r = &s->r;
    nytp_live_node *n = nytp_nodes_known(r, r->node, r->place, sub->key);
    if (n) return r->place->last_node = n;
    nytp_work work = nytp_cold_begin(r);
    n = nytp_nodes_child(r, r->node, r->place, sub);
    nytp_cold_end(r, work);
    return n;
}

/* ---- what happens ---- */

void nytp_session_waits(nytp_session *s) {
    if (!nytp_session_is_on(s) || !s->r.output.writer) return;
    int64_t now = nytp_now(&s->r);
    if (nytp_flush_due(&s->r, now)) nytp_flush_before_wait(&s->r, now);
}
