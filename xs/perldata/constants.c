/* SPDX-License-Identifier: MIT */
/* constants.c - the numbers of layout.h as constant subs. */
#include "perldata/perldata.h"

#include "base/zio.h"
#include "perldata/layout.h"

typedef struct constant {
    const char *name;
    IV value;
} constant;

#define ROW(name) {#name, name}

static const constant rows[] = {
    ROW(NYTP_FIDf_IS_PMC), ROW(NYTP_FIDf_VIA_STMT), ROW(NYTP_FIDf_VIA_SUB), ROW(NYTP_FIDf_IS_AUTOSPLIT),
    ROW(NYTP_FIDf_HAS_SRC), ROW(NYTP_FIDf_SAVE_SRC), ROW(NYTP_FIDf_IS_ALIAS), ROW(NYTP_FIDf_IS_FAKE),
    ROW(NYTP_FIDf_IS_EVAL),
    ROW(NYTP_FIDi_FILENAME), ROW(NYTP_FIDi_EVAL_FID), ROW(NYTP_FIDi_EVAL_LINE), ROW(NYTP_FIDi_FID),
    ROW(NYTP_FIDi_FLAGS), ROW(NYTP_FIDi_FILESIZE), ROW(NYTP_FIDi_FILEMTIME), ROW(NYTP_FIDi_PROFILE),
    ROW(NYTP_FIDi_EVAL_FI), ROW(NYTP_FIDi_HAS_EVALS), ROW(NYTP_FIDi_SUBS_DEFINED), ROW(NYTP_FIDi_SUBS_CALLED),
    ROW(NYTP_FIDi_elements),
    ROW(NYTP_SIi_FID), ROW(NYTP_SIi_FIRST_LINE), ROW(NYTP_SIi_LAST_LINE), ROW(NYTP_SIi_CALL_COUNT),
    ROW(NYTP_SIi_INCL_RTIME), ROW(NYTP_SIi_EXCL_RTIME), ROW(NYTP_SIi_SUB_NAME), ROW(NYTP_SIi_PROFILE),
    ROW(NYTP_SIi_REC_DEPTH), ROW(NYTP_SIi_RECI_RTIME), ROW(NYTP_SIi_CALLED_BY), ROW(NYTP_SIi_elements),
    ROW(NYTP_SCi_CALL_COUNT), ROW(NYTP_SCi_INCL_RTIME), ROW(NYTP_SCi_EXCL_RTIME), ROW(NYTP_SCi_INCL_TICKS),
    ROW(NYTP_SCi_EXCL_TICKS), ROW(NYTP_SCi_RECI_RTIME), ROW(NYTP_SCi_REC_DEPTH), ROW(NYTP_SCi_CALLING_SUB),
    ROW(NYTP_SCi_elements),
    {"NYTP_FILE_MAJOR_VERSION", NYTP_V5_MAJOR}, {"NYTP_FILE_MINOR_VERSION", NYTP_V5_MINOR},
};

void nytp_constants_define(pTHX) {
    HV *stash = gv_stashpvs("Devel::NYTProf::Constants", GV_ADD);
    for (size_t i = 0; i < C_ARRAY_LENGTH(rows); i++) newCONSTSUB(stash, rows[i].name, newSViv(rows[i].value));
    newCONSTSUB(stash, "NYTP_DEFAULT_COMPRESSION", newSViv(nytp_zio_available() ? 6 : 0));
    newCONSTSUB(stash, "NYTP_ZLIB_VERSION", newSVpv(nytp_zio_version(), 0));
}
