/* SPDX-License-Identifier: MIT */
/* stream.c - the events of a profile, one call of a Perl function each. A capture is replayed as the events of a file
 * of format 5. */
#include "perldata/perldata.h"

#include "v5/input.h"

#define ARGUMENTS 9 /* of SUB_CALLERS, which has the most */

typedef struct tag {
    enum nytp_v5_tag tag;
    const char *name;
} tag;

static const tag tags[] = {
    {NYTP_V5_VERSION, "VERSION"},     {NYTP_V5_ATTRIBUTE, "ATTRIBUTE"},     {NYTP_V5_OPTION, "OPTION"},
    {NYTP_V5_COMMENT, "COMMENT"},     {NYTP_V5_START_DEFLATE, "START_DEFLATE"}, {NYTP_V5_PID_START, "PID_START"},
    {NYTP_V5_PID_END, "PID_END"},     {NYTP_V5_NEW_FID, "NEW_FID"},         {NYTP_V5_TIME_LINE, "TIME_LINE"},
    {NYTP_V5_TIME_BLOCK, "TIME_BLOCK"}, {NYTP_V5_DISCOUNT, "DISCOUNT"},     {NYTP_V5_SUB_ENTRY, "SUB_ENTRY"},
    {NYTP_V5_SUB_RETURN, "SUB_RETURN"}, {NYTP_V5_SUB_INFO, "SUB_INFO"},     {NYTP_V5_SUB_CALLERS, "SUB_CALLERS"},
    {NYTP_V5_SRC_LINE, "SRC_LINE"},
};

/* Memory of a perl temporary, so that it is freed after the savestack is unwound, however the calls end. */
typedef struct telling {
    SV *name[C_ARRAY_LENGTH(tags)];     /* the first argument, read-only */
    SV *function[C_ARRAY_LENGTH(tags)]; /* the code to call, held; NULL for nothing */
    SV *argument[ARGUMENTS];            /* reused for every call */
    int n;                              /* arguments of this call */
    IV chunk;                           /* the value of $. */
    GV *dot;                            /* the handle that $. refers to during the calls */
    SV *error;                          /* a function's exception */
    nytp_v5_input input;
    PerlInterpreter *perl;
} telling;

/* ---- callbacks ---- */

/* The code itself, not the reference to it, which the code may overwrite or delete while it runs. */
static SV *held(pTHX_ SV *reference) { return sv_2mortal(SvREFCNT_inc_simple_NN(SvRV(reference))); }

static SV *function_for(pTHX_ HV *by_tag, const char *name) {
    SV **found = hv_fetch(by_tag, name, (I32)strlen(name), 0);
    if (!found || !SvOK(*found)) found = hv_fetchs(by_tag, "", 0);
    if (!found || !SvOK(*found)) return NULL;
    if (!SvROK(*found) || SvTYPE(SvRV(*found)) != SVt_PVCV)
        croak("The callback for %s is not a CODE reference", name);
    return held(aTHX_ *found);
}

static void choose_functions(pTHX_ telling *t, SV *callback) {
    SV *to = SvROK(callback) ? SvRV(callback) : NULL;
    if (!to || (SvTYPE(to) != SVt_PVCV && SvTYPE(to) != SVt_PVHV)) croak("Not a CODE or HASH reference");
    for (size_t i = 0; i < C_ARRAY_LENGTH(tags); i++) {
        t->name[i] = sv_2mortal(newSVpv(tags[i].name, 0));
        SvREADONLY_on(t->name[i]);
        t->function[i] = SvTYPE(to) == SVt_PVCV ? held(aTHX_ callback) : function_for(aTHX_ (HV *)to, tags[i].name);
    }
}

/* ---- one event ---- */

static void give_number(pTHX_ telling *t, NV value) { sv_setnv(t->argument[t->n++], value); }
static void give_integer(pTHX_ telling *t, IV value) { sv_setiv(t->argument[t->n++], value); }

static void give_text(pTHX_ telling *t, nytp_str s, U32 utf8) {
    SV *sv = t->argument[t->n++];
    sv_setpvn(sv, s.p ? s.p : "", s.n);
    if (utf8) SvUTF8_on(sv);
    else SvUTF8_off(sv);
}

static void give_pid(pTHX_ telling *t, const nytp_v5_event *e) {
    give_integer(aTHX_ t, e->u.pid.pid);
    if (e->tag == NYTP_V5_PID_START) give_integer(aTHX_ t, e->u.pid.parent);
    give_number(aTHX_ t, e->u.pid.time);
}

static void give_fid(pTHX_ telling *t, const nytp_v5_fid *r, U32 utf8) {
    const IV numbers[] = {r->fid, r->eval_fid, r->eval_line, r->flags, r->size, r->mtime};
    for (size_t i = 0; i < C_ARRAY_LENGTH(numbers); i++) give_integer(aTHX_ t, numbers[i]);
    give_text(aTHX_ t, r->name, utf8);
}

static void give_time(pTHX_ telling *t, const nytp_v5_event *e) {
    const nytp_v5_time *r = &e->u.time;
    if (e->tag != NYTP_V5_SUB_ENTRY) give_integer(aTHX_ t, r->ticks);
    give_integer(aTHX_ t, r->fid);
    give_integer(aTHX_ t, r->line);
    if (e->tag != NYTP_V5_TIME_BLOCK) return;
    give_integer(aTHX_ t, r->block_line);
    give_integer(aTHX_ t, r->sub_line);
}

static void give_return(pTHX_ telling *t, const nytp_v5_return *r, U32 utf8) {
    give_integer(aTHX_ t, r->depth);
    give_number(aTHX_ t, r->inclusive);
    give_number(aTHX_ t, r->exclusive);
    give_text(aTHX_ t, r->name, utf8);
}

static void give_sub(pTHX_ telling *t, const nytp_v5_sub *r, U32 utf8) {
    give_integer(aTHX_ t, r->fid);
    give_integer(aTHX_ t, r->first_line);
    give_integer(aTHX_ t, r->last_line);
    give_text(aTHX_ t, r->name, utf8);
}

static void give_callers(pTHX_ telling *t, const nytp_v5_callers *r, U32 utf8) {
    give_integer(aTHX_ t, r->fid);
    give_integer(aTHX_ t, r->line);
    give_integer(aTHX_ t, r->count);
    give_number(aTHX_ t, r->inclusive);
    give_number(aTHX_ t, r->exclusive);
    give_number(aTHX_ t, r->recursive);
    give_integer(aTHX_ t, r->depth);
    give_text(aTHX_ t, r->name, utf8 & NYTP_V5_UTF8);
    give_text(aTHX_ t, r->caller, utf8 & NYTP_V5_UTF8_CALLER);
}

static void give(pTHX_ telling *t, const nytp_v5_event *e) {
    t->n = 0;
    switch (e->tag) {
    case NYTP_V5_VERSION:
        give_integer(aTHX_ t, e->u.version.major);
        give_integer(aTHX_ t, e->u.version.minor);
        break;
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION:
        give_text(aTHX_ t, e->u.pair.key, 0);
        give_text(aTHX_ t, e->u.pair.value, 0);
        break;
    case NYTP_V5_COMMENT: give_text(aTHX_ t, e->u.comment, 0); break;
    case NYTP_V5_PID_START:
    case NYTP_V5_PID_END: give_pid(aTHX_ t, e); break;
    case NYTP_V5_NEW_FID: give_fid(aTHX_ t, &e->u.fid, e->utf8); break;
    case NYTP_V5_TIME_LINE:
    case NYTP_V5_TIME_BLOCK:
    case NYTP_V5_SUB_ENTRY: give_time(aTHX_ t, e); break;
    case NYTP_V5_SUB_RETURN: give_return(aTHX_ t, &e->u.ret, e->utf8); break;
    case NYTP_V5_SUB_INFO: give_sub(aTHX_ t, &e->u.sub, e->utf8); break;
    case NYTP_V5_SUB_CALLERS: give_callers(aTHX_ t, &e->u.callers, e->utf8); break;
    case NYTP_V5_SRC_LINE:
        give_integer(aTHX_ t, e->u.line.fid);
        give_integer(aTHX_ t, e->u.line.line);
        give_text(aTHX_ t, e->u.line.text, e->utf8);
        break;
    case NYTP_V5_DISCOUNT:
    case NYTP_V5_START_DEFLATE: break;
    }
}

/* C code below must not be left by longjmp: an exception is kept until the reader returns, and on a stack of its own a
 * `last` for a loop of the caller's is an exception, too. */
static int call(pTHX_ telling *t, size_t which) {
    dSP;
    PUSHSTACKi(PERLSI_MAGIC);
    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    EXTEND(SP, ARGUMENTS + 1);
    PUSHs(t->name[which]);
    for (int i = 0; i < t->n; i++) PUSHs(t->argument[i]);
    PUTBACK;
    PL_last_in_gv = t->dot;
    IoLINES(GvIOp(t->dot)) = t->chunk;
    call_sv(t->function[which], G_VOID | G_DISCARD | G_EVAL);
    FREETMPS;
    LEAVE;
    POPSTACK;
    if (!SvTRUE(ERRSV)) return 0;
    t->error = newSVsv(ERRSV);
    return 1;
}

static int tell(void *self, const nytp_v5_event *e) {
    telling *t = (telling *)self;
    dTHXa(t->perl);
    size_t which = 0;
    while (which + 1 < C_ARRAY_LENGTH(tags) && tags[which].tag != e->tag) which++;
    if (t->function[which]) {
        give(aTHX_ t, e);
        if (call(aTHX_ t, which)) return 1;
    }
    t->chunk++;
    return 0;
}

/* ---- the whole file ---- */

static void end(pTHX_ void *self) { nytp_v5_input_close(&((telling *)self)->input); }

/* Sets up the calls; $. and $@ are restored at the end. */
static void begin(pTHX_ telling *t, SV *callback) {
    choose_functions(aTHX_ t, callback);
    t->perl = PERL_GET_THX;
    for (int i = 0; i < ARGUMENTS; i++) t->argument[i] = sv_2mortal(newSV(0));
    t->dot = (GV *)sv_2mortal(newSV(0));
    gv_init_pvn(t->dot, gv_stashpvs("Devel::NYTProf::ReadStream", GV_ADD), "CHUNK", 5, 0);
    GvIOp(t->dot) = newIO();
    save_scalar(PL_errgv);
    if (PL_last_in_gv) sv_2mortal(SvREFCNT_inc_simple_NN((SV *)PL_last_in_gv));
    SAVESPTR(PL_last_in_gv);
    SAVEDESTRUCTOR_X(end, t);
}

void nytp_perldata_stream_tell(pTHX_ const char *path, SV *callback, bool every_event) {
    nytp_error e = {0};
    ENTER;
    telling *t = (telling *)SvPVX(sv_2mortal(newSV(sizeof *t)));
    Zero(t, 1, telling);
    begin(aTHX_ t, callback);
    t->input.every_event = every_event;
    nytp_v5_input_tell(&t->input, path, tell, t, &e);
    SV *error = t->error;
    LEAVE;
    if (error) croak_sv(sv_2mortal(error));
    if (e.code) croak("%s\n", e.text);
}
