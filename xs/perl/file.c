/* file.c - files and string evals by the names perl has for them, and their source text. */
#include "perl/glue.h"

#include <unistd.h>

#include "perl/filename.h"
#include "record/places.h"

/* ---- source ---- */

/* perl keeps the lines of a file in @{"_<FILE"} while $^P asks for it, those of an eval only until it ends. A program
 * that ties the array keeps them to itself. */
static AV *lines_of(pTHX_ const char *name) {
    SV *key = newSVpvf("_<%s", name);
    HE *he = hv_fetch_ent(PL_defstash, key, 0, 0);
    SvREFCNT_dec_NN(key);
    GV *gv = he ? (GV *)HeVAL(he) : NULL;
    AV *lines = gv && isGV_with_GP(gv) ? GvAV(gv) : NULL;
    return lines && !SvRMAGICAL(lines) ? lines : NULL;
}

/* A `# line 999999999` makes perl keep an array of that length, with hardly a line in it. */
#define LAST_LINE 10000000

/* Lines first ... up to the last one that perl has. Lines it does not have are empty. */
static uint32_t append_lines(pTHX_ AV *lines, uint32_t first, nytp_buf *text) {
    uint32_t n = 0;
    for (SSize_t i = first; i <= av_len(lines) && i <= LAST_LINE; i++, n++) {
        SV **sv = av_fetch(lines, i, 0);
        if (sv && *sv && SvPOK(*sv) && SvCUR(*sv))
            nytp_buf_bytes(text, SvPVX_const(*sv), SvCUR(*sv));
        else
            nytp_buf_byte(text, '\n');
    }
    return n;
}

static uint32_t count_lines(nytp_str text) {
    uint32_t n = text.n && text.p[text.n - 1] != '\n';
    for (size_t i = 0; i < text.n; i++) n += text.p[i] == '\n';
    return n;
}

/* An eval's text was caught when it began; a file may still be growing while it is compiled. */
uint32_t nytp_file_source(void *glue, const nytp_file *file, nytp_buf *text) {
    nytp_glue *g = (nytp_glue *)glue;
    dTHXa(g->perl);
    if (!g->options.savesrc || (file->parent && file->source_lines)) return 0;
    if (file->text.n) {
        nytp_buf_bytes(text, file->text.p, file->text.n);
        return count_lines(file->text);
    }
    AV *lines = file->front ? lines_of(aTHX_ (const char *)file->front) : NULL;
    return lines ? append_lines(aTHX_ lines, file->source_lines + 1, text) : 0;
}

/* ---- evals ---- */

static const nytp_file *unknown_invoker(nytp_glue *g, U32 via) {
    static const nytp_str name = {"/unknown-eval-invoker", 21};
    const nytp_file *f = nytp_places_find_file(&g->r, name);
    nytp_rec_file what = {0};
    what.name = name;
    what.flags = NYTP_FILE_FAKE | NYTP_FILE_EVAL | via;
    return f ? f : nytp_places_add_file(&g->r, &what);
}

/* An eval's name holds that of who ran it, and so on: 16 kB are a thousand evals, each inside the other, which all have
 * to be looked up from the inside out. A `# line` directive may claim more of them than the C stack bears. */
#define LONGEST_EVAL_NAME 16384

/* 0 when memory is short. An eval stands somewhere even if its name does not say where. */
static int find_parent(pTHX_ nytp_glue *g, nytp_rec_file *what) {
    nytp_str file;
    uint32_t line = 1;
    const nytp_file *parent;
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

/* perl keeps the text of an eval that defines subs for ever, because we asked for source. We have our copy now, and a
 * program that evaluates strings all day shall not grow for our sake. Only for DB::DB are lines looked at again. */
static void forget_lines(pTHX_ const nytp_glue *g, const char *raw) {
    if (g->options.perldb || g->options.use_db_sub) return;
    SV *key = newSVpvf("_<%s", raw);
    (void)hv_delete_ent(PL_defstash, key, G_DISCARD, 0);
    SvREFCNT_dec_NN(key);
}

static nytp_file *add_eval(pTHX_ nytp_glue *g, const char *raw, const nytp_rec_file *what) {
    nytp_buf text = {0};
    AV *lines = g->options.savesrc ? lines_of(aTHX_ raw) : NULL;
    if (lines) append_lines(aTHX_ lines, 1, &text);
    nytp_file *f = nytp_places_add_eval(&g->r, what, (nytp_str){(const char *)text.p, text.n});
    nytp_buf_free(&text);
    if (lines) forget_lines(aTHX_ g, raw);
    return f;
}

/* ---- files ---- */

/* A relative name means what it meant when it was first seen, so it is joined with the working directory of then. */
static SV *absolute(pTHX_ const char *raw) {
    char cwd[4096];
    const char *rest = raw[0] == '.' && raw[1] == '/' ? raw + 2 : raw;
    if (!getcwd(cwd, sizeof cwd)) return newSVpv(raw, 0);
    return newSVpvf("%s/%s", cwd, rest);
}

/* What is no path: #line 1 "template x from DATA section", where there is no such file. */
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

static void stat_file(nytp_rec_file *what) {
    Stat_t st;
    char path[4096];
    size_t n = what->name.n;
    if (nytp_filename_is_special(what->name) || nytp_filename_is_loader(what->name) || n + 2 > sizeof path) return;
    memcpy(path, what->name.p, n);
    path[n] = 0;
    if (PerlLIO_stat(path, &st) == 0) {
        what->size = (uint64_t)st.st_size;
        what->mtime = (uint64_t)st.st_mtime;
    }
    if (nytp_str_ends(what->name, NYTP_LIT(".pm")) && is_replaced(path, n, what->mtime)) what->flags |= NYTP_FILE_PMC;
}

static nytp_file *add_file(pTHX_ nytp_glue *g, const char *raw, nytp_rec_file *what) {
    stat_file(what);
    if (nytp_filename_is_special(what->name)) what->flags |= NYTP_FILE_EVAL;
    nytp_file *f = nytp_places_add_file(&g->r, what);
    nytp_str kept = f ? nytp_arena_str(&g->r.arena, nytp_str_c(raw)) : (nytp_str){NULL, 0};
    if (f) f->front = (void *)kept.p;
    return f;
}

static nytp_file *add(pTHX_ nytp_glue *g, const char *raw, nytp_str name, U32 via) {
    nytp_rec_file what = {0};
    what.name = name;
    what.flags = via | (lines_of(aTHX_ raw) ? NYTP_FILE_HAS_SRC : 0u) | (g->options.savesrc ? NYTP_FILE_SAVE_SRC : 0u);
    if (nytp_filename_autosplit_from(name).n) what.flags |= NYTP_FILE_AUTOSPLIT;
    if (!find_parent(aTHX_ g, &what)) return NULL;
    return nytp_filename_is_eval(name) ? add_eval(aTHX_ g, raw, &what) : add_file(aTHX_ g, raw, &what);
}

/* A sub that AutoSplit put into a file of its own has the line numbers of the module it was taken from: the latest one
 * of that name. */
static nytp_file *split_from(const nytp_glue *g, nytp_str name) {
    nytp_str from = nytp_filename_autosplit_from(name);
    for (uint32_t id = from.n ? g->r.file_n : 0; id; id--) {
        nytp_file *f = g->r.files[id];
        if (!(f->flags & NYTP_FILE_AUTOSPLIT) && nytp_str_eq(nytp_filename_base(f->name), from)) return f;
    }
    return NULL;
}

/* What is not known by perl's own name for it: relative to where we were, or part of another file. Two such names with
 * the same 64-bit hash would be taken for one. */
static nytp_file *resolved(pTHX_ nytp_glue *g, const char *raw, U32 via) {
    uint32_t *id = nytp_map_at(&g->resolved_files, nytp_str_hash(nytp_str_c(raw)));
    if (!id) return NULL;
    if (*id || !via) return *id ? g->r.files[*id] : NULL;
    SV *full = *raw == '/' || is_words(aTHX_ raw) ? newSVpv(raw, 0) : absolute(aTHX_ raw);
    nytp_str name = {SvPVX_const(full), SvCUR(full)};
    nytp_file *f = split_from(g, name);
    if (!f) f = nytp_places_find_file(&g->r, name);
    if (!f) f = add(aTHX_ g, raw, name, via);
    SvREFCNT_dec_NN(full);
    if (f) *id = f->id;
    return f;
}

nytp_file *nytp_file_of(pTHX_ nytp_glue *g, const char *raw, U32 via) {
    nytp_str name = nytp_str_c(raw ? raw : "-");
    if (is_relative(name) || nytp_filename_autosplit_from(name).n) return resolved(aTHX_ g, raw, via);
    nytp_file *f = nytp_places_find_file(&g->r, name);
    return f || !via ? f : add(aTHX_ g, raw, name, via);
}
