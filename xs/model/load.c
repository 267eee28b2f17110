/* SPDX-License-Identifier: MIT */
/* load.c - captures in, a profile out: the inputs, their streams, and what is done when all are read. */
#include "model/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/clock.h"
#include "capture/job.h"
#include "model/coarse.h"
#include "model/duty.h"
#include "model/libraries.h"
#include "model/load_v5.h"
#include "model/loader.h"
#include "model/merge.h"
#include "model/notes.h"
#include "model/outside.h"
#include "model/parent.h"
#include "model/range.h"
#include "model/rollup.h"
#include "model/samples.h"
#include "model/root.h"
#include "model/stored.h"
#include "model/stream.h"
#include "model/stretches.h"
#include "model/take.h"
#include "model/tree.h"
#include "model/whole.h"
#include "v5/read.h"

typedef nytp_loader loader;

/* ---- streams ---- */

static int is_wanted(const loader *l, const nytp_stream_id *id) {
    return !l->options->only || nytp_format_same_stream(id, l->options->only);
}

/* A store and a build's processes are none of the profile: their places in the list stay empty, and so does that of a
 * process that is not wanted. */
static enum nytp_code begin_stream(loader *l, nytp_stream *s, const nytp_stream_id *id) {
    if (!nytp_format_is_profiled(id) || !is_wanted(l, id)) return NYTP_OK;
    nytp_process *process = nytp_loader_process_of(l, id);
    if (!process) return NYTP_NOMEM;
    s->process = (uint32_t)(process - l->p->processes);
    s->earlier = process->elapsed;
    s->timeline.now = process->spent;
    s->is_part = nytp_range_is_asked(l->options);
    s->weight = !s->is_part;
    return NYTP_OK;
}

/* Streams are numbered in the order of reading; one with damage only is skipped. */
static nytp_stream *stream_of(loader *l, const nytp_reader *r, uint32_t index) {
    while (l->streams_n <= index) {
        nytp_stream *s = nytp_grow_owned(&l->streams, l->streams_n, &l->streams_room, sizeof *s);
        if (!s || begin_stream(l, s, nytp_reader_stream(r, l->streams_n))) return NULL;
        l->streams_n++;
    }
    return &l->streams[index];
}

/* A record arrives of a process that is wanted. */
static enum nytp_code take(loader *l, nytp_stream *s, const nytp_reader *reader, nytp_record *r) {
    int is_new = r->chunk != s->chunk;
    nytp_stream_enter(s, l->p, r->chunk, nytp_reader_chunk(reader));
    if (s->is_part && is_new) nytp_range_enter(l, s);
    if (s->is_part && !nytp_range_leaves(l, s, r, nytp_reader_chunk_bytes(reader))) return l->e->code;
    return nytp_take_record(l, s, r);
}

static enum nytp_code hand_over(loader *l, const nytp_reader *reader, const char *path, nytp_record *r) {
    if (r->kind == NYTP_REC_DAMAGE) return nytp_loader_damage(l, path, &r->u.damage);
    if (nytp_reader_stream(reader, r->stream)->front_end == NYTP_FRONT_STORE)
        return r->kind == NYTP_REC_TEXT ? nytp_stored_text(l, &r->u.text) : NYTP_OK;
    if (nytp_reader_stream(reader, r->stream)->front_end == NYTP_FRONT_BUILD) {
        l->has_builds = 1;
        return NYTP_OK;
    }
    if (!l->origin) l->origin = nytp_reader_stream(reader, r->stream)->process_start;
    if (!is_wanted(l, nytp_reader_stream(reader, r->stream))) return NYTP_OK;
    nytp_stream *s = stream_of(l, reader, r->stream);
    if (!s) return nytp_loader_no_memory(l);
    l->has_captures = 1;
    return take(l, s, reader, r);
}

static void drop_streams(loader *l) {
    for (uint32_t i = 0; i < l->streams_n; i++) {
        nytp_stream *s = &l->streams[i];
        nytp_stream_settle(s, l->p);
        nytp_stream_end_calls(s, l->p);
        nytp_stream_tell_ring(s, l->p);
        if (s->is_part) nytp_range_drop_calls(&l->p->processes[s->process]);
        uint64_t rate = nytp_stream_rate(s);
        const nytp_process *process = &l->p->processes[s->process];
        if (rate && process->clock_id == NYTP_CLOCK_TSC && nytp_format_same_stream(&process->id, &l->clock_of))
            l->p->ticks_per_second = rate;
        nytp_stream_forget(s);
    }
    free(l->streams);
    l->streams = NULL;
    l->streams_n = l->streams_room = 0;
}

static enum nytp_code load_records(loader *l, const char *path, nytp_reader *reader) {
    nytp_record r;
    int more;
    for (uint64_t chunk = 0; (more = nytp_reader_next(reader, &r)) > 0; chunk = r.chunk) {
        if (hand_over(l, reader, path, &r)) break;
        if (r.chunk != chunk) nytp_loader_progress(l, nytp_reader_chunk(reader)->offset);
    }
    if (more < 0) nytp_error_set(l->e, nytp_reader_error(reader)->code, "%s", nytp_reader_error(reader)->text);
    return l->e->code;
}

/* Counts drafts less that an earlier load has taken and this one again, with what replaced them. */
static enum nytp_code load_replaced(loader *l, const char *path, nytp_reader *reader) {
    for (uint32_t i = 0; i < l->streams_n && !l->e->code; i++) {
        const nytp_taken_stream *old = nytp_range_replaced(l, &l->streams[i], nytp_reader_stream(reader, i));
        int32_t *ending = &l->p->processes[l->streams[i].process].ending, known = *ending;
        if (!old) continue;
        l->is_less = 1;
        nytp_reader_again(reader, (nytp_str){(const char *)old->draft.p, old->draft.n});
        load_records(l, path, reader);
        l->is_less = 0;
        *ending = known;
    }
    return l->e->code;
}

static enum nytp_code load_capture(loader *l, const char *path, nytp_bytes *bytes) {
    nytp_reader *reader = l->options->raw ? nytp_reader_from(bytes, l->e) : nytp_reader_corrected(bytes, l->e);
    if (!reader) return l->e->code;
    if (!load_records(l, path, reader)) load_replaced(l, path, reader);
    if (!l->e->code && !nytp_parent_sources(l, path)) nytp_stored_find(l, path);
    drop_streams(l);
    nytp_reader_close(reader);
    return l->e->code;
}

/* ---- inputs ---- */

/* 1 if the input is a store, which users may name with the captures beside it. */
static int is_store(const loader *l) { return l->has_texts && !l->has_captures; }

/* Files of format 5 have no host. What ran under another root directory has names of files that are not here. */
static void tell_owner(const loader *l, const nytp_input *input, int is_own) {
    for (uint32_t i = input->first_process; i < l->p->processes_n; i++) {
        nytp_str host = nytp_profile_property(l->p, i, NYTP_LIT("host"));
        l->p->processes[i].is_placed = host.n != 0;
        int is_here = nytp_job_is_here(host) && !nytp_profile_property(l->p, i, NYTP_LIT("elsewhere")).n;
        l->p->processes[i].is_own = is_own && (input->format == NYTP_V5_MAJOR || is_here);
    }
}

/* Content tells the formats apart, not names. */
static enum nytp_code load_file_of_any_format(loader *l, const char *path) {
    nytp_bytes bytes;
    nytp_bytes_open(&bytes, path);
    l->writer = nytp_job_running_writer(bytes.fd);
    nytp_input *input = nytp_loader_input(l, path);
    if (!input) {
        nytp_bytes_close(&bytes);
        return l->e->code;
    }
    l->has_texts = l->has_captures = l->has_builds = 0;
    uint32_t before = l->p->processes_n, i = (uint32_t)(input - l->p->inputs);
    input->format = nytp_v5_reader_knows(&bytes) ? NYTP_V5_MAJOR : NYTP_FORMAT_VERSION;
    int is_own = nytp_bytes_is_own(&bytes);
    if (input->format == NYTP_V5_MAJOR && nytp_range_is_asked(l->options)) {
        nytp_bytes_close(&bytes);
        return nytp_error_set(l->e, NYTP_FORMAT, "%s: format 5 does not tell when its counts were made; expected a "
                              "capture", path);
    }
    enum nytp_code code = input->format == NYTP_V5_MAJOR ? nytp_load_v5(l, i, &bytes) : load_capture(l, path, &bytes);
    l->p->inputs[i].first_process = before;
    l->p->inputs[i].processes = l->p->processes_n - before;
    tell_owner(l, &l->p->inputs[i], is_own);
    if (is_store(l)) l->p->inputs_n--;
    if (!code && l->has_builds && !l->has_captures)
        code = nytp_error_set(l->e, NYTP_FORMAT, "%s: processes of a build, which `nytprof build` prints; expected a "
                              "profile", path);
    return code;
}

static enum nytp_code load_all(loader *l, const char *const *paths, uint32_t n) {
    int code = NYTP_OK;
    for (uint32_t i = 0; i < n && !code; i++) code = load_file_of_any_format(l, l->path = paths[i]);
    if (!code && n && !l->p->inputs_n)
        code = nytp_error_set(l->e, NYTP_FORMAT, "%s: a store of source, expected a profile", paths[0]);
    return code;
}

/* A stream for several threads is off between them, which is no time of theirs. */
static void drop_pauses(nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++) {
        nytp_process *process = &p->processes[i];
        if (!process->threads) continue;
        process->elapsed = nytp_ticks_minus(process->elapsed, process->off);
        process->off = 0;
    }
}

static enum nytp_code finish(loader *l) {
    nytp_profile *p = l->p;
    if (!p->ticks_per_second) {
        p->ticks_per_second = 1000000000;
        nytp_notes_add(p, "The rate of the clock is lost; times are shown as if it ticked in nanoseconds.");
    }
    if (l->options->module_dir && p->processes_n &&
        nytp_loader_pair(l, 0, NYTP_REC_PROPERTY, NYTP_LIT("inc"), nytp_str_c(l->options->module_dir)))
        return l->e->code;
    nytp_stretches_finish(l);
    drop_pauses(p);
    if (nytp_libraries_find(l) || nytp_loader_number(l)) return l->e->code;
    if (!l->options->keep_evals && nytp_merge_evals(p)) return nytp_loader_no_memory(l);
    nytp_merge_resolve(p);
    if (nytp_merge_lengths(p)) return nytp_loader_no_memory(l);
    if (l->is_sampled && nytp_duty_estimate(p, &l->in)) return nytp_loader_no_memory(l);
    if (l->is_seen && nytp_shares_deal(&l->shares, p, &l->in)) return nytp_loader_no_memory(l);
    if (l->options->tell_outside && nytp_outside_tell(p, &l->in, l->options->keep_processes))
        return nytp_loader_no_memory(l);
    if (l->options->whole && nytp_whole_round(p)) return nytp_loader_no_memory(l);
    nytp_intern_free(&l->in); /* as large as the profile */
    if (nytp_tree_sum(p) || nytp_rollup(p) || p->metrics_failed) return nytp_loader_no_memory(l);
    nytp_coarse_tell(p);
    if (p->is_uncounted && nytp_samples_tell(p)) return nytp_loader_no_memory(l);
    nytp_loader_running(p);
    nytp_stored_tell_missing(l);
    nytp_notes_finish(p);
    nytp_root_name(l);
    return p->notes_lost ? nytp_loader_no_memory(l) : NYTP_OK;
}

enum nytp_code nytp_load(nytp_profile *p, const char *const *paths, uint32_t n, const nytp_load_options *options,
                         nytp_error *e) {
    static const nytp_load_options none;
    memset(p, 0, sizeof *p);
    memset(e, 0, sizeof *e);
    loader l = {.p = p, .e = e, .in = {.p = p}, .gaps = NYTP_LOADER_GAPS, .options = options ? options : &none};
    int code = nytp_loader_begin(&l);
    if (!code) code = load_all(&l, paths, n);
    if (!code) code = nytp_range_finish(&l);
    if (!code) code = finish(&l);
    nytp_intern_free(&l.in);
    nytp_table_free(&l.processes);
    nytp_table_free(&l.pairs);
    nytp_table_free(&l.named);
    nytp_map_free(&l.wanted);
    nytp_shares_free(&l.shares);
    return code;
}
