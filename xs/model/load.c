/* SPDX-License-Identifier: MIT */
/* load.c - captures in, a profile out: one small function per kind of record.
 *
 * Records are trusted except for array bounds and the amount of work: a CRC shows that bytes arrived as they were
 * written, but a hostile program may have written them. */
#include "model/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/clock.h"
#include "capture/inherited.h"
#include "model/duty.h"
#include "model/load_v5.h"
#include "model/loader.h"
#include "model/merge.h"
#include "model/notes.h"
#include "model/outside.h"
#include "model/parent.h"
#include "model/rollup.h"
#include "model/root.h"
#include "model/stored.h"
#include "model/stream.h"
#include "model/tree.h"
#include "model/values.h"
#include "v5/read.h"

#define MOST_FILES (1u << 20) /* a forked child's files with higher ids get no source from its parent */

typedef nytp_loader loader;

/* Maps a stream's id to an index of the profile. */
static enum nytp_code learn(loader *l, nytp_ids *ids, uint64_t id, uint32_t index) {
    int is_known = index != NYTP_INTERN_FAILED && nytp_ids_set(ids, id, index + 1);
    return is_known ? NYTP_OK : nytp_loader_no_memory(l);
}

/* The index for a stream's id; `unknown` if the definition is lost. */
static uint32_t known(const nytp_ids *ids, uint64_t id, uint32_t unknown) {
    uint32_t found = nytp_ids_get(ids, id);
    return found ? found - 1 : unknown;
}

static uint64_t owner_of(const nytp_stream_id *id) {
    nytp_str run = {(const char *)id->run, sizeof id->run};
    uint64_t h = nytp_str_hash(run) ^ id->process_start * 31;
    return (h ^ (uint64_t)id->pid << 32 ^ id->thread) | 1; /* never 0 */
}

static void take_clock(loader *l, nytp_stream *s, const nytp_rec_process_start *r) {
    if (r->ticks_per_second)
        s->scale = nytp_loader_scale(l, &l->p->processes[s->process].id, r->ticks_per_second);
}

/* A second start in a stream: the process finished its profile and began another. Ids begin anew, time goes on. */
static enum nytp_code load_process_start(loader *l, nytp_stream *s, const nytp_rec_process_start *r) {
    nytp_profile *p = l->p;
    nytp_process *process = &p->processes[s->process];
    nytp_stream_forget(s);
    s->is_sampled = 0;
    s->sources = s->store = (nytp_str){NULL, 0};
    s->sources_until = 0;
    s->parent_start = r->parent_start;
    s->earlier = process->elapsed;
    s->start_ticks = s->last_ticks = r->start_ticks;
    take_clock(l, s, r);
    if (!process->start) process->start = r->start;
    process->parent_pid = r->parent_pid;
    process->ticks_per_second = r->ticks_per_second;
    process->resolution = r->resolution;
    process->clock_id = r->clock_id;
    process->clock = nytp_arena_str(&p->arena, r->clock_name);
    process->program = nytp_arena_str(&p->arena, r->program);
    process->interpreter = nytp_arena_str(&p->arena, r->interpreter);
    return process->clock.p && process->program.p && process->interpreter.p ? NYTP_OK : nytp_loader_no_memory(l);
}

static enum nytp_code load_process_end(loader *l, nytp_stream *s, const nytp_rec_process_end *r) {
    nytp_process *process = &l->p->processes[s->process];
    process->end = r->end;
    process->user_us = r->user_us;
    process->system_us = r->system_us;
    process->max_rss_kb = r->max_rss_kb;
    process->thread_us = r->thread_us;
    if (r->end_ticks > s->last_ticks) s->last_ticks = r->end_ticks;
    return NYTP_OK;
}

static enum nytp_code load_end(loader *l, nytp_stream *s, const nytp_rec_end *r) {
    static const int32_t endings[] = {NYTP_ENDING_FINISHED, NYTP_ENDING_EXEC, NYTP_ENDING_EXIT};
    l->p->processes[s->process].ending = r->how < 3 ? endings[r->how] : NYTP_ENDING_FINISHED;
    return NYTP_OK;
}

static enum nytp_code load_file(loader *l, nytp_stream *s, const nytp_rec_file *r) {
    nytp_file f = {.name = r->name, .flags = nytp_loader_narrow(r->flags), .size = r->size, .mtime = r->mtime,
                   .process = s->process + 1};
    if (r->parent) {
        f.parent = known(&s->files, r->parent, 0);
        f.parent_line = nytp_loader_narrow(r->parent_line);
        f.owner = owner_of(&l->p->processes[s->process].id);
    }
    if (r->id > s->last_file && r->id < MOST_FILES) s->last_file = r->id;
    return learn(l, &s->files, r->id, nytp_intern_file(&l->in, &f));
}

static enum nytp_code load_source(loader *l, nytp_stream *s, const nytp_rec_source *r) {
    nytp_file *f = &l->p->files[known(&s->files, r->file, 0)];
    return f == l->p->files ? NYTP_OK : nytp_loader_text(l, f, r);
}

static enum nytp_code load_carried(loader *l, nytp_stream *s, const nytp_rec_carried *r) {
    nytp_file *f = &l->p->files[known(&s->files, r->file, 0)];
    if (f == l->p->files) return NYTP_OK;
    nytp_carried *c = nytp_grow(&l->p->arena, &f->carried, f->carried_n, &f->carried_room, sizeof *c);
    if (!c) return nytp_loader_no_memory(l);
    *c = (nytp_carried){nytp_loader_narrow(r->line), nytp_loader_narrow(r->carrier)};
    f->carried_n++;
    return NYTP_OK;
}

static enum nytp_code load_sub(loader *l, nytp_stream *s, const nytp_rec_sub *r) {
    nytp_sub sub = {.name = r->name, .alias = r->alias, .flags = nytp_loader_narrow(r->flags),
                    .ordinal = nytp_loader_narrow(r->ordinal), .first_line = nytp_loader_narrow(r->first_line),
                    .last_line = nytp_loader_narrow(r->last_line), .process = s->process + 1};
    if (r->file) sub.file = known(&s->files, r->file, 0);
    if (nytp_root_is_meant(l, s, r))
        return learn(l, &s->subs, r->id, l->p->nodes[known(&s->nodes, 0, NYTP_ROOT)].sub);
    uint32_t old = nytp_ids_get(&s->subs, r->id);
    uint32_t index = old > NYTP_UNKNOWN + 1 ? nytp_intern_resub(&l->in, old - 1, &sub) : nytp_intern_sub(&l->in, &sub);
    return learn(l, &s->subs, r->id, index);
}

static enum nytp_code load_place(loader *l, nytp_stream *s, const nytp_rec_place *r) {
    nytp_place place = {.file = known(&s->files, r->file, 0), .line = nytp_loader_narrow(r->line)};
    place.block_line = r->block_line ? nytp_loader_narrow(r->block_line) : place.line;
    place.sub_line = r->sub_line ? nytp_loader_narrow(r->sub_line) : place.line;
    return learn(l, &s->places, r->id, nytp_intern_place(&l->in, &place));
}

static enum nytp_code load_tail(loader *l, nytp_stream *s, const nytp_rec_tail *r) {
    return learn(l, &s->tails, r->node, 0);
}

static enum nytp_code load_node(loader *l, nytp_stream *s, const nytp_rec_node *r) {
    const nytp_place *site = &l->p->places[known(&s->places, r->place, 0)];
    nytp_node node = {.sub = known(&s->subs, r->sub, NYTP_UNKNOWN), .file = site->file, .line = site->line};
    node.tail = nytp_ids_get(&s->tails, r->id);
    node.parent = known(&s->nodes, r->parent, NYTP_UNKNOWN);
    return learn(l, &s->nodes, r->id, nytp_intern_node(&l->in, &node));
}

/* In Perl an event `switch` is a return to a statement, which has time without a count. In Lua it is a unit of work. */
static void add_switches(loader *l, const nytp_stream *s, int64_t count) {
    if (l->p->processes[s->process].id.front_end == NYTP_FRONT_LUA) return;
    l->p->totals.resumed = nytp_ticks_add(l->p->totals.resumed, count);
}

/* Older captures count switches in records of their cost. */
static enum nytp_code load_cost(loader *l, const nytp_stream *s, const nytp_rec_cost *r) {
    if (r->event == NYTP_EVENT_SWITCH) add_switches(l, s, (int64_t)r->count);
    return NYTP_OK;
}

/* Place 0 is the time before the first statement and behind the last. */
static enum nytp_code load_place_delta(loader *l, nytp_stream *s, const nytp_rec_delta *r, float spread) {
    int64_t ticks = nytp_stream_scaled(s, r->ticks);
    nytp_place *place = &l->p->places[known(&s->places, r->id, 0)];
    if (r->id && s->is_sampled) {
        place->seen = nytp_ticks_add(place->seen, r->count);
        place->seen_ticks = nytp_ticks_add(place->seen_ticks, ticks);
    } else if (r->id) {
        place->count = nytp_ticks_add(place->count, r->count);
        place->ticks = nytp_ticks_add(place->ticks, ticks);
        place->spread += nytp_stream_spread(s, spread);
    } else {
        nytp_process *process = &l->p->processes[s->process];
        process->outside = nytp_ticks_add(process->outside, ticks);
    }
    s->place_sum.ticks = nytp_ticks_add(s->place_sum.ticks, r->ticks);
    s->place_sum.deltas++;
    add_switches(l, s, r->events[NYTP_EVENT_SWITCH]);
    return NYTP_OK;
}

static enum nytp_code load_node_delta(loader *l, nytp_stream *s, const nytp_rec_delta *r, float spread) {
    nytp_node *node = &l->p->nodes[known(&s->nodes, r->id, NYTP_UNKNOWN)];
    node->calls = nytp_ticks_add(node->calls, r->count);
    int64_t ticks = nytp_stream_scaled(s, r->ticks);
    node->exclusive = nytp_ticks_add(node->exclusive, ticks);
    node->spread += nytp_stream_spread(s, spread);
    if (s->is_sampled) node->sampled = nytp_ticks_add(node->sampled, ticks);
    s->node_sum.ticks = nytp_ticks_add(s->node_sum.ticks, r->ticks);
    s->node_sum.deltas++;
    return NYTP_OK;
}

/* Blocks are always in our captures, but asked for with blocks=1 only. */
static enum nytp_code load_option(loader *l, const nytp_stream *s, const nytp_rec_pair *r) {
    if (nytp_str_eq(r->key, NYTP_LIT("blocks")) && !nytp_str_eq(r->value, NYTP_LIT("0"))) l->p->has_blocks = 1;
    return nytp_loader_pair(l, s->process, NYTP_REC_OPTION, r->key, r->value);
}

static enum nytp_code load_property(loader *l, nytp_stream *s, const nytp_rec_pair *r) {
    if (nytp_str_eq(r->key, NYTP_LIT("duty"))) s->is_sampled = l->is_sampled = 1;
    if (nytp_str_eq(r->key, NYTP_LIT("sources"))) s->sources = nytp_arena_str(&l->p->arena, r->value);
    if (nytp_str_eq(r->key, NYTP_LIT("store"))) s->store = nytp_arena_str(&l->p->arena, r->value);
    if (nytp_str_eq(r->key, NYTP_LIT("sources_until"))) s->sources_until = nytp_inherited_until(r->value);
    return nytp_loader_pair(l, s->process, NYTP_REC_PROPERTY, r->key, r->value);
}

static enum nytp_code load_note(loader *l, const nytp_rec_note *r) {
    nytp_notes_add(l->p, "%.*s", (int)(r->text.n < NYTP_ERROR_TEXT ? r->text.n : NYTP_ERROR_TEXT), r->text.p);
    return NYTP_OK;
}

/* The properties, of which one may name the main program, stand before all that is of calls. */
static int is_property(uint64_t kind) {
    return kind == NYTP_REC_PROCESS_START || kind == NYTP_REC_OPTION || kind == NYTP_REC_PROPERTY ||
           kind == NYTP_REC_ATTRIBUTE || kind == NYTP_REC_NOTE;
}

static enum nytp_code load_record(loader *l, nytp_stream *s, const nytp_record *r) {
    if (!is_property(r->kind) && nytp_root_learn(l, s)) return l->e->code;
    switch (r->kind) {
    case NYTP_REC_PROCESS_START: return load_process_start(l, s, &r->u.process_start);
    case NYTP_REC_PROCESS_END: return load_process_end(l, s, &r->u.process_end);
    case NYTP_REC_OPTION: return load_option(l, s, &r->u.pair);
    case NYTP_REC_PROPERTY: return load_property(l, s, &r->u.pair);
    case NYTP_REC_ATTRIBUTE: return nytp_loader_pair(l, s->process, r->kind, r->u.pair.key, r->u.pair.value);
    case NYTP_REC_NOTE: return load_note(l, &r->u.note);
    case NYTP_REC_FILE: return load_file(l, s, &r->u.file);
    case NYTP_REC_SOURCE: return load_source(l, s, &r->u.source);
    case NYTP_REC_STORED: return nytp_stored_refer(l, known(&s->files, r->u.stored.file, 0), r->u.stored.key);
    case NYTP_REC_CARRIED: return load_carried(l, s, &r->u.carried);
    case NYTP_REC_SUB: return load_sub(l, s, &r->u.sub);
    case NYTP_REC_PLACE: return load_place(l, s, &r->u.place);
    case NYTP_REC_NODE: return load_node(l, s, &r->u.node);
    case NYTP_REC_TAIL: return load_tail(l, s, &r->u.tail);
    case NYTP_REC_PLACE_DELTA: return load_place_delta(l, s, &r->u.delta, r->spread);
    case NYTP_REC_NODE_DELTA: return load_node_delta(l, s, &r->u.delta, r->spread);
    case NYTP_REC_METRIC: return nytp_values_define(l, s, &r->u.metric);
    case NYTP_REC_VALUES: return nytp_values_take(l, s, &r->u.value);
    case NYTP_REC_OLD_PLACE_MEMORY: return nytp_values_memory(l, s, NYTP_OF_PLACE, &r->u.memory);
    case NYTP_REC_OLD_NODE_MEMORY: return nytp_values_memory(l, s, NYTP_OF_NODE, &r->u.memory);
    case NYTP_REC_WINDOW: nytp_stream_window(s, l->p, &r->u.window); return NYTP_OK;
    case NYTP_REC_COST: return load_cost(l, s, &r->u.cost);
    case NYTP_REC_END: return load_end(l, s, &r->u.end);
    default: return NYTP_OK; /* prices: capture/correct has applied them; a node's calls are counted in its deltas */
    }
}

static int is_same_process(const void *of, uint32_t number, const void *like) {
    return nytp_format_same_stream(&((const nytp_profile *)of)->processes[number - 1].id, like);
}

/* The profile's process for a stream; a process whose captures are several files is one. */
static nytp_process *process_of(loader *l, const nytp_stream_id *id) {
    nytp_profile *p = l->p;
    uint32_t *number = nytp_table_at(&l->processes, owner_of(id), is_same_process, p, id);
    if (number && *number) return &p->processes[*number - 1];
    nytp_process *process = number ? nytp_loader_process(l, id) : NULL;
    if (process) *number = p->processes_n;
    return process;
}

/* A store is no process: its place in the list stays empty. */
static enum nytp_code begin_stream(loader *l, nytp_stream *s, const nytp_stream_id *id) {
    if (id->front_end == NYTP_FRONT_STORE) return NYTP_OK;
    nytp_process *process = process_of(l, id);
    if (!process) return NYTP_NOMEM;
    s->process = (uint32_t)(process - l->p->processes);
    s->earlier = process->elapsed;
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

static enum nytp_code take(loader *l, const nytp_reader *reader, const char *path, const nytp_record *r) {
    if (r->kind == NYTP_REC_DAMAGE) {
        nytp_notes_add(l->p, "%s is damaged: %" PRIu64 " bytes at offset %" PRIu64 " could not be read (%.*s).", path,
                       r->u.damage.length, r->u.damage.offset, (int)r->u.damage.reason.n, r->u.damage.reason.p);
        return NYTP_OK;
    }
    if (nytp_reader_stream(reader, r->stream)->front_end == NYTP_FRONT_STORE)
        return r->kind == NYTP_REC_TEXT ? nytp_stored_text(l, &r->u.text) : NYTP_OK;
    nytp_stream *s = stream_of(l, reader, r->stream);
    if (!s) return nytp_loader_no_memory(l);
    l->has_captures = 1;
    nytp_stream_enter(s, l->p, r->chunk, nytp_reader_chunk(reader));
    return load_record(l, s, r);
}

static void drop_streams(loader *l) {
    for (uint32_t i = 0; i < l->streams_n; i++) {
        nytp_stream *s = &l->streams[i];
        nytp_stream_settle(s, l->p);
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

static enum nytp_code load_capture(loader *l, const char *path, nytp_bytes *bytes) {
    nytp_reader *reader = nytp_reader_corrected(bytes, l->e);
    if (!reader) return l->e->code;
    nytp_record r;
    int more;
    while ((more = nytp_reader_next(reader, &r)) > 0)
        if (take(l, reader, path, &r)) break;
    if (more < 0) nytp_error_set(l->e, nytp_reader_error(reader)->code, "%s", nytp_reader_error(reader)->text);
    if (!l->e->code && !nytp_parent_sources(l, path)) nytp_stored_find(l, path);
    drop_streams(l);
    nytp_reader_close(reader);
    return l->e->code;
}

/* 1 if the input is a store, which users may name with the captures beside it. */
static int is_store(const loader *l) { return l->has_texts && !l->has_captures; }

/* Content tells the formats apart, not names. */
static enum nytp_code load_file_of_any_format(loader *l, const char *path) {
    nytp_bytes bytes;
    nytp_bytes_open(&bytes, path);
    nytp_input *input = nytp_loader_input(l, path);
    if (!input) {
        nytp_bytes_close(&bytes);
        return l->e->code;
    }
    l->has_texts = l->has_captures = 0;
    uint32_t before = l->p->processes_n, i = (uint32_t)(input - l->p->inputs);
    input->format = nytp_v5_reader_knows(&bytes) ? NYTP_V5_MAJOR : NYTP_FORMAT_VERSION;
    enum nytp_code code = input->format == NYTP_V5_MAJOR ? nytp_load_v5(l, i, &bytes) : load_capture(l, path, &bytes);
    l->p->inputs[i].first_process = before;
    l->p->inputs[i].processes = l->p->processes_n - before;
    if (is_store(l)) l->p->inputs_n--;
    return code;
}

static enum nytp_code load_all(loader *l, const char *const *paths, uint32_t n) {
    int code = NYTP_OK;
    for (uint32_t i = 0; i < n && !code; i++) code = load_file_of_any_format(l, paths[i]);
    if (!code && n && !l->p->inputs_n)
        code = nytp_error_set(l->e, NYTP_FORMAT, "%s: a store of source, expected a profile", paths[0]);
    return code;
}

static enum nytp_code finish(loader *l, const nytp_load_options *options) {
    nytp_profile *p = l->p;
    if (!p->ticks_per_second) {
        p->ticks_per_second = 1000000000;
        nytp_notes_add(p, "The rate of the clock is lost; times are shown as if it ticked in nanoseconds.");
    }
    if (options && options->module_dir && p->processes_n &&
        nytp_loader_pair(l, 0, NYTP_REC_PROPERTY, NYTP_LIT("inc"), nytp_str_c(options->module_dir)))
        return l->e->code;
    if (nytp_loader_number(l)) return l->e->code;
    if (!(options && options->keep_evals) && nytp_merge_evals(p)) return nytp_loader_no_memory(l);
    nytp_merge_resolve(p);
    if (l->is_sampled && nytp_duty_estimate(p, &l->in)) return nytp_loader_no_memory(l);
    if (options && options->tell_outside && nytp_outside_tell(p, &l->in)) return nytp_loader_no_memory(l);
    nytp_intern_free(&l->in); /* as large as the profile */
    if (nytp_tree_sum(p) || nytp_rollup(p) || p->metrics_failed) return nytp_loader_no_memory(l);
    nytp_loader_running(p);
    nytp_stored_tell_missing(l);
    nytp_notes_finish(p);
    nytp_root_name(l);
    return p->notes_lost ? nytp_loader_no_memory(l) : NYTP_OK;
}

enum nytp_code nytp_load(nytp_profile *p, const char *const *paths, uint32_t n, const nytp_load_options *options,
                         nytp_error *e) {
    memset(p, 0, sizeof *p);
    memset(e, 0, sizeof *e);
    loader l = {.p = p, .e = e, .in = {.p = p}, .gaps = NYTP_LOADER_GAPS};
    int code = nytp_loader_begin(&l);
    if (!code) code = load_all(&l, paths, n);
    if (!code) code = finish(&l, options);
    nytp_intern_free(&l.in);
    nytp_table_free(&l.processes);
    nytp_table_free(&l.pairs);
    nytp_map_free(&l.wanted);
    return code;
}
