/* SPDX-License-Identifier: MIT */
/* layout.h - where a perl keeps what is read of it: offsets, sizes and codes of one build, and addresses of one
 * interpreter. A module that was compiled for that perl fills them in; what reads needs no header of perl. */
#ifndef NYTP_SAMPLE_LAYOUT_H
#define NYTP_SAMPLE_LAYOUT_H

#include <stdint.h>

/* Bytes from the start of the struct, unless it says otherwise. The first row is of the interpreter's own struct; a
 * perl without threads has none, and variables by name instead. */
#define NYTP_LAYOUT_FIELDS(X) \
    X(my_op) X(my_curcop) X(my_curstackinfo) X(my_stack_sp) X(my_stashpad) X(my_compiling) X(my_parser) \
    X(is_threaded) \
    X(si_size) X(si_cxstack) X(si_prev) X(si_cxix) X(si_cxmax) X(si_type) X(si_main) \
    X(ctx_size) X(ctx_type) X(ctx_u16) X(ctx_oldcop) X(ctx_cv) X(ctx_text) X(ctx_type_mask) X(ctx_sub) X(ctx_format) \
    X(ctx_eval) X(ctx_fake_sub) X(ctx_op_shift) \
    X(op_size) X(op_type) X(op_type_shift) X(op_type_mask) X(op_first) X(op_sibling) X(op_more) X(op_more_mask) \
    X(op_nextstate) X(op_dbstate) X(op_entersub) X(op_entereval) X(op_require) X(op_dofile) \
    X(op_leavesub) X(op_leavesublv) X(op_leaveeval) X(op_leave) X(op_max) \
    X(cop_size) X(cop_line) X(cop_file) X(cop_stash) X(cop_seq) \
    X(sv_size) X(sv_any) X(sv_flags) X(sv_u) X(sv_type_mask) X(sv_is_ref) X(sv_is_text) X(sv_cv) X(sv_gv) X(pv_cur) \
    X(cv_size) X(cv_gv) X(cv_home) X(cv_root) X(cv_flags) X(cv_named) X(cv_anon) X(cv_xsub) \
    X(gv_size) X(gv_name) X(gv_home) X(gp_cv) X(gp_sv) \
    X(hv_max) X(hv_aux) X(aux_size) X(aux_name) X(aux_name_count) X(hek_len) X(hek_key)

typedef struct nytp_perl_layout {
#define NYTP_LAYOUT_FIELD(name) uint32_t name;
    NYTP_LAYOUT_FIELDS(NYTP_LAYOUT_FIELD)
#undef NYTP_LAYOUT_FIELD
    const char *const *slow; /* names of the built-ins that are shown as subs, by number; NULL: it is not */
} nytp_perl_layout;

/* Variables of the interpreter, in the order of where they are read to. */
enum nytp_perl_variable {
    NYTP_PERL_OP,
    NYTP_PERL_CURCOP,
    NYTP_PERL_STACKINFO,
    NYTP_PERL_STACK_SP,
    NYTP_PERL_VARIABLES
};

typedef struct nytp_perl_at {
    uint64_t variable[NYTP_PERL_VARIABLES]; /* their addresses */
    uint64_t stashpad;                      /* that of PL_stashpad, of a perl with threads */
    uint64_t compiling;                     /* the address of PL_compiling, which is a statement op itself */
    uint64_t parser;                        /* that of PL_parser */
} nytp_perl_at;

/* The interpreter whose struct is there. */
static inline nytp_perl_at nytp_perl_at_struct(const nytp_perl_layout *l, uint64_t at) {
    return (nytp_perl_at){{at + l->my_op, at + l->my_curcop, at + l->my_curstackinfo, at + l->my_stack_sp},
                          at + l->my_stashpad, at + l->my_compiling, at + l->my_parser};
}

#endif
