/* SPDX-License-Identifier: MIT */
/* places.h - files and statement sites: interned, numbered, kept for the life of the recorder.
 *
 * The recorder owns the results. NULL means that memory is short; the recorder is then dead. */
#ifndef NYTP_RECORD_PLACES_H
#define NYTP_RECORD_PLACES_H

#include "record/recorder.h"

/* Places with one file and lines, of which some are shared or have been vacant. */
typedef struct nytp_alike {
    nytp_rec_place what;     /* without an id */
    nytp_live_place *shared; /* by all statements in a folded eval; NULL: none */
    nytp_live_place **vacant;
    uint32_t vacant_n, vacant_room;
} nytp_alike;

/* The file of that name, or NULL if it is not known yet. Of folded evals only the latest is found. */
nytp_live_file *nytp_places_find_file(nytp_recorder *r, nytp_str name);

/* A new file; what's id is ignored, its name copied. */
nytp_live_file *nytp_places_add_file(nytp_recorder *r, const nytp_rec_file *what);

/* The file for a new string eval: one of its own while the limits allow, else that of an earlier eval of this site
 * with the same text, else one that all other evals of the site share. what->parent and parent_line are the site. The
 * text is copied while there is room for it (it is needed once more if a fork child or another output file has to
 * define the eval again). */
nytp_live_file *nytp_places_add_eval(nytp_recorder *r, const nytp_rec_file *what, nytp_str text);

/* The same, if that is a file that it would share; NULL if it would get one of its own, or be the first of those that
 * share. */
nytp_live_file *nytp_places_shared_eval(nytp_recorder *r, const nytp_rec_file *what, nytp_str text);

/* The place of a statement: a vacant one with the same values, or, if shared, any such; else a new one. */
nytp_live_place *nytp_places_add(nytp_recorder *r, const nytp_rec_place *what, int shared);

/* The site of the tail calls made at p: a place that is never current, to tell them from ordinary calls at p. */
nytp_live_place *nytp_places_tail(nytp_recorder *r, nytp_live_place *p);

/* The code of p was freed. If the same statement is compiled again it gets p again, so that a program that loads a file
 * repeatedly needs no more places than one that loads it twice. */
void nytp_places_vacate(nytp_recorder *r, nytp_live_place *p);

/* The statement of what->line was merged into the one of what->carrier. The first carrier of a line stays. When memory
 * is short the line is dropped. */
void nytp_places_carry(nytp_recorder *r, const nytp_rec_carried *what);

/* Files by id, from 1 to the number of them. */
static inline uint32_t nytp_places_files(const nytp_recorder *r) { return r->files.n; }

static inline nytp_live_file *nytp_places_file(const nytp_recorder *r, uint32_t id) { return r->files.list[id]; }

/* Frees texts that were to be written with the next window. */
static inline void nytp_places_drop_texts(nytp_recorder *r) {
    for (uint32_t id = 1; id <= r->files.n; id++) nytp_buf_free(&r->files.list[id]->taken);
}

/* The number of string evals with a file of their own. */
static inline uint32_t nytp_places_evals(const nytp_recorder *r) { return r->files.evals; }

#endif
