/* name.c - what subs are called and where they are, asked once per sub. */
#include "perl/glue.h"

#include "record/subs.h"

typedef struct range {
    uint32_t file, first, last;
} range;

/* %DB::sub has "FILE:FIRST-LAST" under a sub's full name. It is the program's to play with, too: one that is tied, and
 * values that are no strings, would run Perl code if we looked at them. */
static HV *ranges(pTHX) {
    HV *subs = PL_DBsub ? GvHV(PL_DBsub) : get_hv("DB::sub", 0);
    return subs && !SvRMAGICAL(subs) ? subs : NULL;
}

static SV **range_sv(pTHX_ SV *name) {
    HV *subs = ranges(aTHX);
    HE *he = subs ? hv_fetch_ent(subs, name, 0, 0) : NULL;
    return he ? &HeVAL(he) : NULL;
}

/* via 0: only if the file is known already. */
static range parse_range(pTHX_ nytp_glue *g, SV *sv, U32 via) {
    range r = {0, 0, 0};
    STRLEN n;
    if (!SvPOK(sv)) return r;
    const char *text = SvPV_const(sv, n), *end = text + n, *dash = end, *colon;
    while (dash > text && *dash != '-') dash--;
    for (colon = dash; colon > text && *colon != ':'; colon--) {}
    if (colon == text) return r;
    SV *file = sv_2mortal(newSVpvn(text, (STRLEN)(colon - text)));
    const nytp_file *f = nytp_file_of(aTHX_ g, SvPV_nolen(file), via);
    if (!f) return r;
    r.file = f->id;
    r.first = (uint32_t)strtoul(colon + 1, NULL, 10);
    r.last = (uint32_t)strtoul(dash + 1, NULL, 10);
    return r;
}

static nytp_str str_of(pTHX_ SV *sv) {
    STRLEN n;
    const char *p = SvPV_const(sv, n);
    return (nytp_str){p, n};
}

/* Names that are UTF-8 in the program stay so, even where perl stores them as Latin-1: %DB::sub gives them that way. */
static SV *with_package(pTHX_ HV *stash, SV *name) {
    HEK *package = stash ? HvNAME_HEK(stash) : NULL;
    SV *sv = sv_2mortal(package ? newSVhek(package) : newSVpvs("__ANON__"));
    sv_catpvs(sv, "::");
    sv_catsv(sv, name);
    return sv;
}

static SV *name_of_gv(pTHX_ const GV *gv) {
    return with_package(aTHX_ GvSTASH(gv), sv_2mortal(newSVhek(GvNAME_HEK(gv))));
}

static SV *name_of_cv(pTHX_ const CV *cv) {
    if (CvNAMED(cv)) return with_package(aTHX_ CvSTASH(cv), sv_2mortal(newSVhek(CvNAME_HEK((CV *)cv))));
    const GV *gv = CvGV((CV *)cv);
    if (gv && SvTYPE(gv) == SVt_PVGV && isGV_with_GP(gv)) return name_of_gv(aTHX_ gv);
    return with_package(aTHX_ CvSTASH(cv), sv_2mortal(newSVpvf("__UNKNOWN__[%p]", (const void *)cv)));
}

static SV *numbered(pTHX_ nytp_glue *g, SV *name) {
    SV *sv = newSVsv(name);
    while (range_sv(aTHX_ sv)) sv_setpvf(sv, "%" SVf ".%u", SVfARG(name), (unsigned)++g->begins);
    return sv_2mortal(sv);
}

/* Every BEGIN block of a package has the same name and overwrites the last one's range, so it is renamed after the
 * line it begins on (0 for perl's switch -M), in %DB::sub too, before the next one is compiled. */
static SV *name_begin(pTHX_ nytp_glue *g, SV *name) {
    SV **sv = range_sv(aTHX_ name);
    const range r = sv ? parse_range(aTHX_ g, *sv, NYTP_FILE_VIA_SUB) : (range){0, 0, 0};
    if (!r.file) return name;
    SV *unique = numbered(aTHX_ g, sv_2mortal(newSVpvf("%" SVf "@%u", SVfARG(name), (unsigned)r.first)));
    HV *subs = ranges(aTHX);
    (void)hv_store_ent(subs, unique, SvREFCNT_inc_simple_NN(*sv), 0);
    (void)hv_delete_ent(subs, name, G_DISCARD, 0);
    return unique;
}

static int is_begin(pTHX_ SV *name) {
    nytp_str s = str_of(aTHX_ name);
    return nytp_str_ends(s, NYTP_LIT("::BEGIN"));
}

static uint64_t flags_of(const CV *cv, SV *name) {
    return (CvISXSUB(cv) ? NYTP_SUB_XSUB : 0u) | (CvANON(cv) ? NYTP_SUB_ANON : 0u) |
           (SvUTF8(name) ? NYTP_SUB_UTF8 : 0u);
}

static int ends_process(pTHX_ SV *name) {
    nytp_str s = str_of(aTHX_ name);
    return nytp_str_eq(s, NYTP_LIT("POSIX::_exit"));
}

/* While a name is known by its address, the address must not come to mean another name. A sub that takes over another
 * body lets the old name go. */
static void keep_name(pTHX_ nytp_glue *g, const nytp_sub *sub, HEK *name) {
    if (!g->names) g->names = newAV();
    av_store(g->names, (SSize_t)sub->id, newSVhek(name));
}

/* An anonymous sub is named after its eval, "__ANON__[(eval 7)[FILE:LINE]:1]", or after the entry that evals share. */
static SV *name_after_file(pTHX_ SV *name, const nytp_file *f) {
    const char *start = SvPV_nolen_const(name), *in = strstr(start, "__ANON__["), *line = strrchr(start, ':');
    if (!in || !line || !(f->flags & NYTP_FILE_FOLDED)) return name;
    SV *sv = newSVpvn_flags(start, (STRLEN)(in - start), SvUTF8(name) | SVs_TEMP);
    sv_catpvf(sv, "__ANON__[%.*s%s", (int)f->name.n, f->name.p, line);
    return sv;
}

/* What meets a sub's file first is its first statement, which comes next, unless the code is older than our hooks. */
static U32 first_to_see(const CV *cv) {
    const COP *first = nytp_stmt_first(cv);
    return first && first->op_ppaddr != nytp_glue_perl[first->op_type] ? NYTP_FILE_VIA_STMT : NYTP_FILE_VIA_SUB;
}

nytp_sub *nytp_name_sub(pTHX_ nytp_glue *g, nytp_subkey key, const CV *cv) {
    SV *name = name_of_cv(aTHX_ cv);
    SV **in_db_sub = NULL;
    nytp_rec_sub what = {0};
    if (!CvISXSUB(cv)) {
        if (is_begin(aTHX_ name)) name = name_begin(aTHX_ g, name);
        in_db_sub = range_sv(aTHX_ name);
    }
    const range r = in_db_sub ? parse_range(aTHX_ g, *in_db_sub, first_to_see(cv)) : (range){0, 0, 0};
    what.flags = flags_of(cv, name);
    what.file = r.file;
    what.first_line = r.first;
    what.last_line = r.last;
    what.name = str_of(aTHX_ r.file && CvANON(cv) ? name_after_file(aTHX_ name, g->r.files[r.file]) : name);
    if (key.alias) what.alias = str_of(aTHX_ name_of_gv(aTHX_ (const GV *)key.alias));
    nytp_sub *sub = nytp_subs_add(&g->r, key, &what);
    if (sub && key.name) keep_name(aTHX_ g, sub, (HEK *)key.name);
    if (sub && CvISXSUB(cv)) sub->ends_process = (uint32_t)ends_process(aTHX_ name);
    if (sub && !CvISXSUB(cv) && CvROOT(cv)) nytp_carried_walk(aTHX_ g, CvROOT(cv));
    return sub;
}

nytp_sub *nytp_name_opcode(pTHX_ nytp_glue *g, nytp_subkey key, int type) {
    int per_package = key.body != key.name;
    SV *name = sv_2mortal(newSVpvs("CORE"));
    if (per_package)
        name = with_package(aTHX_ (HV *)key.body, name);
    else
        sv_catpvs(name, ":");
    sv_catpvf(name, ":%s", PL_op_name[type]);
    nytp_rec_sub what = {0};
    what.flags = NYTP_SUB_OPCODE | (SvUTF8(name) ? NYTP_SUB_UTF8 : 0u);
    what.name = str_of(aTHX_ name);
    return nytp_subs_add(&g->r, key, &what);
}

nytp_sub *nytp_name_undefined(pTHX_ nytp_glue *g, nytp_subkey key, const GV *gv) {
    SV *name = name_of_gv(aTHX_ gv);
    nytp_rec_sub what = {0};
    what.flags = NYTP_SUB_UNDEFINED | (SvUTF8(name) ? NYTP_SUB_UTF8 : 0u);
    what.name = str_of(aTHX_ name);
    return nytp_subs_add(&g->r, key, &what);
}

void nytp_name_uncalled(pTHX_ nytp_glue *g) {
    HV *subs = ranges(aTHX);
    if (!subs) return;
    ENTER;
    SAVETMPS;
    hv_iterinit(subs);
    for (HE *he; (he = hv_iternext(subs)) != NULL;) {
        SV *name = hv_iterkeysv(he);
        nytp_rec_sub what = {0};
        what.name = str_of(aTHX_ name);
        if (nytp_subs_named(&g->r, what.name)) continue;
        const range r = parse_range(aTHX_ g, HeVAL(he), 0);
        if (!r.file) continue;
        what.flags = SvUTF8(name) ? NYTP_SUB_UTF8 : 0;
        what.file = r.file;
        what.first_line = r.first;
        what.last_line = r.last;
        nytp_subs_add(&g->r, (nytp_subkey){NULL, NULL, NULL, NULL}, &what);
    }
    FREETMPS;
    LEAVE;
}
