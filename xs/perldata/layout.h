/* SPDX-License-Identifier: MIT */
/* layout.h - the arrays that Perl code sees: the index of each element of a file, a sub or a call. Reports written for
 * Devel::NYTProf use these numbers, so none ever changes. Devel::NYTProf::Constants gets them from constants.c. */
#ifndef NYTP_PERLDATA_LAYOUT_H
#define NYTP_PERLDATA_LAYOUT_H

enum nytp_fidf { /* flags of a file; the same bits as enum nytp_file_flag where both have them */
    NYTP_FIDf_IS_PMC = 1,
    NYTP_FIDf_VIA_STMT = 2,
    NYTP_FIDf_VIA_SUB = 4,
    NYTP_FIDf_IS_AUTOSPLIT = 8,
    NYTP_FIDf_HAS_SRC = 16,
    NYTP_FIDf_SAVE_SRC = 32,
    NYTP_FIDf_IS_ALIAS = 64,
    NYTP_FIDf_IS_FAKE = 128,
    NYTP_FIDf_IS_EVAL = 256
};

enum nytp_fidi { /* Devel::NYTProf::FileInfo */
    NYTP_FIDi_FILENAME,
    NYTP_FIDi_EVAL_FID,  /* '' unless the file is an eval */
    NYTP_FIDi_EVAL_LINE,
    NYTP_FIDi_FID,
    NYTP_FIDi_FLAGS,
    NYTP_FIDi_FILESIZE,
    NYTP_FIDi_FILEMTIME,
    NYTP_FIDi_PROFILE,   /* filled in by Devel::NYTProf::Data */
    NYTP_FIDi_EVAL_FI,   /* weak */
    NYTP_FIDi_HAS_EVALS, /* array of weak references, or undef */
    NYTP_FIDi_SUBS_DEFINED,
    NYTP_FIDi_SUBS_CALLED,
    NYTP_FIDi_elements
};

enum nytp_sii { /* Devel::NYTProf::SubInfo */
    NYTP_SIi_FID,
    NYTP_SIi_FIRST_LINE,
    NYTP_SIi_LAST_LINE,
    NYTP_SIi_CALL_COUNT,
    NYTP_SIi_INCL_RTIME, /* seconds */
    NYTP_SIi_EXCL_RTIME,
    NYTP_SIi_SUB_NAME,
    NYTP_SIi_PROFILE,    /* filled in by Devel::NYTProf::Data */
    NYTP_SIi_REC_DEPTH,
    NYTP_SIi_RECI_RTIME,
    NYTP_SIi_CALLED_BY,  /* fid => line => call */
    NYTP_SIi_elements
};

enum nytp_sci { /* a call: all calls of one sub from one line */
    NYTP_SCi_CALL_COUNT,
    NYTP_SCi_INCL_RTIME, /* seconds */
    NYTP_SCi_EXCL_RTIME,
    NYTP_SCi_INCL_TICKS, /* always 0 */
    NYTP_SCi_EXCL_TICKS,
    NYTP_SCi_RECI_RTIME,
    NYTP_SCi_REC_DEPTH,
    NYTP_SCi_CALLING_SUB, /* name => undef */
    NYTP_SCi_elements
};

#endif
