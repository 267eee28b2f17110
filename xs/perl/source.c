/* SPDX-License-Identifier: MIT */
/* source.c - the text of compiled code: from the disk, from perl if it is not on the disk, from eval.c for evals.
 *
 * perl keeps the lines of what it compiles in @{"_<FILE"} while bit 0x400 of $^P asks for it. That is a second copy of
 * all source, each line a scalar of its own, so the bit is set only while code is compiled that is no plain file: -e,
 * standard input, code from a hook in @INC, or the output of a source filter. */
#include "perl/body.h"

#include <unistd.h>

#include "perl/directive.h"
#include "perl/filename.h"
#include "record/output.h"

#define KEEP 0x400 /* the bit */

/* ---- lines kept by perl ---- */

/* A tied array is not read. */
static AV *lines_of(pTHX_ const char *name) {
    SV *key = newSVpvf("_<%s", name);
    HE *he = hv_fetch_ent(PL_defstash, key, 0, 0);
    SvREFCNT_dec_NN(key);
    GV *gv = he ? (GV *)HeVAL(he) : NULL;
    AV *lines = gv && isGV_with_GP(gv) ? GvAV(gv) : NULL;
    return lines && !SvRMAGICAL(lines) && av_len(lines) > 0 ? lines : NULL;
}

int nytp_perl_source_has_lines(pTHX_ const char *name) { return lines_of(aTHX_ name) != NULL; }

/* While a program is at its first line there may be none yet. */
int nytp_perl_source_is_kept(pTHX_ const nytp_glue *g, const char *name) {
    return g->keeping || g->options.perldb || g->options.use_db_sub || lines_of(aTHX_ name);
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

/* ---- on the disk, and filtered from a line on ---- */

/* As perl read it, in a piece: a filter may give several lines at once. */
static nytp_str piece_at(pTHX_ AV *lines, SSize_t line) {
    SV **sv = av_fetch(lines, line, 0);
    return sv && *sv && SvPOK(*sv) ? (nytp_str){SvPVX_const(*sv), SvCUR(*sv)} : (nytp_str){"", 0};
}

/* Lines that perl has not kept come before the filter, and are those of the file. */
static uint32_t append_filtered(pTHX_ AV *lines, nytp_str rest, nytp_buf *text) {
    uint32_t n = 0;
    while (n < (uint64_t)av_len(lines) && n < LAST_LINE) {
        nytp_str piece = piece_at(aTHX_ lines, (SSize_t)n + 1);
        nytp_str line = nytp_directive_cut_line(&rest);
        if (!piece.n) piece = line.n ? line : NYTP_LIT("\n");
        nytp_buf_bytes(text, piece.p, piece.n);
        if (piece.p[piece.n - 1] != '\n') nytp_buf_byte(text, '\n');
        for (n++, (void)nytp_directive_cut_line(&piece); piece.n; n++) {
            (void)nytp_directive_cut_line(&piece);
            (void)nytp_directive_cut_line(&rest);
        }
    }
    return n;
}

static uint32_t text_filtered(pTHX_ const nytp_live_file *file, nytp_unit *u, AV *lines, nytp_buf *text) {
    nytp_buf disk = {0};
    nytp_perl_disk_give(file, u, &disk);
    uint32_t n = append_filtered(aTHX_ lines, (nytp_str){disk.n ? (const char *)disk.p : "", disk.n}, text);
    nytp_buf_free(&disk);
    return n;
}

/* ---- on the disk, up to __END__ ---- */

static nytp_str text_of(const nytp_buf *b) { return (nytp_str){(const char *)b->p, b->n}; }

/* The last statement of the program's top level. */
static uint32_t last_of_main(pTHX_ const char *name) {
    uint32_t last = 0;
    const OP *o = PL_main_root && PL_main_root->op_flags & OPf_KIDS ? cUNOPx(PL_main_root)->op_first : NULL;
    for (; o; o = OpSIBLING(o))
        if ((o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE) && strEQ(OutCopFILE(cCOPx(o)), name) &&
            CopLINE(cCOPx(o)) > last)
            last = CopLINE(cCOPx(o));
    return last;
}

static void renumber(const nytp_unit *u, uint32_t last, nytp_buf *text) {
    nytp_buf moved = {0};
    if (nytp_directive_renumber(text_of(text), nytp_str_c(u->name), last, &moved)) {
        nytp_buf_clear(text);
        nytp_buf_bytes(text, moved.p, moved.n);
    }
    nytp_buf_free(&moved);
}

/* text is empty. */
static uint32_t text_on_disk(pTHX_ nytp_glue *g, const nytp_live_file *file, nytp_unit *u, nytp_buf *text) {
    if (!nytp_perl_disk_give(file, u, text)) return 0;
    uint32_t last = last_of_main(aTHX_ u->name);
    if (u->last_line > last) last = u->last_line;
    if (nytp_directive_is_in(text_of(text))) {
        nytp_virtual_keep(g, file, u, text_of(text));
        renumber(u, last, text);
    }
    return nytp_directive_end(text_of(text), last, &text->n);
}

/* While a file is being compiled it is not known where it ends. */
static int is_compiled(pTHX_ const nytp_glue *g, const nytp_unit *u) {
    return u->complete || nytp_is_ending(&g->r) || (PL_main_root && strEQ(u->name, PL_origfilename));
}

/* ---- functions for the recorder ---- */

static uint32_t count_lines(nytp_str text) {
    return (uint32_t)nytp_str_count(text, '\n') + (text.n && text.p[text.n - 1] != '\n');
}

/* Lines kept by perl grow during compilation; other texts are complete. */
uint32_t nytp_perl_source_text(void *glue, const nytp_live_file *file, nytp_buf *text) {
    nytp_glue *g = (nytp_glue *)glue;
    dTHXa(g->perl);
    nytp_unit *u = (nytp_unit *)file->front;
    if (g->is_taken || (u && nytp_unit_is_elsewhere(g, u))) return 0;
    AV *lines = g->keeps_source && u && u->kept ? lines_of(aTHX_ u->name) : NULL;
    if (lines) return append_lines(aTHX_ lines, file->source_lines + 1, text);
    if (!g->keeps_source || file->source_lines) return 0;
    if (file->text.n) {
        nytp_buf_bytes(text, file->text.p, file->text.n);
        return count_lines(file->text);
    }
    if (!u || !u->on_disk || u->looked_for == nytp_output_generation(&g->r) || !is_compiled(aTHX_ g, u)) return 0;
    u->looked_for = nytp_output_generation(&g->r);
    lines = u->filtered ? lines_of(aTHX_ u->name) : NULL;
    return lines ? text_filtered(aTHX_ file, u, lines, text) : text_on_disk(aTHX_ g, file, u, text);
}

/* ---- making perl keep lines ---- */

U32 nytp_perl_source_bits(const nytp_glue *g) { return g->keeping || g->filtered ? KEEP : 0; }

static void keep(nytp_glue *g, U32 *perldb) {
    if (!g->keeping++) *perldb |= KEEP;
}

static void keep_no_more(nytp_glue *g, U32 *perldb) {
    if (g->keeping && !--g->keeping && !g->filtered) *perldb &= ~(U32)KEEP;
}

/* A nested file with a filter ends first; that the bit stays set for a moment is harmless. */
static void filter_no_more(nytp_glue *g, U32 *perldb) {
    g->filtered = NULL;
    if (!g->keeping) *perldb &= ~(U32)KEEP;
}

/* A file with an error in it is never complete, but its filters are freed with its parser. */
static int filters_freed(pTHX_ SV *filters, MAGIC *mg) {
    PERL_UNUSED_ARG(filters);
    if (PL_phase == PERL_PHASE_DESTRUCT) return 0; /* our state is freed */
    dGLUE;
    if (g->perl == THIS_PERL && g->filtered && g->filtered == (const void *)mg->mg_ptr)
        filter_no_more(g, &PL_perldb);
    return 0;
}

static const MGVTBL WHEN_FREED = {.svt_free = filters_freed};

static void watch_filters(pTHX_ const yy_parser *p) {
    SV *filters = (SV *)p->rsfp_filters;
    if (!mg_findext(filters, PERL_MAGIC_ext, &WHEN_FREED))
        sv_magicext(filters, NULL, PERL_MAGIC_ext, &WHEN_FREED, (const char *)p, 0);
}

/* perl makes the array for a file's lines when it looks the file up. */
static void filter(pTHX_ nytp_glue *g, U32 *perldb) {
    nytp_unit *u = nytp_unit_of(g, nytp_str_c(CopFILE(&PL_compiling)));
    if (u) u->filtered = 1;
    if (!g->filtered) {
        g->filtered = PL_parser;
        if (!PL_parser->old_parser && PL_phase == PERL_PHASE_START) nytp_perl_source_when_compiled(aTHX);
    }
    watch_filters(aTHX_ PL_parser);
    *perldb |= KEEP;
    (void)gv_fetchfile(CopFILE(&PL_compiling));
}

/* String evals share the filters of the file that they are run for, but perl does not read them from it. */
void nytp_perl_source_watch(pTHX_ nytp_glue *g, int is_complete) {
    const yy_parser *p = PL_parser;
    if (!g->keeps_source || g->options.perldb) return;
    if (is_complete && g->filtered && g->filtered == p)
        filter_no_more(g, &PL_perldb);
    else if (!is_complete && p && p->rsfp && p->rsfp_filters && av_len(p->rsfp_filters) >= 0 && CopFILE(&PL_compiling))
        filter(aTHX_ g, &PL_perldb);
}

static const yy_parser *outermost(const yy_parser *p) {
    while (p && p->old_parser) p = p->old_parser;
    return p;
}

/* The number of lines that perl has read of a plain file; -1 for anything else. */
static long lines_read(pTHX_ PerlIO *in) {
    Stat_t st;
    int fd = in ? PerlIO_fileno(in) : -1;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) return -1;
    char piece[4096];
    long lines = 0;
    Off_t end = PerlIO_tell(in);
    for (Off_t at = 0; at < end;) {
        ssize_t got = pread(fd, piece, end - at < (Off_t)sizeof piece ? (size_t)(end - at) : sizeof piece, at);
        if (got <= 0) return -1;
        for (ssize_t i = 0; i < got; i++) lines += piece[i] == '\n';
        at += got;
    }
    return lines;
}

/* With -x the first line is not the file's first. line: perl's current line. */
static int is_as_on_disk(pTHX_ U32 line) {
    const yy_parser *program = outermost(PL_parser);
    if (nytp_filename_is_special(nytp_str_c(PL_origfilename))) return 0;
    long lines = lines_read(aTHX_ program ? program->rsfp : NULL);
    return lines >= 0 && lines <= (long)line + 1;
}

/* The line of the outermost code that is being compiled, or 0: the BEGIN block that loads us was called for it. */
static U32 line_of_program(pTHX) {
    for (I32 i = 0; i <= cxstack_ix; i++)
        if (CxTYPE(cxstack + i) == CXt_SUB) return CopLINE(cxstack[i].blk_oldcop);
    return 0;
}

void nytp_perl_source_begin(pTHX_ nytp_glue *g) {
    if (!g->keeps_source || g->options.perldb || PL_phase != PERL_PHASE_START) return;
    if (!is_as_on_disk(aTHX_ line_of_program(aTHX))) keep(g, &PL_perldb);
}

static void compiled(pTHX_ nytp_glue *g) {
    if (g->options.perldb) return;
    keep_no_more(g, &PL_perldb);
    if (g->filtered) filter_no_more(g, &PL_perldb);
}

/* The first of the INIT blocks. */
XS(nytp_source_xs_compiled) {
    dXSARGS;
    dGLUE;
    PERL_UNUSED_VAR(items);
    compiled(aTHX_ g);
    XSRETURN_EMPTY;
}

void nytp_perl_source_when_compiled(pTHX) {
    if (!PL_initav) PL_initav = newAV();
    av_push(PL_initav, (SV *)nytp_glue_xsub(aTHX_ NULL, nytp_source_xs_compiled));
}

static int inc_has_hooks(pTHX) {
    AV *inc = GvAV(PL_incgv);
    if (!inc || SvRMAGICAL(inc)) return 0;
    for (SSize_t i = 0; i <= av_len(inc); i++) {
        SV **sv = av_fetch(inc, i, 0);
        if (sv && SvROK(*sv)) return 1;
    }
    return 0;
}

/* Runs once, at the end of the op or of the scope around it, whichever comes first, as perl may die. */
static void stop_keeping(pTHX_ void *depth) {
    dGLUE;
    if (g->perl == THIS_PERL)
        while (g->keeping >= PTR2UV(depth)) keep_no_more(g, &PL_perldb);
}

OP *nytp_perl_source_require(pTHX) {
    dGLUE;
    int type = PL_op->op_type;
    if (g->perl != THIS_PERL || !g->keeps_source || g->options.perldb || !inc_has_hooks(aTHX)) return PERLS_OWN(type);
    keep(g, &PL_perldb);
    void *depth = INT2PTR(void *, (UV)g->keeping);
    SAVEDESTRUCTOR_X(stop_keeping, depth);
    OP *next = PERLS_OWN(type);
    stop_keeping(aTHX_ depth);
    return next;
}
