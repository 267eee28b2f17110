/* SPDX-License-Identifier: MIT */
/* take.c - what each kind of record adds to the profile: one small function per kind.
 *
 * Records are trusted except for array bounds and the amount of work: a CRC shows that bytes arrived as they were
 * written, but a hostile program may have written them. */
#include "model/take.h"

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/inherited.h"
#include "model/named.h"
#include "model/notes.h"
#include "model/root.h"
#include "model/statements.h"
#include "model/stored.h"
#include "model/stretches.h"
#include "model/values.h"

typedef nytp_loader loader;

#define MOST_FILES (1u << 20) /* a forked child's files with higher ids get no source from its parent */

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

/* A second start in a stream: the process finished its profile and began another. Ids begin anew, time goes on. */
static enum nytp_code take_process_start(loader *l, nytp_stream *s, const nytp_rec_process_start *r) {
    nytp_profile *p = l->p;
    nytp_process *process = &p->processes[s->process];
    nytp_stream_end_calls(s, p);
    nytp_stream_forget(s);
    s->is_sampled = s->is_seen = s->is_ring = 0;
    s->sources = s->store = (nytp_str){NULL, 0};
    s->sources_until = 0;
    s->parent_start = r->parent_start;
    s->earlier = process->elapsed;
    s->counted = 0;
    s->began = r->start;
    s->ticks_per_second = r->ticks_per_second;
    s->start_ticks = s->last_ticks = r->start_ticks;
    if (r->ticks_per_second) s->scale = nytp_loader_scale(l, &process->id, r->ticks_per_second);
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

static enum nytp_code take_process_end(loader *l, nytp_stream *s, const nytp_rec_process_end *r) {
    nytp_process *process = &l->p->processes[s->process];
    process->end = r->end;
    process->user_us = r->user_us;
    process->system_us = r->system_us;
    process->max_rss_kb = r->max_rss_kb;
    process->thread_us = r->thread_us;
    if (r->end_ticks > s->last_ticks) s->last_ticks = r->end_ticks;
    return NYTP_OK;
}

static enum nytp_code take_end(loader *l, nytp_stream *s, const nytp_rec_end *r) {
    static const int32_t endings[] = {NYTP_ENDING_FINISHED, NYTP_ENDING_EXEC, NYTP_ENDING_EXIT};
    l->p->processes[s->process].ending = r->how < 3 ? endings[r->how] : NYTP_ENDING_FINISHED;
    return NYTP_OK;
}

static enum nytp_code take_file(loader *l, nytp_stream *s, const nytp_rec_file *r) {
    nytp_file f = {.name = r->name, .flags = nytp_loader_narrow(r->flags), .size = r->size, .mtime = r->mtime,
                   .process = s->process + 1};
    if (r->parent) {
        f.parent = known(&s->files, r->parent, 0);
        f.parent_line = nytp_loader_narrow(r->parent_line);
        f.owner = nytp_loader_owner(&l->p->processes[s->process].id);
    }
    if (r->id > s->last_file && r->id < MOST_FILES) s->last_file = r->id;
    return learn(l, &s->files, r->id, nytp_intern_file(&l->in, &f));
}

static enum nytp_code take_source(loader *l, nytp_stream *s, const nytp_rec_source *r) {
    nytp_file *f = &l->p->files[known(&s->files, r->file, 0)];
    return f == l->p->files ? NYTP_OK : nytp_loader_text(l, f, r);
}

static enum nytp_code take_sub(loader *l, nytp_stream *s, const nytp_rec_sub *r) {
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

static enum nytp_code take_place(loader *l, nytp_stream *s, const nytp_rec_place *r) {
    nytp_place place = {.file = known(&s->files, r->file, 0), .line = nytp_loader_narrow(r->line)};
    place.block_line = r->block_line ? nytp_loader_narrow(r->block_line) : place.line;
    place.sub_line = r->sub_line ? nytp_loader_narrow(r->sub_line) : place.line;
    return learn(l, &s->places, r->id, nytp_intern_place(&l->in, &place));
}

static enum nytp_code take_tail(loader *l, nytp_stream *s, const nytp_rec_tail *r) {
    return learn(l, &s->tails, r->node, 0);
}

static enum nytp_code take_node(loader *l, nytp_stream *s, const nytp_rec_node *r) {
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
static enum nytp_code take_cost(loader *l, const nytp_stream *s, const nytp_rec_cost *r) {
    if (r->event == NYTP_EVENT_SWITCH) add_switches(l, s, (int64_t)r->count);
    return NYTP_OK;
}

/* Place 0 is the time before the first statement and behind the last. */
static enum nytp_code take_place_delta(loader *l, nytp_stream *s, const nytp_rec_delta *r, float spread) {
    int64_t ticks = nytp_stream_scaled(s, r->ticks);
    nytp_place *place = &l->p->places[known(&s->places, r->id, 0)];
    if (r->id && s->is_sampled) {
        place->seen = nytp_ticks_add(place->seen, r->count);
        place->seen_ticks = nytp_ticks_add(place->seen_ticks, ticks);
    } else if (r->id) {
        place->count = nytp_ticks_add(place->count, r->count);
        place->ticks = nytp_ticks_add(place->ticks, ticks);
        place->spread += nytp_stream_spread(s, spread);
        if (nytp_stretches_place(l, s, (uint32_t)(place - l->p->places), ticks)) return l->e->code;
    } else {
        nytp_process *process = &l->p->processes[s->process];
        process->outside = nytp_ticks_add(process->outside, ticks);
        if (nytp_stretches_outside(l, s, ticks)) return l->e->code;
    }
    s->place_sum.ticks = nytp_ticks_add(s->place_sum.ticks, r->ticks);
    s->place_sum.deltas++;
    add_switches(l, s, r->events[NYTP_EVENT_SWITCH]);
    return NYTP_OK;
}

/* The ticks of place 0, which is outside statements, are those of the nodes, to be shared among lines. */
static enum nytp_code take_shared(loader *l, const nytp_stream *s, uint32_t node, int64_t ticks) {
    nytp_process *process = &l->p->processes[s->process];
    process->outside = nytp_ticks_minus(process->outside, ticks);
    return nytp_shares_time(&l->shares, node, ticks);
}

static enum nytp_code take_seen(loader *l, const nytp_stream *s, const nytp_rec_seen *r) {
    uint32_t place = known(&s->places, r->place, 0), node = known(&s->nodes, r->node, NYTP_UNKNOWN);
    if (!place || !s->is_seen) return NYTP_OK;
    return nytp_shares_seen(&l->shares, l->p, node, place, r) ? nytp_loader_no_memory(l) : NYTP_OK;
}

static enum nytp_code take_node_delta(loader *l, nytp_stream *s, const nytp_rec_delta *r, float spread) {
    nytp_node *node = &l->p->nodes[known(&s->nodes, r->id, NYTP_UNKNOWN)];
    node->calls = nytp_ticks_add(node->calls, r->count);
    int64_t ticks = nytp_stream_scaled(s, r->ticks);
    if (l->options->keep_calls && nytp_timeline_charge(&s->timeline, (uint32_t)(node - l->p->nodes), ticks))
        return nytp_loader_no_memory(l);
    if (nytp_stretches_charge(l, s, (uint32_t)(node - l->p->nodes), ticks)) return l->e->code;
    node->exclusive = nytp_ticks_add(node->exclusive, ticks);
    node->spread += nytp_stream_spread(s, spread);
    if (s->is_sampled) node->sampled = nytp_ticks_add(node->sampled, ticks);
    int is_of_window = s->info.end > s->info.start; /* else of calls known from an earlier file, which no line has */
    if (s->is_seen && is_of_window && take_shared(l, s, (uint32_t)(node - l->p->nodes), ticks))
        return nytp_loader_no_memory(l);
    s->node_sum.ticks = nytp_ticks_add(s->node_sum.ticks, r->ticks);
    s->node_sum.deltas++;
    return NYTP_OK;
}

static enum nytp_code take_call_entry(loader *l, nytp_stream *s, const nytp_rec_call_entry *r) {
    uint32_t node = known(&s->nodes, r->node, NYTP_UNKNOWN);
    int failed = l->options->keep_calls && nytp_timeline_begin(&s->timeline, l->p, &l->p->processes[s->process], node);
    return failed ? nytp_loader_no_memory(l) : NYTP_OK;
}

static enum nytp_code take_call_return(loader *l, nytp_stream *s, const nytp_rec_call_return *r) {
    uint32_t node = known(&s->nodes, r->node, NYTP_UNKNOWN);
    if (l->options->keep_calls) nytp_timeline_end(&s->timeline, &l->p->processes[s->process], node);
    return NYTP_OK;
}

/* Blocks are always in our captures, but asked for with blocks=1 only. */
static enum nytp_code take_option(loader *l, const nytp_stream *s, const nytp_rec_pair *r) {
    if (nytp_str_eq(r->key, NYTP_LIT("blocks")) && !nytp_str_eq(r->value, NYTP_LIT("0"))) l->p->has_blocks = 1;
    return nytp_loader_pair(l, s->process, NYTP_REC_OPTION, r->key, r->value);
}

static enum nytp_code take_property(loader *l, nytp_stream *s, const nytp_rec_pair *r) {
    if (nytp_str_eq(r->key, NYTP_LIT("duty"))) s->is_sampled = l->is_sampled = 1;
    if (nytp_str_eq(r->key, NYTP_LIT("sampling"))) l->p->processes[s->process].is_uncounted = l->p->is_uncounted = 1;
    if (nytp_str_eq(r->key, NYTP_LIT("ring"))) s->is_ring = 1;
    if (nytp_str_eq(r->key, NYTP_LIT("lines"))) s->is_seen = l->is_seen = l->p->is_seen = 1;
    if (nytp_str_eq(r->key, NYTP_LIT("sources"))) s->sources = nytp_arena_str(&l->p->arena, r->value);
    if (nytp_str_eq(r->key, NYTP_LIT("store"))) s->store = nytp_arena_str(&l->p->arena, r->value);
    if (nytp_str_eq(r->key, NYTP_LIT("sources_until"))) s->sources_until = nytp_inherited_until(r->value);
    return nytp_loader_pair(l, s->process, NYTP_REC_PROPERTY, r->key, r->value);
}

static enum nytp_code take_note(loader *l, const nytp_rec_note *r) {
    nytp_notes_add(l->p, "%.*s", (int)(r->text.n < NYTP_ERROR_TEXT ? r->text.n : NYTP_ERROR_TEXT), r->text.p);
    return NYTP_OK;
}

/* The stretch comes first, as the window has a new anchor of the clock. */
static enum nytp_code take_window(loader *l, nytp_stream *s, const nytp_rec_window *r) {
    if (nytp_stretches_window(l, s, r)) return l->e->code;
    nytp_stream_window(s, l->p, r);
    return NYTP_OK;
}

/* The properties, of which one may name the main program, stand before all that is of calls. */
static int is_property(uint64_t kind) {
    return kind == NYTP_REC_PROCESS_START || kind == NYTP_REC_OPTION || kind == NYTP_REC_PROPERTY ||
           kind == NYTP_REC_ATTRIBUTE || kind == NYTP_REC_NOTE;
}

enum nytp_code nytp_take_record(nytp_loader *l, nytp_stream *s, const nytp_record *r) {
    if (!is_property(r->kind) && nytp_root_learn(l, s)) return l->e->code;
    switch (r->kind) {
    case NYTP_REC_PROCESS_START: return take_process_start(l, s, &r->u.process_start);
    case NYTP_REC_PROCESS_END: return take_process_end(l, s, &r->u.process_end);
    case NYTP_REC_OPTION: return take_option(l, s, &r->u.pair);
    case NYTP_REC_PROPERTY: return take_property(l, s, &r->u.pair);
    case NYTP_REC_ATTRIBUTE: return nytp_loader_pair(l, s->process, r->kind, r->u.pair.key, r->u.pair.value);
    case NYTP_REC_NOTE: return take_note(l, &r->u.note);
    case NYTP_REC_FILE: return take_file(l, s, &r->u.file);
    case NYTP_REC_SOURCE: return take_source(l, s, &r->u.source);
    case NYTP_REC_STORED: return nytp_stored_refer(l, known(&s->files, r->u.stored.file, 0), r->u.stored.key);
    case NYTP_REC_CARRIED: return nytp_statements_carried(l, known(&s->files, r->u.carried.file, 0), &r->u.carried);
    case NYTP_REC_CODE: return nytp_statements_code(l, known(&s->files, r->u.code.file, 0), &r->u.code);
    case NYTP_REC_SUB: return take_sub(l, s, &r->u.sub);
    case NYTP_REC_PLACE: return take_place(l, s, &r->u.place);
    case NYTP_REC_NODE: return take_node(l, s, &r->u.node);
    case NYTP_REC_TAIL: return take_tail(l, s, &r->u.tail);
    case NYTP_REC_PLACE_DELTA: return take_place_delta(l, s, &r->u.delta, r->spread);
    case NYTP_REC_SEEN: return take_seen(l, s, &r->u.seen);
    case NYTP_REC_NODE_DELTA: return take_node_delta(l, s, &r->u.delta, r->spread);
    case NYTP_REC_CALL_ENTRY: return take_call_entry(l, s, &r->u.call_entry);
    case NYTP_REC_CALL_RETURN: return take_call_return(l, s, &r->u.call_return);
    case NYTP_REC_METRIC: return nytp_values_define(l, s, &r->u.metric);
    case NYTP_REC_VALUES: return nytp_values_take(l, s, &r->u.value);
    case NYTP_REC_OLD_PLACE_MEMORY: return nytp_values_memory(l, s, NYTP_OF_PLACE, &r->u.memory);
    case NYTP_REC_OLD_NODE_MEMORY: return nytp_values_memory(l, s, NYTP_OF_NODE, &r->u.memory);
    case NYTP_REC_MARK: return nytp_named_mark(l, s, &r->u.mark);
    case NYTP_REC_LABEL: return nytp_named_label(l, s, &r->u.label);
    case NYTP_REC_TALLY: return nytp_named_tally(l, s, &r->u.tally);
    case NYTP_REC_BUCKETS: return nytp_named_bucket(l, s, &r->u.bucket);
    case NYTP_REC_WINDOW: return take_window(l, s, &r->u.window);
    case NYTP_REC_COST: return take_cost(l, s, &r->u.cost);
    case NYTP_REC_END: return take_end(l, s, &r->u.end);
    default: return NYTP_OK; /* prices: capture/correct has applied them */
    }
}
