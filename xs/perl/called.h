/* SPDX-License-Identifier: MIT */
/* called.h - the callee of entersub, from the top of the stack. */
#ifndef NYTP_PERL_CALLED_H
#define NYTP_PERL_CALLED_H

#include "perl/glue.h"

/* The callee in the usual cases: the code itself, a reference or a glob. */
static inline const CV *nytp_called_plainly(SV *sv) {
    switch (SvTYPE(sv)) {
    case SVt_PVGV: return isGV_with_GP(sv) ? GvCVu((const GV *)sv) : NULL;
    case SVt_PVCV: return (const CV *)sv;
    default: return SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV ? (const CV *)SvRV(sv) : NULL;
    }
}

/* The same with a search, as entersub does it; the result replaces the value on the stack. NULL, or a sub without a
 * body, if there is nothing to call. */
const CV *nytp_called_find(pTHX_ SV **sp);

/* cv is the result of nytp_called_find. The name of an undefined sub, without an AUTOLOAD in Perl, which would have
 * replaced it; NULL if there is code, or another error. */
const GV *nytp_called_in_vain(pTHX_ SV **sp, const CV *cv);

#endif
