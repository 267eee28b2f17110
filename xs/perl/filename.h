/* SPDX-License-Identifier: MIT */
/* filename.h - parses perl's names for files and evals: pure functions of the text. */
#ifndef NYTP_PERL_FILENAME_H
#define NYTP_PERL_FILENAME_H

#include "base/str.h"

int nytp_filename_is_special(nytp_str name); /* -e, and - for standard input */
int nytp_filename_is_loader(nytp_str name);  /* code from a hook in @INC */
int nytp_filename_is_eval(nytp_str name);    /* "(eval 7)..." and "(re_eval 7)..." */

/* The origin of code by its name: FILE and LINE of "(eval 7)[FILE:LINE]"; FILE and line 1 of "... defined at FILE",
 * which Class::MOP generates. 0 if the name has none; the results borrow from it. */
int nytp_filename_origin(nytp_str name, nytp_str *file, uint32_t *line);

/* Of "DIR/X.pm (autosplit into ...)" the X.pm that AutoSplit took it from; empty for other names. */
nytp_str nytp_filename_autosplit_from(nytp_str name);

nytp_str nytp_filename_base(nytp_str name); /* what follows the last slash */

#endif
