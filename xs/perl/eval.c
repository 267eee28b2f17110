/* SPDX-License-Identifier: MIT */
/* eval.c - string evals: the code that ran each of them, and its text while it may be needed. */
#include "perl/body.h"
#include "perl/growth.h"

#include <stdlib.h>

#include "perl/directive.h"

/* ---- the table ---- */

/* Called for each new statement of an eval, so without strtoul, which takes 200 instructions. */
nytp_eval *nytp_eval_numbered(const nytp_glue *g, const char *name) {
    if (name[0] != '(' || strncmp(name, "(eval ", 6) != 0) return NULL;
    UV number = 0;
    for (name += 6; *name >= '0' && *name <= '9'; name++) number = number * 10 + (UV)(*name - '0');
    return *name == ')' ? (nytp_eval *)(void *)nytp_chain_find(&g->evals, number) : NULL;
}

nytp_eval *nytp_eval_hold(nytp_eval *e) {
    if (e) e->holders++;
    return e;
}

void nytp_eval_forget_text(nytp_eval *e) {
    free((void *)(uintptr_t)e->text.p);
    e->text = (nytp_str){NULL, 0};
}

static void unlist(nytp_glue *g, const nytp_eval *e) {
    if (!e->directives) return;
    if (e->later) e->later->earlier = e->earlier;
    else g->directed = e->earlier;
    if (e->earlier) e->earlier->later = e->later;
}

/* Evals in evals may be nested as deeply as memory allows. */
void nytp_eval_release(nytp_glue *g, nytp_eval *e) {
    while (e && !--e->holders) {
        nytp_eval *by = e->by;
        nytp_chain_remove(&g->evals, &e->link);
        unlist(g, e);
        nytp_eval_forget_text(e);
        free(e);
        e = by;
    }
}

/* ---- text ---- */

#ifdef PERL_RC_STACK
#define NYTP_PLAIN_STACK 0 /* the stack is reference-counted: not touched */
#else
#define NYTP_PLAIN_STACK 1
#endif

/* perl appends this to the text it compiles, and shows it. */
static const nytp_str END = {"\n;", 2};

static void keep_text(nytp_eval *e, nytp_str text) {
    char *copy = (char *)malloc(text.n + END.n);
    if (!copy) return;
    memcpy(copy, text.p, text.n);
    memcpy(copy + text.n, END.p, END.n);
    e->text = (nytp_str){copy, text.n + END.n};
}

/* The text to be compiled, as a plain string. An object or a tied variable is replaced by its string here, as perl is
 * about to do: reading it twice would run the program's code twice, and evals in that code would take the number we
 * expect. The copy is tainted if the original is. */
static nytp_str text_to_compile(pTHX) {
    SSize_t at = PL_stack_sp - PL_stack_base - ((PL_op->op_private & OPpEVAL_HAS_HH) != 0);
    SV *sv = PL_stack_base[at];
    if (!SvPOK(sv) || SvGMAGICAL(sv)) {
        if (!NYTP_PLAIN_STACK) return (nytp_str){"", 0};
        STRLEN n;
        const char *p = SvPV_const(sv, n);
        PL_stack_base[at] = sv = newSVpvn_flags(p, n, SVs_TEMP | SvUTF8(sv));
    }
    return (nytp_str){SvPVX_const(sv), SvCUR(sv)};
}

/* ---- directives ---- */

static uint32_t lines_named(nytp_str text, nytp_str name, nytp_buf *out) {
    nytp_regions regions = {0};
    uint32_t n = 0;
    if (nytp_directive_regions(text, NYTP_LIT(""), &regions)) n = nytp_directive_lines(&regions, name, 0, out);
    nytp_directive_forget(&regions);
    return n;
}

int nytp_eval_directed(const nytp_glue *g, const char *name, nytp_buf *text) {
    for (const nytp_eval *e = g->directed; e; e = e->earlier)
        if (lines_named(e->text, nytp_str_c(name), text)) return 1;
    return 0;
}

static void list_if_directed(nytp_glue *g, nytp_eval *e) {
    if (!nytp_directive_is_in(e->text)) return;
    e->directives = 1;
    e->earlier = g->directed;
    if (e->earlier) e->earlier->later = e;
    g->directed = e;
}

/* ---- threads ---- */

/* A text that the recorder has not written yet may be with the file. */
nytp_eval *nytp_eval_inherit(nytp_glue *g, const nytp_eval *e) {
    nytp_str text = e->text.n || !e->file ? e->text : e->file->text;
    nytp_eval *copy = (nytp_eval *)calloc(1, sizeof *copy);
    char *kept = text.n ? (char *)malloc(text.n) : NULL;
    if (!copy || !nytp_chain_add(&g->evals, &copy->link, e->link.key)) {
        free(copy);
        free(kept);
        return NULL;
    }
    if (kept) memcpy(kept, text.p, text.n);
    copy->text = (nytp_str){kept, kept ? text.n : 0};
    copy->by_line = e->by_line;
    copy->last_line = e->last_line;
    if (kept) list_if_directed(g, copy);
    return copy;
}

/* ---- compiling ---- */

static void pop(nytp_glue *g) {
    nytp_eval *e = g->compiling;
    g->compiling = e->outer;
    nytp_eval_release(g, e);
}

void nytp_eval_stop(nytp_glue *g) {
    while (g->compiling) pop(g);
}

/* Evals in compilation died if the stack pointer is at or above that of their op. */
static void pop_dead(nytp_glue *g, const char *native) {
    while (g->compiling && native >= g->compiling->native) pop(g);
}

static void note_origin(pTHX_ nytp_glue *g, nytp_eval *e) {
    const char *file = CopFILE(PL_curcop);
    if (!file || !CopLINE(PL_curcop)) return;
    e->by = nytp_eval_hold(nytp_eval_numbered(g, file));
    if (!e->by) e->by_file = nytp_unit_of(g, nytp_str_c(file));
    e->by_line = e->by || e->by_file ? CopLINE(PL_curcop) : 0;
}

/* 0 when memory is short. */
static UV begin(pTHX_ nytp_glue *g, nytp_str text, const char *native) {
    pop_dead(g, native);
    UV number = (UV)PL_evalseq + 1;
    nytp_eval *e = (nytp_eval *)calloc(1, sizeof *e);
    if (!e || !nytp_chain_add(&g->evals, &e->link, number)) {
        free(e);
        return 0;
    }
    note_origin(aTHX_ g, e);
    if (g->keeps_source) keep_text(e, text);
    if (e->text.n) list_if_directed(g, e);
    e->holders = 1;
    e->native = native;
    e->outer = g->compiling;
    g->compiling = e;
    return number;
}

/* Evals nested in this one have ended or died. */
static void end(nytp_glue *g, UV number) {
    const nytp_eval *e = g->compiling;
    while (e && e->link.key != number) e = e->outer;
    if (!e) return;
    while (g->compiling != e) pop(g);
    pop(g);
}

OP *nytp_eval_enter(pTHX) {
    dGLUE;
    if (g->perl != THIS_PERL) return PERLS_OWN(OP_ENTEREVAL);
    nytp_str text = text_to_compile(aTHX); /* may run the program's code */
    if (IS_PROFILED) nytp_phase_before_eval(aTHX_ g);
    nytp_growth_work cold = nytp_growth_cold_begin(g);
    UV number = begin(aTHX_ g, text, NATIVE_HERE);
    nytp_growth_cold_end(g, cold);
    OP *next = PERLS_OWN(OP_ENTEREVAL);
    cold = nytp_growth_cold_begin(g);
    if (number) end(g, number);
    nytp_growth_cold_end(g, cold);
    return next;
}
