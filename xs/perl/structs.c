/* SPDX-License-Identifier: MIT */
/* structs.c - where this perl keeps what samples are made of, for reading it from its memory. */
#include "perl/opnames.h"
#include "perl/sampling.h"

#define AT(type, member) ((uint32_t)offsetof(type, member))
#define AT_OF(object, member) ((uint32_t)((const char *)&(object).member - (const char *)&(object)))

/* Bytes that readers have room for. */
STATIC_ASSERT_DECL(sizeof(PERL_CONTEXT) <= 256 && sizeof(PERL_SI) <= 256 && sizeof(COP) <= 128);
STATIC_ASSERT_DECL(sizeof(XPVCV) <= 256 && sizeof(XPVGV) <= 256 && sizeof(struct xpvhv_aux) <= 256);

/* A bit-field has no address: an op with all its bits set shows where they are. */
static uint32_t first_set(const OP *o) {
    uint32_t at = 0;
    while (at < sizeof *o - sizeof(U32) && !((const char *)o)[at]) at++;
    return at;
}

static void find_type(nytp_perl_layout *l) {
    OP o;
    U32 bits;
    Zero(&o, 1, OP);
    o.op_type = 0x1FF;
    l->op_type = first_set(&o);
    Copy((const char *)&o + l->op_type, &bits, sizeof bits, char);
    while (!(bits & 1)) bits >>= 1, l->op_type_shift++;
    l->op_type_mask = bits;
}

/* The last kid's link leads to the parent where a bit tells that; else there is none. */
static void find_sibling(nytp_perl_layout *l) {
#if defined(PERL_OP_PARENT) || PERL_VERSION >= 26
    OP o;
    Zero(&o, 1, OP);
    o.op_moresib = 1;
    l->op_more = first_set(&o);
    l->op_more_mask = (unsigned char)((const char *)&o)[l->op_more];
    l->op_sibling = AT(OP, op_sibparent);
#else
    l->op_sibling = AT(OP, op_sibling);
#endif
}

static void fill_interpreter(nytp_perl_layout *l) {
#ifdef MULTIPLICITY
    l->my_op = AT(PerlInterpreter, Iop);
    l->my_curcop = AT(PerlInterpreter, Icurcop);
    l->my_curstackinfo = AT(PerlInterpreter, Icurstackinfo);
    l->my_stack_sp = AT(PerlInterpreter, Istack_sp);
    l->my_compiling = AT(PerlInterpreter, Icompiling);
    l->my_parser = AT(PerlInterpreter, Iparser);
#endif
#ifdef USE_ITHREADS
    l->my_stashpad = AT(PerlInterpreter, Istashpad);
    l->is_threaded = 1;
#endif
}

static void fill_contexts(nytp_perl_layout *l) {
    PERL_CONTEXT c;
    l->si_size = sizeof(PERL_SI);
    l->si_cxstack = AT(PERL_SI, si_cxstack);
    l->si_prev = AT(PERL_SI, si_prev);
    l->si_cxix = AT(PERL_SI, si_cxix);
    l->si_cxmax = AT(PERL_SI, si_cxmax);
    l->si_type = AT(PERL_SI, si_type);
    l->si_main = PERLSI_MAIN;
    l->ctx_size = sizeof c;
    l->ctx_type = AT_OF(c, cx_type);
    l->ctx_u16 = AT_OF(c, blk_u16);
    l->ctx_oldcop = AT_OF(c, blk_oldcop);
    l->ctx_cv = AT_OF(c, blk_sub.cv);
    l->ctx_text = AT_OF(c, blk_eval.cur_text);
    l->ctx_type_mask = CXTYPEMASK;
    l->ctx_sub = CXt_SUB;
    l->ctx_format = CXt_FORMAT;
    l->ctx_eval = CXt_EVAL;
    l->ctx_fake_sub = CXp_SUB_RE_FAKE;
    l->ctx_op_shift = 7; /* see CxOLD_OP_TYPE */
}

static void fill_ops(nytp_perl_layout *l) {
    find_type(l);
    find_sibling(l);
    l->op_size = sizeof(OP);
    l->op_first = AT(UNOP, op_first);
    l->op_nextstate = OP_NEXTSTATE;
    l->op_dbstate = OP_DBSTATE;
    l->op_entersub = OP_ENTERSUB;
    l->op_entereval = OP_ENTEREVAL;
    l->op_require = OP_REQUIRE;
    l->op_dofile = OP_DOFILE;
    l->op_leavesub = OP_LEAVESUB;
    l->op_leavesublv = OP_LEAVESUBLV;
    l->op_leaveeval = OP_LEAVEEVAL;
    l->op_leave = OP_LEAVE;
    l->op_max = MAXO;
    l->cop_size = sizeof(COP);
    l->cop_line = AT(COP, cop_line);
    l->cop_seq = AT(COP, cop_seq);
#ifdef USE_ITHREADS
    l->cop_file = AT(COP, cop_file);
    l->cop_stash = AT(COP, cop_stashoff);
#else
    l->cop_file = AT(COP, cop_filegv);
    l->cop_stash = AT(COP, cop_stash);
#endif
}

static void fill_values(nytp_perl_layout *l) {
    l->sv_size = sizeof(SV);
    l->sv_any = AT(SV, sv_any);
    l->sv_flags = AT(SV, sv_flags);
    l->sv_u = AT(SV, sv_u);
    l->sv_type_mask = SVTYPEMASK;
    l->sv_is_ref = SVf_ROK;
    l->sv_is_text = SVf_POK;
    l->sv_cv = SVt_PVCV;
    l->sv_gv = SVt_PVGV;
    l->pv_cur = AT(XPV, xpv_cur);
    l->gv_size = sizeof(XPVGV);
    l->gv_name = AT(XPVGV, xiv_u.xivu_namehek);
    l->gv_home = AT(XPVGV, xnv_u.xgv_stash);
    l->gp_cv = AT(GP, gp_cv);
    l->gp_sv = AT(GP, gp_sv);
    l->hv_max = AT(XPVHV, xhv_max);
#if PERL_VERSION >= 36
    l->hv_aux = AT(struct xpvhv_with_aux, xhv_aux);
#endif
    l->aux_size = sizeof(struct xpvhv_aux);
    l->aux_name = AT(struct xpvhv_aux, xhv_name_u);
    l->aux_name_count = AT(struct xpvhv_aux, xhv_name_count);
    l->hek_len = AT(HEK, hek_len);
    l->hek_key = AT(HEK, hek_key);
}

static void fill_subs(nytp_perl_layout *l) {
    l->cv_size = sizeof(XPVCV);
    l->cv_gv = AT(XPVCV, xcv_gv_u);
    l->cv_home = AT(XPVCV, xcv_stash);
    l->cv_root = AT(XPVCV, xcv_root_u);
    l->cv_flags = AT(XPVCV, xcv_flags);
    l->cv_named = CVf_NAMED;
    l->cv_anon = CVf_ANON;
    l->cv_xsub = CVf_ISXSUB;
}

/* Filled once, by the first interpreter that samples: the same for all. */
const nytp_perl_layout *nytp_structs_layout(pTHX) {
    static nytp_perl_layout layout;
    static const char *slow[MAXO];
    nytp_interp_lock();
    if (!layout.slow) {
        fill_interpreter(&layout);
        fill_contexts(&layout);
        fill_ops(&layout);
        fill_values(&layout);
        fill_subs(&layout);
        nytp_opnames_all(aTHX_ slow);
        layout.slow = slow;
    }
    nytp_interp_unlock();
    return &layout;
}

SV *nytp_structs_text(pTHX) {
    const nytp_perl_layout *l = nytp_structs_layout(aTHX);
    SV *text = newSVpvf("perl %d.%d.%d\n", (int)PERL_REVISION, (int)PERL_VERSION, (int)PERL_SUBVERSION);
    AV *inc = get_av("INC", 0);
#define LINE(name) sv_catpvf(text, #name " %lu\n", (unsigned long)l->name);
    NYTP_LAYOUT_FIELDS(LINE)
#undef LINE
    for (int op = 0; op < MAXO; op++)
        if (l->slow[op]) sv_catpvf(text, "slow %d %s\n", op, l->slow[op]);
    for (SSize_t i = 0; inc && i <= av_len(inc); i++) {
        SV **directory = av_fetch(inc, i, 0);
        if (directory && !SvROK(*directory)) sv_catpvf(text, "inc %" SVf "\n", SVfARG(*directory));
    }
    return text;
}

nytp_perl_at nytp_structs_here(pTHX) {
#ifdef MULTIPLICITY
    return nytp_perl_at_struct(nytp_structs_layout(aTHX), PTR2UV(aTHX));
#else
    return (nytp_perl_at){{PTR2UV(&PL_op), PTR2UV(&PL_curcop), PTR2UV(&PL_curstackinfo), PTR2UV(&PL_stack_sp)}, 0,
                          PTR2UV(&PL_compiling), PTR2UV(&PL_parser)};
#endif
}
