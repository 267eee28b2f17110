/* SPDX-License-Identifier: MIT */
/* glue.c - what all interpreters of the process have in common, and subs of ours. */
#include "perl/glue.h"

Perl_ppaddr_t nytp_glue_perl[MAXO];
Perl_check_t nytp_glue_perls_check[MAXO];
const nytp_cop nytp_glue_no_cop = {NULL, NULL, 0};
nytp_glue nytp_glue_nobody;

CV *nytp_glue_xsub(pTHX_ const char *name, XSUBADDR_t function) {
    CV *cv = newXS(name, function, __FILE__);
    CvXSUBANY(cv).any_ptr = (void *)(uintptr_t)&nytp_glue_no_cop;
    return cv;
}
