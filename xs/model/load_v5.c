/* SPDX-License-Identifier: MIT */
/* load_v5.c - a file of Devel::NYTProf's own format 5 into the profile: one small function per kind of record.
 *
 * Times are kept to a hundredth of the file's tick: its call sites have seconds, which need not be whole ticks. */
#include "model/load_v5.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/clock.h"
#include "model/notes.h"
#include "model/v5_subs.h"
#include "v5/read.h"

#define FINER 100             /* the profile's ticks to one of the file's: for call sites */
#define DEEPEST 1000          /* nested evals that come before their files */
#define LATELY 16384
#define TOLD 65536            /* events from one report of progress to the next */
#define TICKS_PER_SECOND 10000000.0 /* if the file does not give it */

typedef struct late { /* an eval that came before its file */
    uint32_t file, parent_fid;
} late;

typedef struct v5 {
    nytp_loader *l;
    nytp_v5_reader *reader;
    nytp_input *input;
    nytp_map files;          /* fid to index + 1 */
    nytp_map pids;           /* process of the profile + 1 */
    nytp_v5_subs subs;
    late *late;              /* in the arena of subs */
    uint32_t late_n, late_room;
    uint32_t process;        /* the file's first, of the profile */
    uint32_t starts;         /* PID_STARTs seen */
    nytp_str interpreter;
    double rate;             /* the file's ticks in a second */
    double scale;            /* the profile's ticks in one of the file's; 0 until it is needed */
    int32_t discounted;      /* 1: the next time comes without a count */
    int64_t ticks;           /* of all statements, of the profile */
    uint32_t fid, file;      /* of the statement before */
    uint32_t lately[LATELY]; /* cache of recent places, by line: smaller than the map of all places */
} v5;

static nytp_process *process_of(const v5 *v) {
    return &v->l->p->processes[v->process];
}

/* The process that runs is the latest, as a file has them one behind the other. */
static nytp_process *running_of(const v5 *v) { return &v->l->p->processes[v->l->p->processes_n - 1]; }

static uint32_t file_of(const v5 *v, uint32_t fid) {
    uint32_t found = nytp_map_get(&v->files, fid);
    return found ? found - 1 : 0;
}

/* ---- times ---- */

static double scale_of(v5 *v) {
    if (v->scale > 0) return v->scale;
    double finer = v->rate * FINER;
    uint64_t rate = finer >= 1 && finer < 1e15 ? (uint64_t)finer : (uint64_t)(TICKS_PER_SECOND * FINER);
    double ratio = nytp_loader_scale(v->l, &process_of(v)->id, rate);
    v->scale = FINER * (ratio > 0 ? ratio : 1);
    return v->scale;
}

static int64_t from_seconds(v5 *v, double seconds) {
    scale_of(v);
    return nytp_ticks_whole(seconds * (double)v->l->p->ticks_per_second);
}

/* Exact for times of this millennium; nytp_profile_epoch is the inverse. */
static uint64_t nanoseconds(double epoch) {
    if (!(epoch >= 0 && epoch < 1e10)) return 0;
    uint64_t seconds = (uint64_t)epoch;
    return seconds * 1000000000u + (uint64_t)((epoch - (double)seconds) * 1e9 + 0.5);
}

/* ---- attributes and processes ---- */

static enum nytp_code keep_interpreter(v5 *v, nytp_str version) {
    nytp_buf text = {0};
    nytp_buf_bytes(&text, "perl ", 5);
    nytp_buf_bytes(&text, version.p, version.n);
    int failed = text.failed;
    v->interpreter = nytp_arena_str(&v->l->p->arena, (nytp_str){(const char *)text.p, text.n});
    nytp_buf_free(&text);
    return v->interpreter.p && !failed ? NYTP_OK : nytp_loader_no_memory(v->l);
}

static enum nytp_code take_attribute(v5 *v, const nytp_v5_pair *r) {
    nytp_profile *p = v->l->p;
    nytp_str value = r->value.p ? nytp_arena_str(&p->arena, r->value) : nytp_str_c("");
    if (!value.p) return nytp_loader_no_memory(v->l);
    if (nytp_str_eq(r->key, NYTP_LIT("ticks_per_sec"))) v->rate = strtod(value.p, NULL);
    if (nytp_str_eq(r->key, NYTP_LIT("application"))) process_of(v)->program = value;
    if (nytp_str_eq(r->key, NYTP_LIT("perl_version"))) return keep_interpreter(v, value);
    if (nytp_str_eq(r->key, NYTP_LIT("clock_id"))) process_of(v)->clock_id = strtol(value.p, NULL, 10);
    if (nytp_str_eq(r->key, NYTP_LIT("cumulative_overhead_ticks")))
        process_of(v)->subtracted = nytp_ticks_whole(strtod(value.p, NULL) * scale_of(v));
    return NYTP_OK;
}

static enum nytp_code load_pair(v5 *v, uint32_t kind, const nytp_v5_pair *r) {
    if (!r->value.p) {
        nytp_notes_add(v->l->p, "%s: a line without '=' where an attribute or option was expected is left out.",
                       v->input->name.p);
        return NYTP_OK;
    }
    if (kind == NYTP_REC_ATTRIBUTE && take_attribute(v, r)) return NYTP_NOMEM;
    return nytp_loader_pair(v->l, v->process, kind, r->key, r->value);
}

static enum nytp_code load_start(v5 *v, const nytp_v5_pid *r) {
    nytp_stream_id id = {.process_start = nanoseconds(r->time), .pid = r->pid, .front_end = NYTP_FRONT_PERL};
    if (v->starts++) {
        nytp_timeline_finish(&v->subs.timeline, running_of(v));
        v->subs.timeline = (nytp_timeline){0};
        nytp_process *more = nytp_loader_process(v->l, &id);
        if (!more) return NYTP_NOMEM;
        *more = (nytp_process){.program = process_of(v)->program, .clock_id = process_of(v)->clock_id};
        nytp_paths_settle(&v->subs.paths);
    }
    uint32_t index = v->starts > 1 ? v->l->p->processes_n - 1 : v->process;
    nytp_process *process = &v->l->p->processes[index];
    process->id = id;
    process->parent_pid = r->parent;
    process->start = id.process_start;
    uint32_t *at = nytp_map_at(&v->pids, r->pid);
    if (!at) return nytp_loader_no_memory(v->l);
    *at = index + 1;
    return NYTP_OK;
}

static enum nytp_code load_end(v5 *v, const nytp_v5_pid *r) {
    uint32_t found = nytp_map_get(&v->pids, r->pid);
    if (!found) return NYTP_OK;
    nytp_process *process = &v->l->p->processes[found - 1];
    process->end = nanoseconds(r->time);
    process->ending = NYTP_ENDING_FINISHED;
    process->elapsed = from_seconds(v, nytp_profile_epoch(process->end) - nytp_profile_epoch(process->start));
    return NYTP_OK;
}

/* ---- files ---- */

static enum nytp_code remember_late(v5 *v, uint32_t file, uint32_t parent_fid) {
    late *slot = nytp_grow(&v->subs.arena, &v->late, v->late_n, &v->late_room, sizeof *slot);
    if (!slot) return nytp_loader_no_memory(v->l);
    *slot = (late){file, parent_fid};
    v->late_n++;
    return NYTP_OK;
}

/* Evals with different files or fids are different. */
static enum nytp_code load_fid(v5 *v, const nytp_v5_fid *r, uint32_t utf8) {
    nytp_file f = {.name = r->name, .fid = r->fid, .flags = r->flags, .size = r->size, .mtime = r->mtime,
                   .parent = file_of(v, r->eval_fid), .parent_line = nytp_loader_narrow(r->eval_line),
                   .process = v->process + 1};
    if (utf8) f.flags |= NYTP_FILE_UTF8;
    if (r->eval_fid) f.owner = (uint64_t)(v->input - v->l->p->inputs + 1) << 32 | r->fid;
    uint32_t index = nytp_intern_file(&v->l->in, &f), *at = nytp_map_at(&v->files, r->fid);
    if (index == NYTP_INTERN_FAILED || !at) return nytp_loader_no_memory(v->l);
    *at = index + 1;
    v->fid = 0;
    return r->eval_fid && !f.parent ? remember_late(v, index, r->eval_fid) : NYTP_OK;
}

/* Evals nested deeper than DEEPEST count as such too: only a hostile file has them. */
static int is_inside(const nytp_profile *p, uint32_t file, uint32_t of) {
    int depth = 0;
    while (file && file != of && depth++ < DEEPEST) file = p->files[file].parent;
    return file != 0;
}

static void settle_parents(v5 *v) {
    nytp_profile *p = v->l->p;
    for (uint32_t i = 0; i < v->late_n; i++) {
        nytp_file *f = &p->files[v->late[i].file];
        uint32_t parent = file_of(v, v->late[i].parent_fid);
        if (parent && !is_inside(p, parent, v->late[i].file)) {
            f->parent = parent;
            continue;
        }
        nytp_notes_add(p, "%s: %.*s was run by file %u, which is unknown.", v->input->name.p, (int)f->name.n, f->name.p,
                       v->late[i].parent_fid);
    }
}

static enum nytp_code load_source(v5 *v, const nytp_v5_line *r) {
    nytp_file *f = &v->l->p->files[file_of(v, r->fid)];
    if (f == v->l->p->files || !r->line || r->line == UINT32_MAX) return NYTP_OK;
    return nytp_loader_line(v->l, f, r->line, r->text);
}

/* ---- statements ---- */

static enum nytp_code load_time(v5 *v, const nytp_v5_time *r) {
    nytp_profile *p = v->l->p;
    if (r->fid != v->fid) {
        v->fid = r->fid;
        v->file = file_of(v, r->fid);
    }
    nytp_place like = {.file = v->file, .line = nytp_loader_narrow(r->line),
                       .block_line = nytp_loader_narrow(r->block_line),
                       .sub_line = nytp_loader_narrow(r->sub_line)};
    uint32_t *lately = &v->lately[(like.line * 31 + like.file * 2654435761u) % LATELY];
    if (*lately >= p->places_n || !nytp_intern_is_place(&p->places[*lately], &like))
        *lately = nytp_intern_place(&v->l->in, &like);
    uint32_t index = *lately;
    if (index == NYTP_INTERN_FAILED) return nytp_loader_no_memory(v->l);
    int64_t ticks = nytp_ticks_whole((double)r->ticks * scale_of(v));
    p->places[index].ticks = nytp_ticks_add(p->places[index].ticks, ticks);
    p->places[index].count += !v->discounted;
    p->totals.resumed += v->discounted;
    v->ticks = nytp_ticks_add(v->ticks, ticks);
    if (v->l->options->keep_calls) nytp_timeline_pass(&v->subs.timeline, ticks);
    v->discounted = 0;
    return NYTP_OK;
}

/* ---- subs ---- */

static enum nytp_code load_sub(v5 *v, nytp_v5_sub r, uint32_t utf8) {
    r.first_line = nytp_loader_narrow(r.first_line);
    r.last_line = nytp_loader_narrow(r.last_line);
    return nytp_v5_subs_lines(&v->subs, &r, utf8, file_of(v, r.fid));
}

static enum nytp_code load_callers(v5 *v, const nytp_v5_callers *r, uint32_t utf8) {
    nytp_edge e = {.file = file_of(v, r->fid), .line = nytp_loader_narrow(r->line), .calls = r->count,
                   .depth = r->depth, .inclusive = from_seconds(v, r->inclusive),
                   .exclusive = from_seconds(v, r->exclusive), .recursive = from_seconds(v, r->recursive)};
    if (r->fid == 0 && r->line == 0 && r->count == 0) return nytp_v5_subs_mark(&v->subs, r->name, utf8);
    return nytp_v5_subs_call(&v->subs, r, utf8, &e);
}

static enum nytp_code load_entry(v5 *v) {
    int failed = v->l->options->keep_calls && nytp_timeline_enter(&v->subs.timeline, running_of(v));
    return failed ? nytp_loader_no_memory(v->l) : NYTP_OK;
}

static enum nytp_code load_return(v5 *v, const nytp_v5_return *r, uint32_t utf8) {
    return nytp_v5_subs_return(&v->subs, r, utf8, r->exclusive * scale_of(v), running_of(v));
}

/* ---- events ---- */

static enum nytp_code take(v5 *v, const nytp_v5_event *e) {
    switch (e->tag) {
    case NYTP_V5_TIME_BLOCK: v->l->p->has_blocks = 1; return load_time(v, &e->u.time);
    case NYTP_V5_TIME_LINE: return load_time(v, &e->u.time);
    case NYTP_V5_DISCOUNT: v->discounted = 1; return NYTP_OK;
    case NYTP_V5_SUB_RETURN: return load_return(v, &e->u.ret, e->utf8);
    case NYTP_V5_ATTRIBUTE: return load_pair(v, NYTP_REC_ATTRIBUTE, &e->u.pair);
    case NYTP_V5_OPTION: return load_pair(v, NYTP_REC_OPTION, &e->u.pair);
    case NYTP_V5_PID_START: return load_start(v, &e->u.pid);
    case NYTP_V5_PID_END: return load_end(v, &e->u.pid);
    case NYTP_V5_NEW_FID: return load_fid(v, &e->u.fid, e->utf8);
    case NYTP_V5_SRC_LINE: return load_source(v, &e->u.line);
    case NYTP_V5_SUB_INFO: return load_sub(v, e->u.sub, e->utf8);
    case NYTP_V5_SUB_CALLERS: return load_callers(v, &e->u.callers, e->utf8);
    case NYTP_V5_VERSION: v->input->minor = e->u.version.minor; return NYTP_OK;
    case NYTP_V5_SUB_ENTRY: return load_entry(v);
    default: return NYTP_OK; /* comments, compression */
    }
}

/* Keeps an error of reading as the input's `broken`: the events before it are good. */
static enum nytp_code keep_what_there_is(v5 *v, const nytp_error *e) {
    if (e->code != NYTP_FORMAT) return nytp_error_set(v->l->e, e->code, "%s", e->text);
    nytp_notes_add(v->l->p, "%s", e->text);
    v->input->broken = nytp_arena_str(&v->l->p->arena, nytp_str_c(e->text));
    return v->input->broken.p ? NYTP_OK : nytp_loader_no_memory(v->l);
}

static enum nytp_code read_events(v5 *v) {
    nytp_v5_event e;
    int more;
    for (uint32_t n = 1; (more = nytp_v5_reader_next(v->reader, &e)) > 0; n++) {
        if (take(v, &e)) break;
        if (n % TOLD == 0) nytp_loader_progress(v->l, nytp_v5_reader_offset(v->reader));
    }
    nytp_timeline_finish(&v->subs.timeline, running_of(v));
    if (more > 0) return v->l->e->code;
    return more < 0 ? keep_what_there_is(v, nytp_v5_reader_error(v->reader)) : NYTP_OK;
}

static void describe_process(v5 *v, nytp_process *process) {
    const nytp_clock_row *clock = nytp_clock_rows();
    while (clock->name && clock->id != process->clock_id) clock++;
    process->clock = nytp_str_c(clock->name);
    process->ticks_per_second = v->l->p->ticks_per_second;
    process->resolution = 1;
    process->interpreter = v->interpreter;
    if (!process->start && !v->input->broken.n) process->ending = NYTP_ENDING_FINISHED; /* all have ended */
    if (!process->elapsed) process->elapsed = v->ticks;                                 /* at least */
}

/* Call sites stand at the end of a file: one that is cut has returns of calls without them. */
static int64_t time_in_subs(const v5 *v) {
    int is_cut = v->input->broken.n || !v->subs.edges_n;
    return is_cut && v->subs.returned > v->subs.exclusive ? v->subs.returned : v->subs.exclusive;
}

static enum nytp_code finish(v5 *v) {
    nytp_profile *p = v->l->p;
    settle_parents(v);
    scale_of(v);
    for (uint32_t i = v->process; i < p->processes_n; i++) describe_process(v, &p->processes[i]);
    if (nytp_v5_subs_finish(&v->subs, file_of(v, 1), v->process)) return NYTP_NOMEM;
    /* statement time that is in no sub is the main program's */
    nytp_node *root = &p->nodes[NYTP_ROOT];
    int64_t rest = nytp_ticks_minus(v->ticks, time_in_subs(v));
    if (rest > 0) root->exclusive = nytp_ticks_add(root->exclusive, rest);
    return NYTP_OK;
}

enum nytp_code nytp_load_v5(nytp_loader *l, uint32_t input, nytp_bytes *bytes) {
    nytp_v5_reader *reader = nytp_v5_reader_from(bytes, l->e);
    if (!reader) return l->e->code;
    nytp_stream_id id = {.front_end = NYTP_FRONT_PERL};
    v5 v = {.l = l, .reader = reader, .input = &l->p->inputs[input], .subs = {.l = l}, .process = l->p->processes_n,
            .rate = TICKS_PER_SECOND};
    enum nytp_code code = nytp_loader_process(l, &id) ? read_events(&v) : l->e->code;
    if (!code) code = finish(&v);
    nytp_v5_subs_free(&v.subs);
    nytp_map_free(&v.files);
    nytp_map_free(&v.pids);
    nytp_v5_reader_close(reader);
    return code;
}
