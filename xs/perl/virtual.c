/* SPDX-License-Identifier: MIT */
/* virtual.c - the text of a name that is no file, but is given by `# line N "name"` to lines of compiled files.
 *
 * When the first such name is met, the files met before and those in %INC, which may have no line under their own name,
 * are searched, each once, and those with directives are kept: so a program of a thousand modules is read once, however
 * many such names it has. */
#include "perl/body.h"

#include <stdlib.h>

#include "perl/directive.h"
#include "perl/filename.h"
#include "record/places.h"

/* The most bytes of such files and of their lines for other names. */
#define MOST_KEPT (16u << 20)

typedef struct nytp_directed {
    struct nytp_directed *next; /* the next older one */
    nytp_buf text;
    nytp_regions regions; /* regions of text */
} directed;

static void forget(directed *d) {
    nytp_buf_free(&d->text);
    nytp_directive_forget(&d->regions);
    free(d);
}

void nytp_virtual_end(nytp_glue *g) {
    for (directed *d = g->directed_files, *next; d; d = next) {
        next = d->next;
        forget(d);
    }
    g->directed_files = NULL;
    g->directed_bytes = 0;
    nytp_map_free(&g->looked_into);
    g->looked_into_met = 0;
}

/* ---- one file ---- */

static size_t size_of(const directed *d) { return d->text.cap + d->regions.room * sizeof *d->regions.list; }

/* A file that was rewritten is searched again. */
static int is_new(nytp_glue *g, const nytp_live_file *file, const nytp_unit *u) {
    const Stat_t *st = &u->identity;
    uint64_t what[4] = {nytp_str_hash(file->name), (uint64_t)st->st_ino, (uint64_t)st->st_size, (uint64_t)st->st_mtime};
    uint32_t *seen = nytp_map_at(&g->looked_into, nytp_str_hash((nytp_str){(const char *)what, sizeof what}));
    if (!seen || *seen) return 0;
    *seen = 1;
    return 1;
}

/* Takes ownership of text. own: perl's name for the file. */
static void keep(nytp_glue *g, nytp_buf text, nytp_str own) {
    nytp_str all = {(const char *)text.p, text.n};
    directed *d = text.n && !text.failed && nytp_directive_is_in(all) ? (directed *)calloc(1, sizeof *d) : NULL;
    if (!d) {
        nytp_buf_free(&text);
        return;
    }
    d->text = text;
    if (nytp_directive_regions(all, own, &d->regions) && size_of(d) <= MOST_KEPT - g->directed_bytes) {
        g->directed_bytes += size_of(d);
        d->next = g->directed_files;
        g->directed_files = d;
    } else {
        forget(d);
    }
}

static void look_into(nytp_glue *g, const nytp_live_file *file, const nytp_unit *u, nytp_str own) {
    nytp_buf text = {0};
    if ((size_t)u->identity.st_size > MOST_KEPT - g->directed_bytes || !is_new(g, file, u)) return;
    nytp_perl_disk_read(file, u, &text);
    keep(g, text, own);
}

void nytp_virtual_keep(nytp_glue *g, const nytp_live_file *file, const nytp_unit *u, nytp_str text) {
    nytp_buf copy = {0};
    if (text.n > MOST_KEPT - g->directed_bytes || !is_new(g, file, u)) return;
    nytp_buf_bytes(&copy, text.p, text.n);
    keep(g, copy, nytp_str_c(u->name));
}

/* ---- all of them ---- */

/* entry: the address of the entry in %INC, which is new when perl compiles the file again. */
static int is_new_entry(nytp_glue *g, const char *path, const void *entry) {
    uint32_t now = (uint32_t)(PTR2UV(entry) >> 3) | 1;
    uint32_t *seen = nytp_map_at(&g->looked_into, nytp_str_hash(nytp_str_c(path)));
    if (!seen || *seen == now) return 0;
    *seen = now;
    return 1;
}

static void look_into_named(nytp_glue *g, const char *path, const void *entry) {
    nytp_live_file file = {0};
    nytp_unit u = {0};
    if (!is_new_entry(g, path, entry)) return;
    file.name = nytp_str_c(path);
    if (PerlLIO_stat(path, &u.identity) == 0 && S_ISREG(u.identity.st_mode)) look_into(g, &file, &u, file.name);
}

static void look_into_met(nytp_glue *g) {
    while (g->looked_into_met < nytp_places_files(&g->r)) {
        const nytp_live_file *f = nytp_places_file(&g->r, ++g->looked_into_met);
        const nytp_unit *u = (const nytp_unit *)f->front;
        if (u && u->on_disk) look_into(g, f, u, nytp_str_c(u->name));
    }
}

static int is_met(const nytp_glue *g, const char *path) {
    const nytp_unit *u = nytp_unit_known(g, nytp_str_c(path));
    return u && u->on_disk;
}

/* Without the hash's iterator, which belongs to the program. */
static void look_into_inc(pTHX_ nytp_glue *g) {
    HV *inc = GvHV(PL_incgv);
    HE **rows = inc && !SvRMAGICAL(inc) ? HvARRAY(inc) : NULL;
    for (STRLEN i = 0; rows && i <= HvMAX(inc); i++)
        for (const HE *he = rows[i]; he; he = HeNEXT(he)) {
            const SV *path = HeVAL(he);
            if (SvPOK(path) && !is_met(g, SvPVX_const(path))) look_into_named(g, SvPVX_const(path), path);
        }
}

static uint32_t lines_in_files(const nytp_glue *g, nytp_str name, nytp_buf *text) {
    uint32_t n = 0;
    for (const directed *d = g->directed_files; d && !n; d = d->next)
        n = nytp_directive_lines(&d->regions, name, 0, text);
    return n;
}

int nytp_virtual_text(pTHX_ nytp_glue *g, const nytp_unit *u, nytp_buf *text) {
    nytp_str name = nytp_str_c(u->name);
    int saved = errno;
    if (nytp_filename_is_special(name) || nytp_filename_is_loader(name)) return 0;
    if (!lines_in_files(g, name, text)) {
        look_into_met(g);
        if (PL_origfilename && !is_met(g, PL_origfilename)) look_into_named(g, PL_origfilename, PL_origfilename);
        look_into_inc(aTHX_ g);
        lines_in_files(g, name, text);
    }
    errno = saved;
    if (text->n) nytp_directive_end((nytp_str){(const char *)text->p, text->n}, u->last_line, &text->n);
    if (!text->n || text->n > MOST_KEPT - g->directed_bytes) return 0;
    g->directed_bytes += text->n;
    return 1;
}
