/* SPDX-License-Identifier: MIT */
/* session.c - start, forks and end of a profile. */
#include "record/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/disk.h"
#include "record/files.h"
#include "record/flush.h"
#include "record/front.h"
#include "record/handlers.h"
#include "record/lag.h"
#include "record/output.h"
#include "record/places.h"
#include "record/settings.h"
#include "record/sigexit.h"
#include "record/subs.h"

/* ---- the parts ---- */

static void write_rest(nytp_recorder *r) {
    r->output.is_ending = 1;
    if (nytp_front_completes_brief(r)) nytp_flush_all(r);
    else nytp_flush_last(r);
    r->output.is_ending = 0;
}

/* What this takes is part of a child's lag. */
void nytp_session_sum_up(nytp_recorder *r, int how) {
    int saved = errno;
    nytp_recorder_moved(r);
    if (!r->output.writer) return;
    int is_heard = nytp_lag_is_heard(r);
    int64_t begin = is_heard ? nytp_now(r) : 0, lag = is_heard ? nytp_lag_now(r) : 0;
    r->output.how = (uint32_t)how;
    write_rest(r);
    nytp_output_end(r);
    nytp_flush_say_once(r); /* the process may end before the output is closed */
    if (is_heard) nytp_lag_tell(r, lag + nytp_now(r) - begin);
    errno = saved;
}

/* A file of format 5 has its calls behind all else, so it is ended once only. */
void nytp_session_before_end(nytp_recorder *r) {
    nytp_recorder_moved(r);
    if (!r->output.writer) return;
    if (r->options->format == NYTP_OUTPUT_V5) {
        write_rest(r);
    } else {
        nytp_session_sum_up(r, NYTP_END_FINISHED);
        r->output.is_complete = 1;
    }
}

/* 1 if no event came since the end was written, only time. */
static int is_idle(const nytp_recorder *r) {
    int is_same = r->output.is_complete && !nytp_writer_pending(r->output.writer); /* with calls=2 there are records */
    for (uint32_t i = 0; i < r->queue.place_n && is_same; i++) {
        const nytp_live_place *p = r->queue.places[i];
        is_same = memcmp(p->events, p->written, sizeof p->events) == 0;
    }
    for (uint32_t i = 0; i < r->queue.node_n && is_same; i++) {
        const nytp_live_node *n = r->queue.nodes[i];
        is_same = n->calls == n->written_calls && memcmp(n->events, n->written, sizeof n->events) == 0;
    }
    return is_same;
}

void nytp_session_finish(nytp_recorder *r) {
    nytp_recorder_moved(r);
    if (!r->output.writer) return;
    nytp_recorder_off(r);
    if (!is_idle(r)) nytp_session_sum_up(r, NYTP_END_FINISHED);
    nytp_flush_settle(r);
    nytp_output_close(r);
}

/* ---- start and end ---- */

/* Counters of another thread may be changing, until it has ended. */
static void at_exit(void *self, int by_signal) {
    (void)by_signal;
    nytp_session *s = self;
    if (nytp_handlers_may_touch(&s->r)) nytp_session_finish(&s->r);
}

/* The streams of a process are numbered as they begin. */
static int switch_on(nytp_session *s, nytp_error *e) {
    nytp_session *first = s->first ? s->first : s;
    if (!nytp_output_generation(&s->r)) nytp_output_number(&s->r, first->threads++);
    return nytp_recorder_on(&s->r, e);
}

int nytp_session_open(nytp_session *s, const nytp_front *front, nytp_error *e) {
    nytp_front all = *front;
    all.self = s;
    all.at_exit = at_exit;
    if (!s->options.file && nytp_settings_begin(&s->options, e)) return e->code;
    if (nytp_recorder_open(&s->r, &s->options, &all, e)) return e->code;
    nytp_sigexit_take(&s->options);
    return NYTP_OK;
}

int nytp_session_start(nytp_session *s, const nytp_front *front, nytp_error *e) {
    if (nytp_session_open(s, front, e) || s->options.start == NYTP_START_NO) return e->code;
    return switch_on(s, e);
}

static int open_like(nytp_session *s, nytp_session *first, nytp_error *e) {
    nytp_front front = first->r.front;
    front.self = s;
    s->first = first;
    nytp_share_clock(&s->r, &first->r.clock);
    memcpy(s->r.prices, first->r.prices, sizeof s->r.prices);
    return nytp_recorder_open(&s->r, &first->options, &front, e);
}

int nytp_session_start_thread(nytp_session *s, nytp_session *first, nytp_error *e) {
    if (open_like(s, first, e)) return e->code;
    return switch_on(s, e);
}

int nytp_session_rehearse(nytp_session *s, nytp_session *first, nytp_error *e) {
    if (!open_like(s, first, e)) nytp_rehearse(&s->r);
    return e->code;
}

void nytp_session_off(nytp_session *s) {
    nytp_session_attend(s);
    nytp_recorder_off(&s->r);
    nytp_flush_while_off(&s->r);
}

int nytp_session_on(nytp_session *s, nytp_error *e) {
    nytp_session_attend(s);
    return switch_on(s, e);
}

void nytp_session_stop(nytp_session *s) {
    nytp_handlers_leave(&s->r);
    nytp_session_finish(&s->r);
    nytp_recorder_close(&s->r);
    nytp_options_free(&s->options);
    *s = (nytp_session){0};
}

/* ---- things ---- */

static nytp_work begin_work(nytp_session *s) {
    nytp_handlers_own(&s->r);
    return nytp_cold_begin(&s->r);
}

nytp_live_file *nytp_session_file(nytp_session *s, const char *path) {
    if (!s->r.on) return NULL;
    nytp_work work = begin_work(s);
    nytp_live_file *f = nytp_disk_file(&s->r, path);
    if (f && f->taken.n) nytp_files_tell_source(&s->r, f);
    nytp_cold_end(&s->r, work);
    return f;
}

nytp_live_place *nytp_session_place(nytp_session *s, const nytp_live_file *file, uint32_t line, uint32_t sub_line) {
    if (!s->r.on || !file) return NULL;
    nytp_work work = begin_work(s);
    const nytp_rec_place what = {.file = file->id, .line = line, .block_line = sub_line, .sub_line = sub_line};
    nytp_live_place *p = nytp_places_add(&s->r, &what, 0);
    nytp_cold_end(&s->r, work);
    return p;
}

nytp_live_file *nytp_session_eval(nytp_session *s, nytp_str text) {
    nytp_recorder *r = &s->r;
    char name[256];
    if (!r->on || !r->place->file) return NULL;
    nytp_work work = begin_work(s);
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT | NYTP_FILE_EVAL, .parent = r->place->file,
                          .parent_line = r->place->line};
    if (r->options->savesrc) what.flags |= NYTP_FILE_HAS_SRC | NYTP_FILE_SAVE_SRC;
    snprintf(name, sizeof name, "(eval %u)[%.200s:%u]", (unsigned)nytp_places_evals(r) + 1,
             nytp_places_file(r, r->place->file)->name.p, (unsigned)r->place->line);
    what.name = nytp_str_c(name);
    nytp_live_file *f = nytp_places_add_eval(r, &what, text);
    nytp_cold_end(r, work);
    return f;
}

void nytp_session_source(nytp_session *s, nytp_live_file *file, nytp_str text) {
    if (!file || file->text.n) return;
    file->text = nytp_arena_str(&s->r.arena, text);
    if (!file->text.p) file->text.n = 0;
}

#define MOST_LINES (1u << 20) /* of a sub: an eval may say that it begins at any line */

/* NULL when memory is short. */
static nytp_live_place **line_at(nytp_session *s, nytp_live_lines *lines, uint32_t i) {
    uint32_t n = lines->n ? lines->n : 8;
    while (i >= n) n *= 2;
    if (n == lines->n) return lines->at + i;
    nytp_live_place **more = nytp_arena_more(&s->r.arena, lines->at, lines->n * sizeof *more, n * sizeof *more);
    if (!more) return NULL;
    memset(more + lines->n, 0, (n - lines->n) * sizeof *more);
    lines->at = more;
    lines->n = n;
    return more + i;
}

nytp_live_place *nytp_session_line(nytp_session *s, nytp_live_lines *lines, const nytp_live_file *file, uint32_t line,
                                   uint32_t sub_line) {
    uint32_t i = line < lines->first ? 0 : line - lines->first;
    nytp_live_place **at = line_at(s, lines, i < MOST_LINES ? i : MOST_LINES - 1);
    if (!at) nytp_recorder_fail(&s->r);
    else if (!*at) *at = nytp_session_place(s, file, line, sub_line);
    return at ? *at : NULL;
}

nytp_live_sub *nytp_session_sub(nytp_session *s, const void *code, const char *name, const nytp_live_file *file,
                                uint32_t first, uint32_t last) {
    const nytp_subkey key = {.body = code};
    if (!s->r.on) return NULL;
    nytp_work work = begin_work(s);
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
    nytp_work work = begin_work(s);
    n = nytp_nodes_child(r, r->node, r->place, sub);
    nytp_cold_end(r, work);
    return n;
}

/* ---- what happens ---- */

void nytp_session_attend(nytp_session *s) {
    nytp_handlers_own(&s->r);
    nytp_recorder_moved(&s->r);
    nytp_sigexit_end();
}

void nytp_session_waits(nytp_session *s) {
    if (!nytp_session_is_on(s) || !s->r.output.writer) return;
    int64_t now = nytp_now(&s->r);
    if (nytp_flush_due(&s->r, now)) nytp_flush_before_wait(&s->r, now);
}
