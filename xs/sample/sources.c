/* SPDX-License-Identifier: MIT */
/* sources.c - files on the disk, and string evals, whose text perl has as long as they run. */
#include "sample/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/disk.h"
#include "record/files.h"
#include "record/options.h"
#include "record/places.h"
#include "record/state.h"
#include "sample/spelled.h"

#define LONGEST_TEXT (1u << 20)
#define MOST_FOLDED (16u << 10) /* evals that share entries; then they are found again */

/* perl's number of the string eval of that name; 0: it is the name of a file. */
static uint64_t eval_number(const char *name) {
    return strncmp(name, "(eval ", 6) == 0 ? strtoull(name + 6, NULL, 10) : 0;
}

/* The name has in it what has run the eval, if that is known. */
static void name_eval(nytp_found *c, const nytp_live_file *by, const nytp_live_place *at) {
    char line[24];
    if (!by || !nytp_options_of(c->r)->nameevals) return;
    snprintf(line, sizeof line, ":%u]", (unsigned)at->line);
    nytp_buf_byte(&c->name, '[');
    nytp_buf_bytes(&c->name, by->name.p, by->name.n);
    nytp_buf_bytes(&c->name, line, strlen(line));
}

static nytp_live_file *make_eval(nytp_found *c, const nytp_frame *f, const nytp_live_place *outer) {
    const nytp_live_file *by = f->kind == NYTP_FRAME_EVAL && outer->file ? nytp_places_file(c->r, outer->file) : NULL;
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT | NYTP_FILE_EVAL, .parent = by ? by->id : 0,
                          .parent_line = by ? outer->line : 0};
    int saves = nytp_options_of(c->r)->savesrc != 0;
    if (saves) what.flags |= NYTP_FILE_HAS_SRC | NYTP_FILE_SAVE_SRC;
    nytp_buf_clear(&c->text);
    if (saves && by) nytp_spelled_text(c->target, f->code, LONGEST_TEXT, &c->text);
    name_eval(c, by, outer);
    what.name = (nytp_str){(const char *)c->name.p, c->name.n};
    return nytp_places_add_eval(c->r, &what, (nytp_str){(const char *)c->text.p, c->text.n});
}

/* The option maxevals limits those with entries of their own; a program may have any number of others. */
static void keep_eval(nytp_found *c, uint64_t number, const nytp_live_file *eval) {
    int is_folded = (eval->flags & NYTP_FILE_FOLDED) != 0;
    if (is_folded && c->folded_evals.n >= MOST_FOLDED) nytp_map_free(&c->folded_evals);
    uint32_t *id = nytp_map_at(is_folded ? &c->folded_evals : &c->evals, number);
    if (id) *id = eval->id;
}

static nytp_live_file *eval_of(nytp_found *c, uint64_t number, const nytp_frame *f, const nytp_live_place *outer) {
    uint32_t id = nytp_map_get(&c->evals, number);
    if (!id) id = nytp_map_get(&c->folded_evals, number);
    if (id) return nytp_places_file(c->r, id);
    nytp_live_file *made = make_eval(c, f, outer);
    if (made) keep_eval(c, number, made);
    return made;
}

/* Of a file that is known by its name only. */
static nytp_live_file *named(nytp_recorder *r, nytp_str name) {
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT, .name = name};
    nytp_live_file *known = nytp_places_find_file(r, name);
    return known ? known : nytp_places_add_file(r, &what);
}

nytp_live_file *nytp_sources_of(nytp_found *c, const nytp_frame *f, const nytp_live_place *outer) {
    nytp_buf_clear(&c->name);
    if (!nytp_spelled_file(c->target, f, &c->name)) return NULL;
    nytp_buf_byte(&c->name, 0);
    if (c->name.failed || !nytp_unwind_is_same(c->target, f)) return NULL;
    c->name.n--;
    uint64_t number = eval_number((const char *)c->name.p);
    if (number) return eval_of(c, number, f, outer);
    if (c->is_elsewhere) return named(c->r, (nytp_str){(const char *)c->name.p, c->name.n});
    nytp_live_file *file = nytp_disk_file(c->r, (const char *)c->name.p);
    if (file && file->taken.n) nytp_files_tell_source(c->r, file);
    return file;
}
