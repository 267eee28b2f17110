/* SPDX-License-Identifier: MIT */
/* loader.c - shared by the loaders of both formats: processes, pairs, lines of source, clocks and numbers of files. */
#include "model/loader.h"

#include <inttypes.h>
#include <string.h>

#include "base/grow.h"
#include "capture/job.h"
#include "model/language.h"
#include "model/notes.h"
#include "model/source.h"

#define SAME_RATE 0.005 /* rates that differ by less are two estimates for one clock */

enum nytp_code nytp_loader_no_memory(nytp_loader *l) {
    return nytp_error_set(l->e, NYTP_NOMEM, "out of memory while reading a capture");
}

nytp_input *nytp_loader_input(nytp_loader *l, const char *path) {
    nytp_profile *p = l->p;
    nytp_str name = nytp_arena_str(&p->arena, nytp_str_c(path));
    nytp_input *input = nytp_grow(&p->arena, &p->inputs, p->inputs_n, &p->inputs_room, sizeof *input);
    if (!name.p || !input) {
        nytp_loader_no_memory(l);
        return NULL;
    }
    input->name = name;
    p->inputs_n++;
    return input;
}

/* The input has the first, the notes have several. */
enum nytp_code nytp_loader_damage(nytp_loader *l, const char *path, const nytp_rec_damage *d) {
    nytp_input *input = &l->p->inputs[l->p->inputs_n - 1];
    nytp_error text = {0};
    nytp_error_set(&text, NYTP_FORMAT, "%s is damaged: %" PRIu64 " bytes at offset %" PRIu64
                   " could not be read (%.*s).", path, d->length, d->offset, (int)d->reason.n, d->reason.p);
    nytp_notes_add(l->p, "%s", text.text);
    if (!input->damage.p) input->damage = nytp_arena_str(&l->p->arena, nytp_str_c(text.text));
    return input->damage.p ? NYTP_OK : nytp_loader_no_memory(l);
}

nytp_process *nytp_loader_process(nytp_loader *l, const nytp_stream_id *id) {
    nytp_profile *p = l->p;
    nytp_process *process = nytp_grow(&p->arena, &p->processes, p->processes_n, &p->processes_room, sizeof *process);
    if (!process) {
        nytp_loader_no_memory(l);
        return NULL;
    }
    process->id = *id;
    process->has_run = l->writer && id->pid == l->writer;
    p->processes_n++;
    return process;
}

uint64_t nytp_loader_owner(const nytp_stream_id *id) {
    nytp_str run = {(const char *)id->run, sizeof id->run};
    uint64_t h = nytp_str_hash(run) ^ id->process_start * 31;
    return (h ^ (uint64_t)id->pid << 32 ^ id->thread) | 1; /* never 0 */
}

static int is_same_process(const void *of, uint32_t number, const void *like) {
    return nytp_format_same_stream(&((const nytp_profile *)of)->processes[number - 1].id, like);
}

nytp_process *nytp_loader_process_of(nytp_loader *l, const nytp_stream_id *id) {
    nytp_profile *p = l->p;
    uint32_t *number = nytp_table_at(&l->processes, nytp_loader_owner(id), is_same_process, p, id);
    if (number && *number) return &p->processes[*number - 1];
    nytp_process *process = number ? nytp_loader_process(l, id) : NULL;
    if (process) *number = p->processes_n;
    return process;
}

/* A later value of an attribute or option replaces the earlier; a property (inc) may have several. */
static int replaces(const void *of, uint32_t number, const void *like) {
    const nytp_pair *old = &((const nytp_profile *)of)->pairs[number - 1], *new = like;
    return old->kind == new->kind && old->process == new->process && nytp_str_eq(old->key, new->key) &&
           (new->kind != NYTP_REC_PROPERTY || nytp_str_eq(old->value, new->value));
}

/* The address of the number of the pair that this one replaces; 0 there for a new pair. NULL when memory is short. */
static uint32_t *number_of_pair(nytp_loader *l, const nytp_pair *new) {
    uint64_t key = nytp_str_hash(new->key) ^ ((uint64_t)new->process << 8 | new->kind) * 0x9E3779B97F4A7C15u;
    if (new->kind == NYTP_REC_PROPERTY) key ^= nytp_str_hash(new->value) << 1;
    return nytp_table_at(&l->pairs, key, replaces, l->p, new);
}

enum nytp_code nytp_loader_pair(nytp_loader *l, uint32_t process, uint32_t kind, nytp_str key, nytp_str value) {
    nytp_profile *p = l->p;
    nytp_pair new = {nytp_arena_str(&p->arena, key), nytp_arena_str(&p->arena, value), process, kind};
    uint32_t *number = number_of_pair(l, &new);
    if (!new.key.p || !new.value.p || !number) return nytp_loader_no_memory(l);
    if (*number) {
        p->pairs[*number - 1].value = new.value;
        return NYTP_OK;
    }
    nytp_pair *pair = nytp_grow(&p->arena, &p->pairs, p->pairs_n, &p->pairs_room, sizeof *pair);
    if (!pair) return nytp_loader_no_memory(l);
    *pair = new;
    int is_start = kind == NYTP_REC_PROPERTY && nytp_str_eq(key, NYTP_LIT("start_sub"));
    if (is_start) p->processes[process].start_sub = new.value;
    if (kind == NYTP_REC_PROPERTY) nytp_language_tell(&p->processes[process], new.key, new.value);
    *number = ++p->pairs_n;
    return NYTP_OK;
}

enum nytp_code nytp_loader_line(nytp_loader *l, nytp_file *f, uint32_t line, nytp_str text) {
    uint32_t missing = line > f->source_lines ? line - 1 - f->source_lines : 0;
    if (missing > l->gaps) return NYTP_OK;
    l->gaps -= missing;
    return nytp_source_add(l->p, f, line, text) ? nytp_loader_no_memory(l) : NYTP_OK;
}

enum nytp_code nytp_loader_text(nytp_loader *l, nytp_file *f, const nytp_rec_source *r) {
    nytp_str text = r->text;
    uint64_t line = r->first_line;
    if (!line) return NYTP_OK;
    for (size_t at = 0; at < text.n && line < UINT32_MAX; line++) {
        const char *newline = memchr(text.p + at, '\n', text.n - at);
        size_t end = newline ? (size_t)(newline - text.p) + 1 : text.n;
        if (nytp_loader_line(l, f, (uint32_t)line, (nytp_str){text.p + at, end - at})) return NYTP_NOMEM;
        at = end;
    }
    return NYTP_OK;
}

double nytp_loader_scale(nytp_loader *l, const nytp_stream_id *id, uint64_t rate) {
    if (!l->clock_known) {
        l->clock_known = 1;
        l->clock_of = *id;
        l->p->ticks_per_second = rate;
    }
    double ratio = (double)l->p->ticks_per_second / (double)rate;
    return ratio > 1 - SAME_RATE && ratio < 1 + SAME_RATE ? 0 : ratio;
}

void nytp_loader_running(const nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++) {
        nytp_process *process = &p->processes[i];
        if (process->ending != NYTP_ENDING_MISSING) continue;
        if (process->has_run ||
            nytp_job_is_running(nytp_profile_property(p, i, NYTP_LIT("host")), process->id.pid, process->start))
            process->ending = NYTP_ENDING_RUNNING;
    }
}

/* 1 if the number was free; 0 if not, or if memory is short. */
static int could_reserve(nytp_map *taken, uint32_t fid) {
    uint32_t *at = fid ? nytp_map_at(taken, fid) : NULL;
    if (!at || *at) return 0;
    *at = 1;
    return 1;
}

/* Fids of format 5 come first, then indexes as fids, then the next free ones. */
enum nytp_code nytp_loader_number(nytp_loader *l) {
    nytp_profile *p = l->p;
    nytp_map taken = {0};
    uint32_t free_one = 1, missing = 0;
    for (uint32_t i = 1; i < p->files_n; i++)
        if (!could_reserve(&taken, p->files[i].fid)) p->files[i].fid = 0;
    for (uint32_t i = 1; i < p->files_n; i++)
        if (!p->files[i].fid && could_reserve(&taken, i)) p->files[i].fid = i;
    for (uint32_t i = 1; i < p->files_n; i++) {
        if (p->files[i].fid) continue;
        while (nytp_map_get(&taken, free_one)) free_one++;
        p->files[i].fid = free_one++;
        missing += !could_reserve(&taken, p->files[i].fid);
    }
    nytp_map_free(&taken);
    return missing ? nytp_loader_no_memory(l) : NYTP_OK;
}

enum nytp_code nytp_loader_begin(nytp_loader *l) {
    nytp_file file = {0};
    nytp_sub root = {.name = NYTP_LIT("main::RUNTIME"), .flags = NYTP_SUB_PHASE}, unknown = {0};
    nytp_place place = {0};
    nytp_node top = {0}, lost = {.sub = NYTP_UNKNOWN};
    file.name = NYTP_LIT("(unknown file)");
    unknown.name = NYTP_LIT("(unknown sub)");
    int failed = nytp_intern_file(&l->in, &file) || nytp_intern_sub(&l->in, &root) != NYTP_ROOT ||
                 nytp_intern_sub(&l->in, &unknown) != NYTP_UNKNOWN || nytp_intern_place(&l->in, &place) ||
                 nytp_intern_node(&l->in, &top) != NYTP_ROOT || nytp_intern_node(&l->in, &lost) != NYTP_UNKNOWN;
    return failed ? nytp_loader_no_memory(l) : NYTP_OK;
}
