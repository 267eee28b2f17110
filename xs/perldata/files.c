/* SPDX-License-Identifier: MIT */
/* files.c - files with their source and the times of their lines. */
#include "perldata/perldata.h"

#include "model/source.h"

static SV *new_file(pTHX_ const nytp_profile *p, U32 i) {
    const nytp_file *f = &p->files[i];
    AV *av = newAV();
    U32 parent = nytp_data_fid(p, f->parent);
    U32 flags = f->flags & ~(U32)(NYTP_FILE_UTF8 | NYTP_FILE_FOLDED);
    av_extend(av, NYTP_FIDi_elements - 1);
    av_store(av, NYTP_FIDi_FILENAME, nytp_data_str(aTHX_ f->name, f->flags & NYTP_FILE_UTF8));
    av_store(av, NYTP_FIDi_EVAL_FID, parent ? newSVuv(parent) : newSVpvs(""));
    av_store(av, NYTP_FIDi_EVAL_LINE, parent ? newSVuv(f->parent_line) : newSVpvs(""));
    av_store(av, NYTP_FIDi_FID, newSVuv(nytp_data_fid(p, i)));
    av_store(av, NYTP_FIDi_FLAGS, newSVuv(flags));
    av_store(av, NYTP_FIDi_FILESIZE, newSVuv(nytp_data_is_v5(p) ? (UV)f->size : 0)); /* 0, as in Devel::NYTProf */
    av_store(av, NYTP_FIDi_FILEMTIME, newSVuv(nytp_data_is_v5(p) ? (UV)f->mtime : 0));
    av_store(av, NYTP_FIDi_PROFILE, newSV(0));
    av_store(av, NYTP_FIDi_EVAL_FI, newSV(0));
    av_store(av, NYTP_FIDi_HAS_EVALS, newSV(0));
    av_store(av, NYTP_FIDi_SUBS_DEFINED, newRV_noinc((SV *)newHV()));
    av_store(av, NYTP_FIDi_SUBS_CALLED, newRV_noinc((SV *)newHV()));
    return sv_bless(newRV_noinc((SV *)av), gv_stashpvs("Devel::NYTProf::FileInfo", GV_ADD));
}

static SV *new_weak(pTHX_ SV *ref) {
    SV *weak = newRV(SvRV(ref));
    return sv_rvweaken(weak);
}

/* Links an eval and the file that ran it in both directions. */
static void link_eval(pTHX_ SV *eval, SV *parent) {
    SV *list = *av_fetch((AV *)SvRV(parent), NYTP_FIDi_HAS_EVALS, 1);
    if (!SvROK(list)) sv_setsv(list, sv_2mortal(newRV_noinc((SV *)newAV())));
    av_push((AV *)SvRV(list), new_weak(aTHX_ eval));
    av_store((AV *)SvRV(eval), NYTP_FIDi_EVAL_FI, new_weak(aTHX_ parent));
}

/* Missing lines have no element. */
static SV *source_of(pTHX_ const nytp_profile *p, const nytp_file *f) {
    AV *av = newAV();
    for (U32 line = 1; line <= f->source_lines; line++) {
        nytp_str text = nytp_source_line(p, f, line);
        if (text.p) av_store(av, (SSize_t)line, nytp_data_str(aTHX_ text, 0));
    }
    return newRV_noinc((SV *)av);
}

static SV *new_line(pTHX_ const nytp_profile *p, const nytp_line *line) {
    AV *av = newAV();
    av_push(av, newSVnv(nytp_profile_shown(p, line->ticks)));
    av_push(av, nytp_data_count(aTHX_ line->count));
    return newRV_noinc((SV *)av);
}

typedef struct room {
    uint64_t lines; /* elements that may still be */
    U32 left_out;   /* lines for which there was none */
} room;

static SV *new_lines(pTHX_ const nytp_profile *p, const nytp_lines *lines, room *r) {
    AV *av = newAV();
    U32 n = lines->n;
    while (n && lines->at[n - 1].line >= r->lines) n--;
    r->left_out += lines->n - n;
    if (n) r->lines -= lines->at[n - 1].line;
    for (U32 i = 0; i < n; i++) av_store(av, (SSize_t)lines->at[i].line, new_line(aTHX_ p, &lines->at[i]));
    return newRV_noinc((SV *)av);
}

static void store_level(pTHX_ const nytp_profile *p, HV *data, enum nytp_level level, const char *name, room *r) {
    AV *av = newAV();
    SV *key = sv_2mortal(newSVpvf("fid_%s_time", name));
    for (U32 i = 1; i < p->files_n; i++)
        if (p->files[i].level[level].n && nytp_data_fid(p, i))
            av_store(av, (SSize_t)nytp_data_fid(p, i), new_lines(aTHX_ p, &p->files[i].level[level], r));
    (void)hv_store_ent(data, key, newRV_noinc((SV *)av), 0);
    HV *modes = (HV *)SvRV(*hv_fetchs(data, "profile_modes", 0));
    (void)hv_store_ent(modes, key, newSVpv(name, 0), 0);
}

static uint64_t lines_that_ran(const nytp_profile *p) {
    uint64_t n = 0;
    for (U32 i = 1; i < p->files_n; i++)
        for (int level = 0; level < NYTP_LEVELS; level++) n += p->files[i].level[level].n;
    return n;
}

static void store_levels(pTHX_ const nytp_profile *p, HV *data) {
    room r = {NYTP_DATA_LINES + 16 * lines_that_ran(p), 0};
    nytp_data_new_hash(aTHX_ data, "profile_modes");
    store_level(aTHX_ p, data, NYTP_LEVEL_LINE, "line", &r);
    if (p->has_blocks) {
        store_level(aTHX_ p, data, NYTP_LEVEL_BLOCK, "block", &r);
        store_level(aTHX_ p, data, NYTP_LEVEL_SUB, "sub", &r);
    }
    nytp_gaps_log_left_out(aTHX_ r.left_out, "lines that ran");
}

AV *nytp_perldata_files_store(pTHX_ const nytp_profile *p, HV *data) {
    AV *files = nytp_data_new_array(aTHX_ data, "fid_fileinfo");
    AV *source = nytp_data_new_array(aTHX_ data, "fid_srclines");
    U32 left_out = 0;
    for (U32 i = 1; i < p->files_n; i++) {
        U32 fid = nytp_data_fid(p, i);
        left_out += !fid;
        if (!fid) continue;
        av_store(files, (SSize_t)fid, new_file(aTHX_ p, i));
        if (p->files[i].source_lines) av_store(source, (SSize_t)fid, source_of(aTHX_ p, &p->files[i]));
    }
    for (U32 i = 1; i < p->files_n; i++) {
        U32 fid = nytp_data_fid(p, i), parent = nytp_data_fid(p, p->files[i].parent);
        if (fid && parent)
            link_eval(aTHX_ *av_fetch(files, (SSize_t)fid, 0), *av_fetch(files, (SSize_t)parent, 0));
    }
    nytp_gaps_log_left_out(aTHX_ left_out, "files");
    store_levels(aTHX_ p, data);
    return files;
}
