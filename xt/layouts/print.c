/* SPDX-License-Identifier: MIT */
/* print.c - the layout of the perl that this is compiled for and linked with, as DB::_layout tells it. The argument is
 * the name of an empty file. */
#include <stdio.h>

#include "perl/sampling.h"

/* There is one interpreter, and the module's file that has the lock is not linked. */
void nytp_interp_lock(void) {}
void nytp_interp_unlock(void) {}

int main(int argc, char **argv, char **env) {
    PERL_SYS_INIT3(&argc, &argv, &env);
    PerlInterpreter *my_perl = perl_alloc();
    if (argc != 2 || !my_perl) return 2;
    perl_construct(my_perl);
    if (perl_parse(my_perl, NULL, argc, argv, NULL)) return 1;
    fputs(SvPV_nolen(nytp_structs_text(aTHX)), stdout);
    printf("options %s\n", PL_bincompat_options);
    return fflush(stdout) != 0;
}
