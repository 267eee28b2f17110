/* SPDX-License-Identifier: MIT */
/* subs.c - subs and their call sites. The model tells several subs of one name apart, the Perl API does not: their sums
 * are added up, and the last one gives file and lines. */
#include "perldata/perldata.h"

#include "base/ticks.h"

static AV *array_of(SV *ref) { return (AV *)SvRV(ref); }
static HV *hash_of(SV *ref) { return (HV *)SvRV(ref); }

static I32 key_length(nytp_str name, int utf8) { return utf8 ? -(I32)name.n : (I32)name.n; }

static int is_utf8(const nytp_sub *s) { return !!(s->flags & NYTP_SUB_UTF8); }

/* The scalar under a sub's name; made if it is new. */
static SV *by_name(pTHX_ HV *hv, const nytp_sub *s) {
    return *hv_fetch(hv, s->name.p, key_length(s->name, is_utf8(s)), 1);
}

/* The hash that the scalar under that number refers to; made if it is new. */
static HV *by_number(pTHX_ HV *hv, U32 number) {
    char key[16];
    SV *sv = *hv_fetch(hv, key, my_snprintf(key, sizeof key, "%lu", (unsigned long)number), 1);
    if (!SvROK(sv)) sv_setsv(sv, sv_2mortal(newRV_noinc((SV *)newHV())));
    return hash_of(sv);
}

static void add(pTHX_ AV *av, int element, NV value) {
    SV *sv = *av_fetch(av, element, 1);
    sv_setnv(sv, SvNV(sv) + value);
}

static void count(pTHX_ AV *av, int element, int64_t value) {
    SV *sv = *av_fetch(av, element, 1);
    nytp_data_set(aTHX_ sv, nytp_ticks_add(nytp_data_get(aTHX_ sv), value));
}

static void deepen(pTHX_ AV *av, int element, U32 depth) {
    SV *sv = *av_fetch(av, element, 1);
    if (depth > SvUV(sv)) sv_setuv(sv, depth);
}

/* ---- file and lines of a sub ---- */

/* A program's phase belongs to no file; it is listed in the first plain file with a sub of its package. */
static U32 home_of_phase(const nytp_profile *p) {
    U32 best = 0;
    for (U32 i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        if (!s->file || !nytp_str_eq(s->package, NYTP_LIT("main"))) continue;
        if (!best || !p->files[s->file].parent > !p->files[best].parent) best = s->file;
        else if (!p->files[s->file].parent == !p->files[best].parent && s->file < best) best = s->file;
    }
    return best ? best : 1;
}

typedef struct written { /* -1: not known */
    U32 fid;
    IV first, last;
} written;

/* A C function or built-in. In format 5 the end of a sub's first call shows that. */
static int is_not_perl(const nytp_sub *s) {
    return s->flags & (NYTP_SUB_XSUB | NYTP_SUB_OPCODE) && !(s->flags & NYTP_SUB_DIED_FIRST);
}

/* The file of a sub; 0 for a sub without source that is not known to be C. */
static U32 file_of(const nytp_sub *s) {
    return s->file ? s->file : s->flags & NYTP_SUB_PHASE || is_not_perl(s) ? s->home : 0;
}

/* A sub without a file is listed in file 1. */
static written where(const nytp_profile *p, const nytp_sub *s) {
    U32 fid = nytp_data_fid(p, file_of(s));
    if (!fid) fid = 1;
    if (s->flags & NYTP_SUB_PHASE) return (written){s->home ? fid : nytp_data_fid(p, home_of_phase(p)), 1, 1};
    if (s->file || is_not_perl(s)) return (written){fid, (IV)s->first_line, (IV)s->last_line};
    return (written){fid, -1, -1};
}

static void store_line(pTHX_ AV *sub, int element, IV line) {
    if (line >= 0) sv_setiv(*av_fetch(sub, element, 1), line);
    else sv_setsv(*av_fetch(sub, element, 1), &PL_sv_undef);
}

/* ---- one array per name; without CALLED_BY and the rest if the sub was not called ---- */

static SV *new_sub(pTHX_ const nytp_sub *s) {
    AV *av = newAV();
    av_extend(av, NYTP_SIi_elements - 1);
    for (int i = 0; i < NYTP_SIi_CALLED_BY; i++) av_store(av, i, newSV(0));
    sv_setiv(*av_fetch(av, NYTP_SIi_CALL_COUNT, 0), 0);
    sv_setiv(*av_fetch(av, NYTP_SIi_REC_DEPTH, 0), 0);
    sv_setnv(*av_fetch(av, NYTP_SIi_INCL_RTIME, 0), 0);
    sv_setnv(*av_fetch(av, NYTP_SIi_EXCL_RTIME, 0), 0);
    sv_setnv(*av_fetch(av, NYTP_SIi_RECI_RTIME, 0), 0);
    sv_setsv(*av_fetch(av, NYTP_SIi_SUB_NAME, 0), sv_2mortal(nytp_data_str(aTHX_ s->name, is_utf8(s))));
    return newRV_noinc((SV *)av);
}

/* The sub's array; the later of two subs of one name replaces file and lines. */
static AV *sub_array(pTHX_ const nytp_profile *p, HV *subs, const nytp_sub *s) {
    SV *slot = by_name(aTHX_ subs, s);
    if (!SvROK(slot)) sv_setsv(slot, sv_2mortal(new_sub(aTHX_ s)));
    AV *sub = array_of(slot);
    written w = where(p, s);
    sv_setuv(*av_fetch(sub, NYTP_SIi_FID, 0), w.fid);
    store_line(aTHX_ sub, NYTP_SIi_FIRST_LINE, w.first);
    store_line(aTHX_ sub, NYTP_SIi_LAST_LINE, w.last);
    return sub;
}

/* The hash at that element of a file; NULL if there is no such file. */
static HV *hash_of_file(pTHX_ AV *files, U32 fid, int element) {
    SV **file = av_fetch(files, (SSize_t)fid, 0);
    return file && SvROK(*file) ? hash_of(*av_fetch(array_of(*file), element, 0)) : NULL;
}

static void define(pTHX_ HV *subs, AV *files) {
    HE *entry;
    hv_iterinit(subs);
    while ((entry = hv_iternext(subs))) {
        SV *sub = HeVAL(entry);
        U32 fid = (U32)SvUV(*av_fetch(array_of(sub), NYTP_SIi_FID, 0));
        HV *defined = hash_of_file(aTHX_ files, fid, NYTP_FIDi_SUBS_DEFINED);
        if (defined) (void)hv_store_ent(defined, hv_iterkeysv(entry), newRV(SvRV(sub)), 0);
    }
}

/* Lists the sub in another file as well. */
static void define_again(pTHX_ const nytp_profile *p, HV *subs, AV *files, const nytp_again *again) {
    HV *defined = hash_of_file(aTHX_ files, nytp_data_fid(p, again->file), NYTP_FIDi_SUBS_DEFINED);
    const nytp_sub *s = &p->subs[again->sub];
    if (defined) sv_setsv(by_name(aTHX_ defined, s), by_name(aTHX_ subs, s));
}

/* ---- calls ---- */

/* An array of call sums; *slot is to refer to it. names is shared by its two owners. */
static AV *call_array(pTHX_ SV *slot, SV *names) {
    if (SvROK(slot)) return array_of(slot);
    AV *av = newAV();
    av_extend(av, NYTP_SCi_elements - 1);
    for (int i = 0; i < NYTP_SCi_CALLING_SUB; i++) av_store(av, i, newSViv(0));
    av_store(av, NYTP_SCi_CALLING_SUB, newSVsv(names));
    sv_setsv(slot, sv_2mortal(newRV_noinc((SV *)av)));
    return av;
}

static void add_call(pTHX_ const nytp_profile *p, AV *call, const nytp_edge *e) {
    count(aTHX_ call, NYTP_SCi_CALL_COUNT, e->calls);
    add(aTHX_ call, NYTP_SCi_INCL_RTIME, nytp_profile_shown(p, e->inclusive));
    add(aTHX_ call, NYTP_SCi_EXCL_RTIME, nytp_profile_shown(p, e->exclusive));
    add(aTHX_ call, NYTP_SCi_RECI_RTIME, nytp_profile_shown(p, e->recursive));
    deepen(aTHX_ call, NYTP_SCi_REC_DEPTH, e->depth);
}

/* Stores the same sums with the called sub and with the calling file. */
static void store_call(pTHX_ const nytp_profile *p, HV *called_by, AV *files, const nytp_edge *e) {
    U32 fid = nytp_data_fid(p, e->file) ? nytp_data_fid(p, e->file) : 1;
    char key[16];
    I32 length = (I32)my_snprintf(key, sizeof key, "%lu", (unsigned long)e->line);
    SV *slot = *hv_fetch(by_number(aTHX_ called_by, fid), key, length, 1);
    SV *names = SvROK(slot) ? newSVsv(*av_fetch(array_of(slot), NYTP_SCi_CALLING_SUB, 0))
                            : newRV_noinc((SV *)newHV());
    by_name(aTHX_ hash_of(sv_2mortal(names)), &p->subs[e->caller]);
    add_call(aTHX_ p, call_array(aTHX_ slot, names), e);

    HV *made = hash_of_file(aTHX_ files, fid, NYTP_FIDi_SUBS_CALLED);
    if (!made) return;
    SV *site = by_name(aTHX_ by_number(aTHX_ made, e->line), &p->subs[e->callee]);
    add_call(aTHX_ p, call_array(aTHX_ site, names), e);
}

static HV *callers_of(pTHX_ AV *sub) {
    SV *slot = *av_fetch(sub, NYTP_SIi_CALLED_BY, 1);
    if (!SvROK(slot)) sv_setsv(slot, sv_2mortal(newRV_noinc((SV *)newHV())));
    return hash_of(slot);
}

static void store_sub(pTHX_ const nytp_profile *p, HV *subs, AV *files, const nytp_sub *s) {
    AV *sub = sub_array(aTHX_ p, subs, s);
    count(aTHX_ sub, NYTP_SIi_CALL_COUNT, s->calls);
    add(aTHX_ sub, NYTP_SIi_INCL_RTIME, nytp_profile_shown(p, s->inclusive));
    add(aTHX_ sub, NYTP_SIi_EXCL_RTIME, nytp_profile_shown(p, s->exclusive));
    add(aTHX_ sub, NYTP_SIi_RECI_RTIME, nytp_profile_shown(p, s->recursive));
    deepen(aTHX_ sub, NYTP_SIi_REC_DEPTH, s->depth);
    if (is_not_perl(s)) by_number(aTHX_ callers_of(aTHX_ sub), 0); /* the mark of C functions */
    for (U32 i = 0; i < s->callers.n; i++)
        store_call(aTHX_ p, callers_of(aTHX_ sub), files, &p->edges[s->callers.first + i]);
}

/* Phases of the program are not shown, as they are callers only. */
static int is_shown(const nytp_sub *s) {
    return !(s->flags & NYTP_SUB_PHASE) && (s->file || s->callers.n || is_not_perl(s));
}

static int calls_something(const nytp_profile *p, U32 sub) {
    for (U32 i = 0; i < p->edges_n; i++)
        if (p->edges[i].caller == sub) return 1;
    return 0;
}

void nytp_perldata_subs_store(pTHX_ const nytp_profile *p, HV *data, AV *files) {
    HV *subs = nytp_data_new_hash(aTHX_ data, "sub_subinfo");
    const nytp_sub *root = &p->subs[NYTP_ROOT];
    for (U32 i = NYTP_UNKNOWN + 1; i < p->subs_n; i++)
        if (is_shown(&p->subs[i])) store_sub(aTHX_ p, subs, files, &p->subs[i]);
    if (nytp_data_is_v5(p) ? root->home : (U32)calls_something(p, NYTP_ROOT)) sub_array(aTHX_ p, subs, root);
    define(aTHX_ subs, files);
    for (U32 i = 0; i < p->again_n; i++) define_again(aTHX_ p, subs, files, &p->again[i]);
}
