/* SPDX-License-Identifier: MIT */
/* file.c - files and string evals by perl's names. */
#include "perl/body.h"

#include <unistd.h>

#include "base/grow.h"
#include "perl/directive.h"
#include "perl/filename.h"
#include "perl/pool.h"
#include "record/places.h"

/* ---- evals ---- */

static const nytp_live_file *unknown_invoker(nytp_glue *g, U32 via) {
    static const nytp_str name = {"/unknown-eval-invoker", 21};
    const nytp_live_file *f = nytp_places_find_file(&g->r, name);
    nytp_rec_file what = {0};
    what.name = name;
    what.flags = NYTP_FILE_FAKE | NYTP_FILE_EVAL | via;
    return f ? f : nytp_places_add_file(&g->r, &what);
}

/* An eval's name contains that of its invoker, and so on: 16 kB are a thousand nested evals, which are looked up from
 * the inside out. A `# line` directive could name more than the C stack permits. */
#define LONGEST_EVAL_NAME 16384

/* 0 when memory is short. An eval has an invoker even if its name does not give it. */
static int find_parent(pTHX_ nytp_glue *g, nytp_rec_file *what) {
    nytp_str file;
    uint32_t line = 1;
    const nytp_live_file *parent;
    U32 via = (U32)what->flags & (NYTP_FILE_VIA_STMT | NYTP_FILE_VIA_SUB);
    if (what->name.n <= LONGEST_EVAL_NAME && nytp_filename_origin(what->name, &file, &line)) {
        SV *name = newSVpvn(file.p, file.n);
        parent = nytp_file_of(aTHX_ g, SvPV_nolen(name), via);
        SvREFCNT_dec_NN(name);
    } else if (nytp_filename_is_eval(what->name)) {
        parent = unknown_invoker(g, via);
    } else {
        return 1;
    }
    what->parent = parent ? parent->id : 0;
    what->parent_line = line;
    return parent != NULL;
}

/* parent 0: not known. */
static nytp_live_file *add_eval(pTHX_ nytp_glue *g, nytp_rec_file *what, nytp_str text) {
    U32 via = (U32)what->flags;
    if (!what->parent) {
        const nytp_live_file *unknown = unknown_invoker(g, via);
        what->parent = unknown ? unknown->id : 0;
        what->parent_line = 1;
    }
    what->flags |= (text.n ? NYTP_FILE_HAS_SRC : 0u) | (g->options.savesrc ? NYTP_FILE_SAVE_SRC : 0u);
    return what->parent ? nytp_places_add_eval(&g->r, what, text) : NULL;
}

/* ---- evals that were noted while they were compiled ---- */

/* A name contains that of its invoker, and so on: 16 kB are a thousand evals, each inside the other. */
#define LONGEST_NAME 16384

static char *put(char *at, nytp_str text) {
    memcpy(at, text.p, text.n);
    return at + text.n;
}

static char *put_number(char *at, UV n) {
    char digits[24], *first = digits + sizeof digits;
    do *--first = (char)('0' + n % 10);
    while (n /= 10);
    return put(at, (nytp_str){first, (size_t)(digits + sizeof digits - first)});
}

/* "(eval 7)[FILE:LINE]". Without perl's formats, which take a thousand instructions. */
static nytp_str name_of(const nytp_eval *e, nytp_str by, char *text) {
    char *at = put(put_number(put(text, NYTP_LIT("(eval ")), e->link.key), NYTP_LIT(")"));
    if (by.n && by.n <= LONGEST_NAME) {
        at = put(put(put(at, NYTP_LIT("[")), by), NYTP_LIT(":"));
        at = put(put_number(at, e->by_line), NYTP_LIT("]"));
    }
    return (nytp_str){text, (size_t)(at - text)};
}

static nytp_live_file *origin(pTHX_ nytp_glue *g, const nytp_eval *e, U32 via) {
    if (!g->names_evals || !e->by_line) return NULL;
    return e->by ? e->by->file : nytp_file_of(aTHX_ g, e->by_file->name, via);
}

/* A file's name in perl, not the resolved one. */
static nytp_str name_of_origin(const nytp_eval *e) {
    return e->by ? e->by->file->name : nytp_str_c(e->by_file->name);
}

/* As perl numbers its lines. moved is empty. */
static nytp_str text_of(const nytp_eval *e, nytp_buf *moved) {
    char name[64];
    nytp_str own = name_of(e, NYTP_LIT(""), name);
    if (!e->directives || !e->last_line || !nytp_directive_renumber(e->text, own, e->last_line, moved)) return e->text;
    return (nytp_str){(const char *)moved->p, moved->n};
}

/* By a thread, if the program has loaded threads.pm. */
static int may_be_inherited(pTHX) {
#ifdef USE_ITHREADS
    return PL_threadhook != Perl_nothreadhook;
#else
    return 0;
#endif
}

static void add_noted(pTHX_ nytp_glue *g, nytp_eval *e, U32 via) {
    const nytp_live_file *by = origin(aTHX_ g, e, via);
    char name[LONGEST_NAME + 64];
    nytp_buf moved = {0};
    nytp_rec_file what = {0};
    what.name = name_of(e, by ? name_of_origin(e) : (nytp_str){"", 0}, name);
    what.flags = via;
    what.parent = by ? by->id : 0;
    what.parent_line = by ? e->by_line : 1;
    e->file = add_eval(aTHX_ g, &what, text_of(e, &moved));
    nytp_buf_free(&moved);
    if (!e->directives && !may_be_inherited(aTHX)) nytp_eval_forget_text(e);
}

/* Defines the evals around this one first, from the outermost in. */
static nytp_eval *outermost_unmet(nytp_eval *e) {
    while (e->by && !e->by->file) e = e->by;
    return e;
}

nytp_live_file *nytp_file_of_eval(pTHX_ nytp_glue *g, nytp_eval *e, U32 via) {
    while (!e->file && via) {
        nytp_eval *outer = outermost_unmet(e);
        add_noted(aTHX_ g, outer, via);
        if (!outer->file) break;
    }
    return e->file;
}

/* ---- files ---- */

/* A relative name is joined with the working directory when it is first seen. */
static SV *absolute(pTHX_ const char *raw) {
    char cwd[4096];
    const char *rest = raw[0] == '.' && raw[1] == '/' ? raw + 2 : raw;
    if (!getcwd(cwd, sizeof cwd)) return newSVpv(raw, 0);
    return newSVpvf("%s/%s", cwd, rest);
}

/* Names that are no paths: #line 1 "template x from DATA section", without such a file. */
static int is_words(pTHX_ const char *raw) {
    Stat_t st;
    PERL_UNUSED_CONTEXT;
    return strchr(raw, ' ') && !nytp_filename_autosplit_from(nytp_str_c(raw)).n && PerlLIO_stat(raw, &st) != 0;
}

static int is_relative(nytp_str name) {
    nytp_str file;
    uint32_t line;
    return name.n && name.p[0] != '/' && !nytp_filename_is_special(name) && !nytp_filename_is_eval(name) &&
           !nytp_filename_origin(name, &file, &line);
}

/* perl runs FILE.pmc in place of FILE.pm; it counts as such unless the .pm has been changed since. */
static int is_replaced(char *path, size_t n, uint64_t mtime) {
    Stat_t st;
    path[n] = 'c';
    path[n + 1] = 0;
    return PerlLIO_stat(path, &st) == 0 && (uint64_t)st.st_mtime >= mtime;
}

static void stat_file(nytp_rec_file *what, nytp_unit *u) {
    char path[4096];
    size_t n = what->name.n;
    if (nytp_filename_is_special(what->name) || nytp_filename_is_loader(what->name) || n + 2 > sizeof path) return;
    memcpy(path, what->name.p, n);
    path[n] = 0;
    u->on_disk = PerlLIO_stat(path, &u->identity) == 0;
    if (u->on_disk) {
        what->size = (uint64_t)u->identity.st_size;
        what->mtime = (uint64_t)u->identity.st_mtime;
    }
    if (nytp_str_ends(what->name, NYTP_LIT(".pm")) && is_replaced(path, n, what->mtime)) {
        what->flags |= NYTP_FILE_PMC;
        u->on_disk = PerlLIO_stat(path, &u->identity) == 0;
    }
    u->on_disk = u->on_disk && S_ISREG(u->identity.st_mode);
}

/* A name without a file may have lines in a string eval or in another file. */
static void look_elsewhere(pTHX_ nytp_glue *g, nytp_live_file *f, const nytp_unit *u) {
    nytp_buf text = {0};
    if (nytp_perl_source_has_lines(aTHX_ u->name)) return;
    if ((nytp_eval_directed(g, u->name, &text) || nytp_virtual_text(aTHX_ g, u, &text)) && !text.failed)
        f->text = nytp_arena_str(nytp_arena_of(&g->r), (nytp_str){(const char *)text.p, text.n});
    nytp_buf_free(&text);
}

static nytp_live_file *add_file(pTHX_ nytp_glue *g, const char *raw, nytp_rec_file *what) {
    nytp_unit *u = nytp_unit_of(g, nytp_str_c(raw));
    if (!u) return NULL;
    stat_file(what, u);
    if (nytp_filename_is_special(what->name)) what->flags |= NYTP_FILE_EVAL;
    u->kept = (U32)nytp_perl_source_is_kept(aTHX_ g, raw);
    if (g->keeps_source && (u->on_disk || u->kept)) what->flags |= NYTP_FILE_HAS_SRC;
    nytp_live_file *f = nytp_places_add_file(&g->r, what);
    if (!f) return NULL;
    f->front = u;
    nytp_perl_disk_take(g, f, u);
    if (g->keeps_source && !u->on_disk) look_elsewhere(aTHX_ g, f, u);
    if (f->text.n) f->flags |= NYTP_FILE_HAS_SRC;
    return f;
}

static nytp_live_file *add(pTHX_ nytp_glue *g, const char *raw, nytp_str name, U32 via) {
    nytp_rec_file what = {0};
    what.name = name;
    what.flags = via;
    if (!find_parent(aTHX_ g, &what)) return NULL;
    if (nytp_filename_is_eval(name)) return add_eval(aTHX_ g, &what, NYTP_LIT(""));
    if (g->options.savesrc) what.flags |= NYTP_FILE_SAVE_SRC;
    if (nytp_filename_autosplit_from(name).n) what.flags |= NYTP_FILE_AUTOSPLIT;
    return add_file(aTHX_ g, raw, &what);
}

/* A sub that AutoSplit put into a file of its own has the line numbers of the module it was taken from: the latest one
 * of that name. */
static nytp_live_file *split_from(const nytp_glue *g, nytp_str name) {
    nytp_str from = nytp_filename_autosplit_from(name);
    for (uint32_t id = from.n ? nytp_places_files(&g->r) : 0; id; id--) {
        nytp_live_file *f = nytp_places_file(&g->r, id);
        if (!(f->flags & NYTP_FILE_AUTOSPLIT) && nytp_str_eq(nytp_filename_base(f->name), from)) return f;
    }
    return NULL;
}

static int is_name(const void *of, uint32_t number, const void *raw) {
    return strEQ(((const nytp_resolved *)of)->list[number - 1].raw, (const char *)raw);
}

/* NULL when memory is short. */
static nytp_resolved_name *add_name(nytp_resolved *all, const char *raw) {
    uint32_t *number = nytp_table_at(&all->by_name, nytp_str_hash(nytp_str_c(raw)), is_name, all, raw);
    nytp_resolved_name *slot = nytp_grow_owned(&all->list, all->n, &all->room, sizeof *slot);
    char *copy = number && slot ? strdup(raw) : NULL;
    if (!copy) return NULL;
    *slot = (nytp_resolved_name){copy, NULL, 0};
    *number = ++all->n;
    return slot;
}

void nytp_file_forget(nytp_resolved *all) {
    for (U32 i = 0; i < all->n; i++) {
        free(all->list[i].raw);
        free(all->list[i].full);
    }
    free(all->list);
    nytp_table_free(&all->by_name);
    Zero(all, 1, nytp_resolved);
}

/* NULL: empty, or memory is short. */
static char *copy_of(nytp_str name) {
    char *copy = name.n ? (char *)malloc(name.n + 1) : NULL;
    if (!copy) return NULL;
    memcpy(copy, name.p, name.n);
    copy[name.n] = 0;
    return copy;
}

int nytp_file_inherit(nytp_glue *g, const nytp_glue *from) {
    for (U32 i = 0; i < from->resolved.n; i++) {
        const nytp_resolved_name *name = from->resolved.list + i;
        const nytp_live_file *f = name->id ? nytp_places_file(&from->r, name->id) : NULL;
        nytp_resolved_name *copy = add_name(&g->resolved, name->raw);
        if (!copy) return 0;
        copy->full = copy_of(f ? f->name : nytp_str_c(name->full ? name->full : ""));
    }
    return 1;
}

void nytp_file_meet_inherited(nytp_glue *g) {
    for (U32 i = 0; i < g->resolved.n; i++) {
        const nytp_resolved_name *name = g->resolved.list + i;
        nytp_live_file *f = name->full ? nytp_places_find_file(&g->r, nytp_str_c(name->full)) : NULL;
        if (f && !f->front && !(f->flags & NYTP_FILE_EVAL)) f->front = nytp_unit_known(g, nytp_str_c(name->raw));
    }
}

static SV *full_name(pTHX_ const char *raw, const char *inherited) {
    if (inherited) return newSVpv(inherited, 0);
    return *raw == '/' || is_words(aTHX_ raw) ? newSVpv(raw, 0) : absolute(aTHX_ raw);
}

/* Files with another name than perl's: relative names, and parts of other files. */
static nytp_live_file *resolved(pTHX_ nytp_glue *g, const char *raw, U32 via) {
    nytp_resolved *all = &g->resolved;
    uint32_t known = nytp_table_get(&all->by_name, nytp_str_hash(nytp_str_c(raw)), is_name, all, raw);
    uint32_t id = known ? all->list[known - 1].id : 0;
    if (id || !via) return id ? nytp_places_file(&g->r, id) : NULL;
    SV *full = full_name(aTHX_ raw, known ? all->list[known - 1].full : NULL);
    nytp_str name = {SvPVX_const(full), SvCUR(full)};
    nytp_live_file *f = split_from(g, name);
    if (!f) f = nytp_places_find_file(&g->r, name);
    if (!f) f = add(aTHX_ g, raw, name, via);
    SvREFCNT_dec_NN(full);
    nytp_resolved_name *name_of = !f ? NULL : known ? all->list + known - 1 : add_name(all, raw);
    if (name_of) name_of->id = f->id;
    return f;
}

nytp_live_file *nytp_file_of(pTHX_ nytp_glue *g, const char *raw, U32 via) {
    nytp_str name = nytp_str_c(raw ? raw : "-");
    nytp_eval *eval = nytp_eval_numbered(g, name.p);
    if (eval) return nytp_file_of_eval(aTHX_ g, eval, via);
    if (is_relative(name) || nytp_filename_autosplit_from(name).n) return resolved(aTHX_ g, raw, via);
    nytp_live_file *f = nytp_places_find_file(&g->r, name);
    return f || !via ? f : add(aTHX_ g, raw, name, via);
}
