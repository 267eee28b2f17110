/* SPDX-License-Identifier: MIT */
/* spelled.c - perl's structs for names: globs, stashes, shared strings. */
#include "sample/spelled.h"

#include <string.h>

#define BODY 256       /* bytes that the read part of a struct may have */
#define LONGEST 4096   /* of a name */
#define MOST_KIDS 2000 /* statements of a sub */

/* ---- strings ---- */

static int is_name(const nytp_buf *b, size_t from) {
    return b->n > from && !b->failed && !memchr(b->p + from, 0, b->n - from);
}

static int keep_if(int is_fine, nytp_buf *b, size_t from) {
    if (!is_fine) b->n = from;
    return is_fine;
}

static int append(const nytp_subject *t, nytp_peek_pages *pages, uint64_t at, size_t n, nytp_buf *to) {
    unsigned char *room = nytp_buf_room(to, n);
    if (!room || !nytp_peek_near(&t->peek, pages, at, room, n)) return 0;
    to->n += n;
    return 1;
}

static int append_hek(const nytp_subject *t, uint64_t hek, nytp_buf *to) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY];
    size_t from = to->n;
    nytp_peek_pages pages;
    pages.n = 0;
    if (!nytp_peek_near(&t->peek, &pages, hek, head, l->hek_key)) return 0;
    uint32_t n = nytp_peek_u32(head, l->hek_len);
    return keep_if(n && n < LONGEST && append(t, &pages, hek + l->hek_key, n, to) && is_name(to, from), to, from);
}

/* Up to the NUL, and never beyond the page that has it. */
static int append_c(const nytp_subject *t, uint64_t at, nytp_buf *to) {
    size_t from = to->n;
    nytp_peek_pages pages;
    pages.n = 0;
    while (to->n - from < LONGEST) {
        size_t n = 64 - at % 64;
        if (!append(t, &pages, at, n, to)) break;
        const unsigned char *end = memchr(to->p + to->n - n, 0, n);
        at += n;
        if (!end) continue;
        to->n = (size_t)(end - to->p);
        return keep_if(to->n > from, to, from);
    }
    return keep_if(0, to, from);
}

/* ---- scalars, globs, stashes ---- */

/* The head of any value, and the struct behind it. 0 if it is not of that type, 0 standing for any. */
static int read_value(const nytp_subject *t, uint64_t sv, uint32_t type, unsigned char *head, unsigned char *body,
                      size_t size) {
    const nytp_perl_layout *l = t->layout;
    if (!nytp_peek_at(&t->peek, sv, head, l->sv_size)) return 0;
    if (type && (nytp_peek_u32(head, l->sv_flags) & l->sv_type_mask) != type) return 0;
    return !size || nytp_peek_at(&t->peek, nytp_peek_pointer(head, l->sv_any), body, size);
}

int nytp_spelled_text(const nytp_subject *t, uint64_t sv, size_t most, nytp_buf *text) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY], body[BODY];
    if (!sv || !read_value(t, sv, 0, head, body, l->pv_cur + sizeof(uintptr_t))) return 0;
    if (!(nytp_peek_u32(head, l->sv_flags) & l->sv_is_text)) return 0;
    size_t n = nytp_peek_pointer(body, l->pv_cur);
    nytp_peek_pages pages;
    pages.n = 0;
    return n && append(t, &pages, nytp_peek_pointer(head, l->sv_u), n < most ? n : most, text);
}

/* A stash's array of buckets is followed by what else it has, in older perls; in newer ones that is in the struct. */
static int append_package(const nytp_subject *t, uint64_t stash, nytp_buf *to) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY], aux[BODY];
    uint64_t name, at;
    if (!read_value(t, stash, 0, head, NULL, 0)) return 0;
    uint64_t any = nytp_peek_pointer(head, l->sv_any);
    if (!l->hv_aux) {
        unsigned char body[BODY];
        if (!nytp_peek_at(&t->peek, any, body, l->hv_max + sizeof(uintptr_t))) return 0;
        at = nytp_peek_pointer(head, l->sv_u) + (nytp_peek_pointer(body, l->hv_max) + 1) * sizeof(uintptr_t);
    } else at = any + l->hv_aux;
    if (!nytp_peek_at(&t->peek, at, aux, l->aux_size)) return 0;
    name = nytp_peek_pointer(aux, l->aux_name);
    if (nytp_peek_u32(aux, l->aux_name_count)) { /* several names: their array */
        uintptr_t first;
        if (!nytp_peek_at(&t->peek, name, &first, sizeof first)) return 0;
        name = first;
    }
    return append_hek(t, name, to);
}

int nytp_spelled_file(const nytp_subject *t, const nytp_frame *f, nytp_buf *name) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY];
    uintptr_t sv;
    if (l->is_threaded) return append_c(t, f->file, name);
    if (!read_value(t, f->file, l->sv_gv, head, NULL, 0)) return 0;
    uint64_t at = nytp_peek_pointer(head, l->sv_u) + l->gp_sv;
    return nytp_peek_at(&t->peek, at, &sv, sizeof sv) && nytp_spelled_text(t, sv, LONGEST, name);
}

int nytp_spelled_package(const nytp_subject *t, const nytp_frame *f, uint64_t *stash, nytp_buf *name) {
    uintptr_t found = (uintptr_t)f->stash, pad;
    if (t->layout->is_threaded) {
        if (!nytp_peek_at(&t->peek, t->perl.stashpad, &pad, sizeof pad)) return 0;
        if (!nytp_peek_at(&t->peek, pad + f->stash * sizeof found, &found, sizeof found)) return 0;
    }
    *stash = found;
    return append_package(t, found, name);
}

/* ---- subs ---- */

static uint64_t op_after(const nytp_subject *t, const unsigned char *op) {
    const nytp_perl_layout *l = t->layout;
    int has_more = !l->op_more_mask || op[l->op_more] & l->op_more_mask;
    return has_more ? nytp_peek_pointer(op, l->op_sibling) : 0;
}

static uint64_t first_kid(const nytp_subject *t, nytp_peek_pages *pages, uint64_t op) {
    uintptr_t kid;
    return nytp_peek_near(&t->peek, pages, op + t->layout->op_first, &kid, sizeof kid) ? kid : 0;
}

/* The statements below the root of a sub: root, their list, the list's kids. */
static void find_lines(const nytp_subject *t, nytp_perl_sub *code) {
    const nytp_perl_layout *l = t->layout;
    unsigned char op[BODY];
    nytp_peek_pages pages;
    pages.n = 0;
    uint64_t list = first_kid(t, &pages, code->root), kid = list ? first_kid(t, &pages, list) : 0;
    for (int n = 0; kid && n < MOST_KIDS; n++) {
        nytp_frame f = {.cop = kid};
        if (!nytp_peek_near(&t->peek, &pages, kid, op, l->op_size)) break;
        uint32_t type = nytp_peek_u32(op, l->op_type) >> l->op_type_shift & l->op_type_mask;
        if ((type == l->op_nextstate || type == l->op_dbstate) && nytp_unwind_read(t, &pages, &f)) {
            if (!code->first.cop) code->first = f;
            code->last_line = f.line;
        }
        kid = op_after(t, op);
    }
}

static int append_full(const nytp_subject *t, nytp_perl_sub *code, nytp_buf *name) {
    if (!append_package(t, code->package, name)) nytp_buf_bytes(name, "__ANON__", 8);
    nytp_buf_bytes(name, "::", 2);
    return append_hek(t, code->name, name);
}

/* A lexical sub, and one that is its package's only use of that name, have no glob. */
static int find_name(const nytp_subject *t, const unsigned char *body, nytp_perl_sub *code) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY], glob[BODY];
    uint64_t gv = nytp_peek_pointer(body, l->cv_gv);
    code->name = gv;
    code->package = nytp_peek_pointer(body, l->cv_home);
    if (nytp_peek_u32(body, l->cv_flags) & l->cv_named) return 1;
    if (!read_value(t, gv, l->sv_gv, head, glob, l->gv_size)) return 0;
    code->name = nytp_peek_pointer(glob, l->gv_name);
    code->package = nytp_peek_pointer(glob, l->gv_home);
    return 1;
}

int nytp_spelled_sub(const nytp_subject *t, uint64_t cv, nytp_perl_sub *code, nytp_buf *name) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY], body[BODY];
    size_t from = name->n;
    *code = (nytp_perl_sub){.cv = cv};
    if (!read_value(t, cv, 0, head, body, l->cv_size)) return 0;
    uint32_t flags = nytp_peek_u32(body, l->cv_flags);
    code->is_c = (flags & l->cv_xsub) != 0;
    code->is_anon = (flags & l->cv_anon) != 0;
    code->root = nytp_peek_pointer(body, l->cv_root);
    int is_fine = find_name(t, body, code) && append_full(t, code, name);
    if (is_fine && !code->is_c && code->root) find_lines(t, code);
    return keep_if(is_fine && !name->failed, name, from);
}

/* ---- calls of C code ---- */

/* A reference to a sub and a glob stand for their sub. */
static uint64_t code_behind(const nytp_subject *t, uint64_t sv) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[BODY];
    uintptr_t cv;
    if (!read_value(t, sv, 0, head, NULL, 0)) return 0;
    uint32_t flags = nytp_peek_u32(head, l->sv_flags), type = flags & l->sv_type_mask;
    if (type == l->sv_cv) return sv;
    if (type == l->sv_gv)
        return nytp_peek_at(&t->peek, nytp_peek_pointer(head, l->sv_u) + l->gp_cv, &cv, sizeof cv) ? cv : 0;
    if (!(flags & l->sv_is_ref)) return 0;
    sv = nytp_peek_pointer(head, l->sv_u);
    return read_value(t, sv, l->sv_cv, head, NULL, 0) ? sv : 0;
}

uint64_t nytp_spelled_callee(const nytp_subject *t, const nytp_stack *s) {
    uintptr_t top[2];
    unsigned char head[BODY];
    if (!nytp_peek_at(&t->peek, s->variable[NYTP_PERL_STACK_SP], top, sizeof top)) return 0;
    if (read_value(t, top[0], 0, head, NULL, 0)) {
        uint32_t type = nytp_peek_u32(head, t->layout->sv_flags) & t->layout->sv_type_mask;
        if (type == t->layout->sv_cv || type == t->layout->sv_gv) return code_behind(t, top[0]); /* not called yet */
    }
    return code_behind(t, top[1]);
}
