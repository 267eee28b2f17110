/* SPDX-License-Identifier: MIT */
/* name.c - names and lines of subs, looked up once per sub. */
#include "perl/body.h"
#include "perl/stmt.h"

#include "base/grow.h"
#include "record/output.h"
#include "record/relay.h"
#include "record/subs.h"

static nytp_str str_of(pTHX_ SV *sv) {
    STRLEN n;
    const char *p = SvPV_const(sv, n);
    return (nytp_str){p, n};
}

static SV *numbered(pTHX_ nytp_glue *g, SV *name) {
    SV *sv = newSVsv(name);
    while (nytp_subs_in_use(&g->r, str_of(aTHX_ sv)))
        sv_setpvf(sv, "%" SVf ".%u", SVfARG(name), (unsigned)++g->begins);
    return sv_2mortal(sv);
}

static int is_begin(nytp_str name) { return nytp_str_ends(name, NYTP_LIT("::BEGIN")); }

/* Every BEGIN block of a package has the same name, so it is told by the line it begins on (0 for perl's switch -M). */
static SV *name_begin(pTHX_ nytp_glue *g, SV *name, const nytp_body *b) {
    return numbered(aTHX_ g, sv_2mortal(newSVpvf("%" SVf "@%u", SVfARG(name), (unsigned)b->first)));
}

/* An anonymous sub is named after its file and last line: "__ANON__[FILE:LINE]". FILE is perl's name for the file, that
 * of an eval has in it what ran the eval, or is the one of the entry that evals share. */
static SV *name_by_place(pTHX_ SV *name, const nytp_body *b, const nytp_live_file *f) {
    nytp_str file = b->file ? nytp_str_c(b->file->name) : f->name;
    char line[24];
    int n = my_snprintf(line, sizeof line, ":%u]", (unsigned)b->last);
    SV *sv = newSVsv(name);
    sv_catpvs(sv, "[");
    sv_catpvn(sv, file.p, file.n);
    sv_catpvn(sv, line, (STRLEN)n);
    return sv_2mortal(sv);
}

static int is_nameless(nytp_str name) { return nytp_str_ends(name, NYTP_LIT("::__ANON__")); }

/* Of endless subs at one place those with a new name share one. */
static SV *name_of_many(pTHX_ const nytp_body *b, const nytp_live_file *f, int begin) {
    SV *name = begin ? newSVpvf("main::BEGIN@%u", (unsigned)b->first) : newSVpvs("main::__ANON__");
    return name_by_place(aTHX_ sv_2mortal(name), b, f);
}

/* A sub's name in reports; name is perl's. */
static SV *name_for_report(pTHX_ nytp_glue *g, SV *name, const nytp_body *b, const nytp_live_file *f,
                           const nytp_rec_sub *what) {
    if (!f) return name;
    int begin = is_begin(str_of(aTHX_ name)) && !(b->flags & NYTP_BODY_CALLED);
    int many = nytp_subs_come_and_go(&g->r, what);
    if (begin) return many ? name_of_many(aTHX_ b, f, 1) : name_begin(aTHX_ g, name, b);
    int nameless = g->names_anons && b->flags & NYTP_BODY_ANON && is_nameless(str_of(aTHX_ name));
    if (nameless) name = name_by_place(aTHX_ name, b, f);
    return many && !nytp_subs_named(&g->r, str_of(aTHX_ name)) ? name_of_many(aTHX_ b, f, 0) : name;
}

static uint64_t flags_of(const CV *cv, SV *name) {
    return (CvISXSUB(cv) ? NYTP_SUB_XSUB : 0u) | (CvANON(cv) ? NYTP_SUB_ANON : 0u) |
           (SvUTF8(name) ? NYTP_SUB_UTF8 : 0u);
}

/* Functions in C that may wait: a window is written before. */
static const char *const waiting[] = {
    "IO::Poll::_poll", "POSIX::pause", "POSIX::sigsuspend", "POSIX::sleep", "Socket::getaddrinfo",
    "Time::HiRes::clock_nanosleep", "Time::HiRes::nanosleep", "Time::HiRes::sleep", "Time::HiRes::usleep",
    "threads::join", "threads::shared::cond_timedwait", "threads::shared::cond_wait", NULL};

static U32 manner_of(nytp_str name) {
    for (const char *const *w = waiting; *w; w++)
        if (nytp_str_eq(name, nytp_str_c(*w))) return NYTP_MANNER_WAITS;
    if (nytp_str_starts(name, NYTP_LIT("Coro::"))) return NYTP_MANNER_SWITCHES;
    return nytp_str_eq(name, NYTP_LIT("POSIX::_exit")) ? NYTP_MANNER_ENDS : NYTP_MANNER_PLAIN;
}

/* The number of references to a name in perl's table of shared strings. */
static Size_t *references(const HEK *name) {
    const char *start = (const char *)name - STRUCT_OFFSET(struct shared_he, shared_he_hek);
    return &((struct shared_he *)(uintptr_t)start)->shared_he_he.he_valu.hent_refcount;
}

static void release_name(pTHX_ HEK *name) {
    SV *sv = newSVhek(name); /* its end takes the name out of the table if no other reference is left */
    --*references(name);
    SvREFCNT_dec_NN(sv);
}

/* Holds a reference to a name while its address is a key, so that the address is not reused. A sub with a new body
 * releases the old name. There is no SV for it, as a program may count its values. */
static void keep_name(pTHX_ nytp_glue *g, const nytp_live_sub *sub, HEK *name) {
    while (g->name_n <= sub->id) {
        if (!nytp_grow_owned(&g->names, g->name_n, &g->name_room, sizeof *g->names)) return;
        g->name_n++;
    }
    ++*references(name);
    if (g->names[sub->id]) release_name(aTHX_ g->names[sub->id]);
    g->names[sub->id] = name;
}

void nytp_perl_name_release_all(pTHX_ nytp_glue *g) {
    for (U32 i = 0; i < g->name_n; i++)
        if (g->names[i]) release_name(aTHX_ g->names[i]);
    free(g->names);
}

/* A sub's file is first met by the sub's first statement, which comes next, unless the code is older than our hooks. */
static U32 first_to_see(const CV *cv) {
    const COP *first = nytp_stmt_first(cv);
    return first && first->op_ppaddr != nytp_glue_perl[first->op_type] ? NYTP_FILE_VIA_STMT : NYTP_FILE_VIA_SUB;
}

/* set_subname gives others. A BEGIN block has one for itself. */
static int is_own_name(pTHX_ const nytp_body *b, SV *name) {
    nytp_str s = str_of(aTHX_ name);
    return is_begin(s) || nytp_str_eq(s, b->name);
}

static void locate(nytp_rec_sub *what, const nytp_body *b, const nytp_live_file *f) {
    if (!f || b->flags & NYTP_BODY_HIDDEN) return;
    what->file = f->id;
    what->first_line = b->first;
    what->last_line = b->last;
}

/* A large sub takes as long as 120 signals may come, of which perl dies. */
static void walk(pTHX_ nytp_glue *g, const OP *root) {
    nytp_signals_wait(g, 1);
    nytp_carried_walk(aTHX_ g, root);
    nytp_signals_wait(g, 0);
}

nytp_live_sub *nytp_perl_name_sub(pTHX_ nytp_glue *g, nytp_subkey key, const CV *cv) {
    SV *name = nytp_fullname_of_cv(aTHX_ cv);
    nytp_rec_sub what = {0};
    nytp_body *b = CvISXSUB(cv) ? NULL : nytp_body_called(aTHX_ g, CvROOT(cv));
    if (b) {
        const nytp_live_file *f = nytp_body_file(aTHX_ g, b, first_to_see(cv));
        int by_own_name = is_own_name(aTHX_ b, name);
        locate(&what, b, f);
        name = name_for_report(aTHX_ g, name, b, f, &what);
        if (by_own_name) b->flags |= NYTP_BODY_CALLED;
        if (b->flags & NYTP_BODY_RENAMED) what.flags |= NYTP_SUB_DIRECTED;
    }
    what.flags |= flags_of(cv, name);
    what.name = str_of(aTHX_ name);
    if (key.alias) what.alias = str_of(aTHX_ nytp_fullname_of_gv(aTHX_ (const GV *)key.alias));
    nytp_live_sub *sub = nytp_subs_add(&g->r, key, &what);
    if (sub && key.name) keep_name(aTHX_ g, sub, (HEK *)key.name);
    if (sub && CvISXSUB(cv)) sub->manner = manner_of(str_of(aTHX_ name));
    if (sub && !CvISXSUB(cv) && CvROOT(cv)) walk(aTHX_ g, CvROOT(cv));
    return sub;
}

static int is_clone(nytp_str name) { return nytp_str_ends(name, NYTP_LIT("::CLONE")); }

void nytp_perl_name_thread(nytp_glue *g, const nytp_live_sub *first) {
    if (!g->is_thread || g->first.n || is_clone(first->name) || nytp_relay_threads(&g->r) > 1) return;
    g->first = first->name;
    nytp_output_property(&g->r, NYTP_LIT("start_sub"), g->first);
}

nytp_live_sub *nytp_perl_name_opcode(pTHX_ nytp_glue *g, nytp_subkey key, int type) {
    int per_package = key.body != key.name;
    SV *name = sv_2mortal(newSVpvs("CORE"));
    if (per_package)
        name = nytp_fullname_in(aTHX_ (HV *)key.body, name);
    else
        sv_catpvs(name, ":");
    sv_catpvf(name, ":%s", PL_op_name[type]);
    nytp_rec_sub what = {0};
    what.flags = NYTP_SUB_OPCODE | (SvUTF8(name) ? NYTP_SUB_UTF8 : 0u);
    what.name = str_of(aTHX_ name);
    return nytp_subs_add(&g->r, key, &what);
}

nytp_live_sub *nytp_perl_name_undefined(pTHX_ nytp_glue *g, nytp_subkey key, const GV *gv) {
    SV *name = nytp_fullname_of_gv(aTHX_ gv);
    nytp_rec_sub what = {0};
    what.flags = NYTP_SUB_UNDEFINED | (SvUTF8(name) ? NYTP_SUB_UTF8 : 0u);
    what.name = str_of(aTHX_ name);
    return nytp_subs_add(&g->r, key, &what);
}

static void add_uncalled(pTHX_ nytp_glue *g, const nytp_body *b) {
    const nytp_live_file *f = nytp_body_file(aTHX_ g, b, 0);
    if (!f) return;
    if (!(f->flags & NYTP_FILE_EVAL)) nytp_carried_mark(aTHX_ g, nytp_body_root(g, b));
    if (!b->name.n) return;
    SV *name = newSVpvn_flags(b->name.p, b->name.n, SVs_TEMP | (b->flags & NYTP_BODY_UTF8 ? SVf_UTF8 : 0));
    if (g->names_anons && is_nameless(str_of(aTHX_ name))) name = name_by_place(aTHX_ name, b, f);
    nytp_rec_sub what = {0};
    what.name = str_of(aTHX_ name);
    if (nytp_subs_named(&g->r, what.name)) return;
    what.flags = SvUTF8(name) ? NYTP_SUB_UTF8 : 0;
    locate(&what, b, f);
    nytp_subs_add(&g->r, (nytp_subkey){NULL, NULL, NULL, NULL}, &what);
}

static uint64_t package_of(nytp_str name) { return nytp_str_hash(nytp_format_package(name)); }

/* Packages, by hash, with a called C function and without a sub in a known file. */
static void find_homeless(const nytp_recorder *r, nytp_map *packages) {
    for (U32 pass = 0; pass < 2; pass++)
        for (U32 id = 1; id <= nytp_subs_count(r); id++) {
            const nytp_live_sub *s = nytp_subs_get(r, id);
            if (pass ? !s->file : !(s->flags & NYTP_SUB_XSUB)) continue;
            uint32_t *is_homeless = nytp_map_at(packages, package_of(s->name));
            if (is_homeless) *is_homeless = !pass;
        }
}

/* A C function is at home in the file with subs of its package, even if that file was loaded before profiling began and
 * none of its code ran. */
static void meet_homes(pTHX_ nytp_glue *g, nytp_body *const *list, U32 n) {
    nytp_map packages = {0};
    find_homeless(&g->r, &packages);
    for (U32 i = 0; i < n; i++)
        if (list[i]->file && list[i]->name.n && nytp_map_get(&packages, package_of(list[i]->name)))
            nytp_body_file(aTHX_ g, list[i], NYTP_FILE_VIA_SUB);
    nytp_map_free(&packages);
}

void nytp_perl_name_uncalled(pTHX_ nytp_glue *g) {
    U32 n;
    nytp_body **list = nytp_body_uncalled(aTHX_ g, &n);
    ENTER;
    SAVETMPS;
    meet_homes(aTHX_ g, list, n);
    while (n) {
        add_uncalled(aTHX_ g, list[--n]); /* of several with one name the latest */
        FREETMPS;
    }
    LEAVE;
    free(list);
}
