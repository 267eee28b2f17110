/* SPDX-License-Identifier: MIT */
/* secret.h - what --redact names: words of nytp_redact_words, and an expression between slashes. */
#ifndef NYTP_CLI_SECRET_H
#define NYTP_CLI_SECRET_H

#include "base/buf.h"
#include "capture/mask.h"

typedef struct nytp_cli_secret {
    int64_t words;       /* a sum of enum nytp_redact_what */
    nytp_buf expression; /* with a NUL; empty: there is none */
    nytp_mask mask;      /* of it */
} nytp_cli_secret; /* all zero: nothing is left out */

/* Returns NYTP_CLI_FINE, or prints what is wrong and returns an exit status; nytp_cli_secret_free is called in any
 * case. expected tells what may stand in the text. */
int nytp_cli_secret_read(nytp_cli_secret *s, const char *verb, const char *text, const char *expected);

/* NULL: there is none. */
const nytp_mask *nytp_cli_secret_mask(const nytp_cli_secret *s);

void nytp_cli_secret_free(nytp_cli_secret *s); /* leaves nothing */

#endif
