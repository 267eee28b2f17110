/* SPDX-License-Identifier: MIT */
/* larger.c - a capture of a build, of which a larger one is made. */
#include "import/larger.h"

#include "base/map.h"
#include "model/processes.h"

int nytp_larger_is(nytp_str text) {
    return nytp_str_starts(text, NYTP_LIT("NYTProf capture ")) || nytp_str_starts(text, NYTP_LIT("\xF1NYTP"));
}

/* The word behind -o, among arguments and in the text of a shell's command; else the target. */
static nytp_str object_of(const nytp_built *b) {
    nytp_str found = b->target, text = b->command;
    for (size_t i = 0, n, was_o = 0; i < text.n; i += n + 1) {
        for (n = 0; i + n < text.n && text.p[i + n] && text.p[i + n] != ' ';) n++;
        nytp_str word = {text.p + i, n};
        if (was_o && n) found = word;
        was_o = nytp_str_eq(word, NYTP_LIT("-o"));
    }
    return found;
}

static void add(nytp_made *m, nytp_map *numbers, const nytp_built *b, nytp_error *e) {
    nytp_made_process p = {
        .of = {.pid = b->pid, .level = b->level, .words = b->words, .cut = b->cut, .directory = b->directory,
               .target = b->target, .command = b->command},
        .began = b->began, .ended = b->began - 1, .object = object_of(b), .host = b->host};
    if (b->parent) p.parent = nytp_map_get(numbers, (uint64_t)(uintptr_t)b->parent);
    uint32_t number = nytp_made_add(m, &p, e), *at = number ? nytp_map_at(numbers, (uint64_t)(uintptr_t)b) : NULL;
    if (at) *at = number;
    else nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

/* A process has its number by its address, as long as it runs. */
static void end(nytp_made *m, const nytp_map *numbers, const nytp_built *b) {
    uint32_t number = nytp_map_get(numbers, (uint64_t)(uintptr_t)b);
    if (!number) return;
    m->all[number - 1].ended = b->ended;
    m->all[number - 1].used = b->used;
}

enum nytp_code nytp_larger_read(nytp_made *m, nytp_document *d, nytp_error *e) {
    nytp_processes *from = nytp_processes_open(d->path, e);
    nytp_map numbers = {0};
    nytp_built *b;
    uint32_t before = m->n;
    int event;
    while (from && !e->code && (event = nytp_processes_next(from, &b, e)) > 0) {
        if (event == NYTP_PROCESSES_BEGAN) add(m, &numbers, b, e);
        if (event == NYTP_PROCESSES_ENDED) end(m, &numbers, b);
    }
    if (!e->code && m->n == before)
        nytp_error_set(e, NYTP_FORMAT, "%s: no processes of a build, expected a capture of `nytprof make`", d->path);
    nytp_map_free(&numbers);
    nytp_processes_close(from);
    return e->code;
}
