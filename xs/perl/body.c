/* SPDX-License-Identifier: MIT */
/* body.c - the bodies of subs, noted when perl has made their root op and forgotten when it frees that. */
#include "perl/body.h"
#include "perl/growth.h"

#include <stddef.h>
#include <stdlib.h>

#include "record/subs.h"

/* ---- names ---- */

static void set_name(pTHX_ nytp_body *b, SV *name) {
    STRLEN n;
    const char *text = SvPV_const(name, n);
    char *copy = n ? (char *)malloc(n) : NULL;
    if (!copy) return;
    memcpy(copy, text, n);
    free((void *)(uintptr_t)b->name.p);
    b->name = (nytp_str){copy, n};
    b->flags = SvUTF8(name) ? b->flags | NYTP_BODY_UTF8 : b->flags & ~(U32)NYTP_BODY_UTF8;
}

/* The name in perl's variable for the sub being compiled; empty if a nested sub has overwritten it. To be freed. */
static SV *supposed_name(pTHX) {
    if (!CvANON(PL_compcv) && (!PL_subname || !SvPOK(PL_subname) || strEQ(SvPVX_const(PL_subname), "__ANON__")))
        return newSVpvs("");
    HEK *package = PL_curstash ? HvNAME_HEK(PL_curstash) : NULL;
    SV *sv = package ? newSVhek(package) : newSVpvs("__ANON__");
    sv_catpvs(sv, "::");
    if (CvANON(PL_compcv)) {
        sv_catpvs(sv, "__ANON__");
    } else {
        int whole = strchr(SvPVX_const(PL_subname), ':') || strchr(SvPVX_const(PL_subname), '\'');
        if (whole) sv_setpvs(sv, "");
        sv_catsv(sv, PL_subname);
    }
    return sv;
}

/* ---- files ---- */

static void note_line(nytp_glue *g, nytp_unit *u, U32 line, int complete) {
    if (line > u->last_line) u->last_line = line;
    if (!complete) return;
    u->complete = 1;
    nytp_perl_disk_tell(g, u);
}

/* ---- the table ---- */

static void free_body(nytp_glue *g, nytp_body *b) {
    if (g->newest == b) g->newest = NULL;
    nytp_eval_release(g, b->eval);
    free((void *)(uintptr_t)b->name.p);
    free(b);
}

/* NULL: compiled before our hooks were there. */
static nytp_body *find(const nytp_glue *g, const OP *root) {
    return root ? (nytp_body *)(void *)nytp_chain_find(&g->bodies, PTR2UV(root)) : NULL;
}

/* Uncalled subs of files are listed even if freed, once for each name; so are those of evals with a file of their
 * own. */
static int is_kept(const nytp_body *b) {
    if (b->flags & (NYTP_BODY_CALLED | NYTP_BODY_NO_SUB | NYTP_BODY_HIDDEN) || !b->name.n) return 0;
    return !b->eval || (b->eval->file && !(b->eval->file->flags & NYTP_FILE_FOLDED));
}

static uint64_t key_of_gone(const nytp_body *b) {
    uint64_t key = nytp_str_hash(b->name);
    return b->flags & NYTP_BODY_ANON ? (key ^ PTR2UV(b->file) ^ PTR2UV(b->eval)) + b->last : key;
}

/* A body compiled again under the same name replaces it. */
static void forget_gone(nytp_glue *g, uint64_t key) {
    nytp_body *earlier = (nytp_body *)(void *)nytp_chain_find(&g->gone, key);
    if (!earlier) return;
    nytp_chain_remove(&g->gone, &earlier->link);
    free_body(g, earlier);
}

static void keep(nytp_glue *g, nytp_body *b) {
    uint64_t key = key_of_gone(b);
    forget_gone(g, key);
    if (!nytp_chain_add(&g->gone, &b->link, key)) free_body(g, b);
}

/* The sub compiled last has its root and name by now, unless its body was moved to an existing CV (after `sub f;`). A
 * freed CV is recognised: perl reuses heads of SVs without unmapping them. */
static void name_newest(pTHX_ nytp_glue *g) {
    nytp_body *b = g->newest;
    const CV *cv = g->newest_sub;
    g->newest = NULL;
    if (!b || b->flags & (NYTP_BODY_ANON | NYTP_BODY_CALLED) || SvTYPE(cv) != SVt_PVCV || CvISXSUB(cv)) return;
    if (PTR2UV(CvROOT(cv)) != b->link.key) return;
    ENTER;
    SAVETMPS;
    set_name(aTHX_ b, nytp_fullname_of_cv(aTHX_ cv));
    FREETMPS;
    LEAVE;
    forget_gone(g, key_of_gone(b));
}

/* perl turns a constant sub into a value, and frees its code before the sub exists. */
static int was_none(pTHX_ const nytp_glue *g, const nytp_body *b) {
    return g->newest == b && g->newest_sub == PL_compcv;
}

void nytp_body_freed(pTHX_ nytp_glue *g, const OP *root) {
    nytp_body *b = find(g, root);
    if (!b) return;
    int lives_on = is_kept(b) && !was_none(aTHX_ g, b);
    if (g->newest == b) name_newest(aTHX_ g);
    nytp_chain_remove(&g->bodies, &b->link);
    if (lives_on)
        keep(g, b);
    else
        free_body(g, b);
}

/* A link is the first member of its struct. */
static void free_bodies(nytp_glue *g, nytp_chain *c) {
    for (nytp_link *l = nytp_chain_empty(c), *next; l; l = next) {
        next = l->next;
        free_body(g, (nytp_body *)(void *)l);
    }
}

void nytp_body_end(nytp_glue *g) {
    nytp_eval_stop(g);
    nytp_virtual_end(g);
    free_bodies(g, &g->bodies);
    free_bodies(g, &g->gone);
    nytp_chain_free(&g->evals);
    nytp_unit_free_all(g);
}

/* ---- while perl compiles ---- */

static nytp_body *add(nytp_glue *g, const void *root) {
    nytp_body *b = (nytp_body *)calloc(1, sizeof *b);
    if (!b || !nytp_chain_add(&g->bodies, &b->link, PTR2UV(root))) {
        free(b);
        return NULL;
    }
    b->number = ++g->body_n;
    return b;
}

int nytp_body_inherit(nytp_glue *g, const nytp_body *b, nytp_unit *file, nytp_eval *eval) {
    nytp_body *copy = add(g, INT2PTR(const void *, b->link.key));
    char *name = copy && b->name.n ? (char *)malloc(b->name.n) : NULL;
    if (!copy) return 0;
    if (name) memcpy(name, b->name.p, b->name.n);
    copy->name = (nytp_str){name, name ? b->name.n : 0};
    copy->file = file;
    copy->eval = nytp_eval_hold(eval);
    copy->first = b->first;
    copy->last = b->last;
    copy->flags = b->flags & ~(U32)NYTP_BODY_CALLED;
    return 1;
}

static void describe_sub(pTHX_ nytp_glue *g, nytp_body *b) {
    SV *name = supposed_name(aTHX);
    set_name(aTHX_ b, name);
    SvREFCNT_dec_NN(name);
    b->first = (U32)PL_subline;
    b->last = CopLINE(PL_curcop);
    if (CvANON(PL_compcv)) b->flags |= NYTP_BODY_ANON;
    if (PL_curstash && PL_curstash == PL_debstash) b->flags |= NYTP_BODY_HIDDEN;
    g->newest = b;
    g->newest_sub = PL_compcv;
}

/* While a file is compiled, also by a `require` in a BEGIN block, perl has a handle for it. */
static nytp_eval *compiled_in(pTHX_ const nytp_glue *g) {
    return PL_parser && !PL_parser->rsfp ? g->compiling : NULL;
}

static int is_body_of_sub(int type) { return type == OP_LEAVESUB || type == OP_LEAVESUBLV; }

static void note(pTHX_ nytp_glue *g, const OP *o) {
    nytp_eval *eval = compiled_in(aTHX_ g);
    const char *name = CopFILE(PL_curcop);
    int is_sub = is_body_of_sub(o->op_type) && PL_compcv;
    if (!name || (!is_sub && !eval && o->op_type != OP_LEAVEEVAL)) return;
    nytp_unit *file = eval && nytp_eval_numbered(g, name) == eval ? NULL : nytp_unit_of(g, nytp_str_c(name));
    if (!file && !eval) return; /* memory is short */
    if (file && !eval) note_line(g, file, CopLINE(PL_curcop), o->op_type == OP_LEAVEEVAL);
    if (eval && !file && o->op_type == OP_LEAVEEVAL) eval->last_line = CopLINE(PL_curcop);
    if (!is_sub && !eval) return;
    name_newest(aTHX_ g);
    nytp_body *b = add(g, o);
    if (!b) return;
    b->file = file;
    b->eval = nytp_eval_hold(eval);
    if (eval && file) b->flags |= NYTP_BODY_RENAMED;
    if (is_sub)
        describe_sub(aTHX_ g, b);
    else
        b->flags |= NYTP_BODY_NO_SUB;
}

OP *nytp_body_check(pTHX_ OP *o) {
    int type = o->op_type;
    dGLUE;
    o = nytp_glue_perls_check[type](aTHX_ o);
    if (g->perl == THIS_PERL && o && o->op_type == type) {
        nytp_growth_work cold = nytp_growth_cold_begin(g);
        if (g->shares_code) nytp_subs_forget(&g->r, o);
        nytp_body_freed(aTHX_ g, o); /* unnoticed if another interpreter freed it */
        note(aTHX_ g, o);
        if (type == OP_LEAVEEVAL) nytp_perl_source_watch(aTHX_ g, 1);
        nytp_growth_cold_end(g, cold);
    }
    return o;
}

/* ---- code compiled before the hooks ---- */

/* "FILE:FIRST-LAST" */
static int parse_range(nytp_glue *g, nytp_body *b, nytp_str range) {
    const char *dash = range.p + range.n, *colon;
    while (dash > range.p && *dash != '-') dash--;
    for (colon = dash; colon > range.p && *colon != ':'; colon--) {}
    if (colon == range.p) return 0;
    b->file = nytp_unit_of(g, (nytp_str){range.p, (size_t)(colon - range.p)});
    b->first = (U32)strtoul(colon + 1, NULL, 10);
    b->last = (U32)strtoul(dash + 1, NULL, 10);
    return b->file != NULL;
}

/* Some have no code any more, such as the BEGIN block that loads us: these count as freed. */
static void take_over(pTHX_ nytp_glue *g, SV *name, SV *range) {
    const CV *cv = get_cvn_flags(SvPVX_const(name), SvCUR(name), SvUTF8(name));
    const OP *root = cv && !CvISXSUB(cv) ? CvROOT(cv) : NULL;
    nytp_body *b = SvPOK(range) && !find(g, root) ? add(g, root) : NULL;
    if (!b) return;
    set_name(aTHX_ b, name);
    int good = parse_range(g, b, (nytp_str){SvPVX_const(range), SvCUR(range)});
    if (good && root) return;
    nytp_chain_remove(&g->bodies, &b->link);
    if (good)
        keep(g, b);
    else
        free_body(g, b);
}

/* The array with a file's lines, which perl -d has begun. */
static AV *lines_in(pTHX_ HE *entry) {
    STRLEN n;
    const char *name = HePV(entry, n);
    GV *gv = (GV *)HeVAL(entry);
    return n > 2 && name[0] == '_' && name[1] == '<' && isGV_with_GP(gv) ? GvAV(gv) : NULL;
}

static void forget_lines(pTHX) {
    hv_iterinit(PL_defstash);
    for (HE *he; (he = hv_iternext(PL_defstash)) != NULL;)
        if (lines_in(aTHX_ he)) (void)hv_delete_ent(PL_defstash, hv_iterkeysv(he), G_DISCARD, 0);
}

/* Removes perl's data for debuggers, as if -d had not been given. A tied hash would run code. */
void nytp_body_begin(pTHX_ nytp_glue *g) {
    HV *subs = PL_DBsub ? GvHV(PL_DBsub) : NULL;
    if (!subs || SvRMAGICAL(subs)) return;
    hv_iterinit(subs);
    for (HE *he; (he = hv_iternext(subs)) != NULL;) take_over(aTHX_ g, hv_iterkeysv(he), HeVAL(he));
    if (g->options.perldb) return;
    hv_clear(subs);
    forget_lines(aTHX);
}

/* ---- lookups ---- */

nytp_body *nytp_body_called(pTHX_ nytp_glue *g, const OP *root) {
    nytp_body *b = find(g, root);
    if (b && b == g->newest) name_newest(aTHX_ g);
    return b;
}

/* Other interpreters of the process may have freed code that they share with this one. */
const OP *nytp_body_root(const nytp_glue *g, const nytp_body *b) {
    const OP *root = INT2PTR(const OP *, b->link.key);
    return !g->shares_code && find(g, root) == b ? root : NULL;
}

nytp_live_file *nytp_body_file(pTHX_ nytp_glue *g, const nytp_body *b, U32 via) {
    return b->file ? nytp_file_of(aTHX_ g, b->file->name, via) : nytp_file_of_eval(aTHX_ g, b->eval, via);
}

static int by_number(const void *a, const void *b) {
    U32 x = (*(nytp_body *const *)a)->number, y = (*(nytp_body *const *)b)->number;
    return x < y ? -1 : x > y;
}

static int is_uncalled(const nytp_body *b) {
    return !(b->flags & (NYTP_BODY_CALLED | NYTP_BODY_NO_SUB | NYTP_BODY_HIDDEN));
}

nytp_body **nytp_body_uncalled(pTHX_ nytp_glue *g, U32 *n) {
    name_newest(aTHX_ g);
    U32 all = g->bodies.n + g->gone.n;
    nytp_body **list = all ? (nytp_body **)malloc(all * sizeof *list) : NULL;
    *n = 0;
    if (!list) return NULL;
    nytp_chain_list(&g->bodies, (nytp_link **)(void *)list);
    nytp_chain_list(&g->gone, (nytp_link **)(void *)(list + g->bodies.n));
    for (U32 i = 0; i < all; i++)
        if (is_uncalled(list[i]) && list[i]->number > g->inherited) list[(*n)++] = list[i];
    qsort(list, *n, sizeof *list, by_number);
    return list;
}
