/* SPDX-License-Identifier: MIT */
/* secret.c - what --redact names. */
#include "cli/secret.h"

#include <stdio.h>
#include <string.h>

#include "capture/redact.h"
#include "cli/cli.h"
#include "report/pattern.h"

static int read_expression(nytp_cli_secret *s, const char *verb, nytp_str text) {
    char option[64];
    nytp_error e = {0};
    nytp_buf_bytes(&s->expression, text.p, text.n);
    nytp_buf_byte(&s->expression, 0);
    snprintf(option, sizeof option, "%s: --redact", verb);
    if (s->expression.failed) nytp_error_set(&e, NYTP_NOMEM, "out of memory");
    else nytp_pattern_check(option, (const char *)s->expression.p, &e);
    if (!e.code && !nytp_mask_begin(&s->mask, (const char *)s->expression.p))
        nytp_error_set(&e, NYTP_NOMEM, "out of memory");
    if (!e.code) return NYTP_CLI_FINE;
    nytp_buf_free(&s->expression);
    return e.code == NYTP_USAGE ? nytp_cli_usage("%s", e.text) : nytp_cli_failure(&e);
}

/* An expression is the last word, as it may have commas. */
int nytp_cli_secret_read(nytp_cli_secret *s, const char *verb, const char *text, const char *expected) {
    size_t n = strcspn(text, "/"), all = strlen(text);
    nytp_buf words = {0};
    nytp_error e = {0};
    nytp_buf_bytes(&words, text, n && n < all && text[n - 1] == ',' ? n - 1 : n);
    nytp_buf_byte(&words, 0);
    if (words.failed) nytp_error_set(&e, NYTP_NOMEM, "out of memory");
    else s->words = nytp_redact_words((const char *)words.p);
    nytp_buf_free(&words);
    if (e.code) return nytp_cli_failure(&e);
    int is_closed = n == all || (all > n + 2 && text[all - 1] == '/' && (!n || text[n - 1] == ','));
    if (s->words < 0 || !is_closed)
        return nytp_cli_usage("%s: --redact: expected %s, got '%s'", verb, expected, text);
    return n == all ? NYTP_CLI_FINE : read_expression(s, verb, (nytp_str){text + n + 1, all - n - 2});
}

const nytp_mask *nytp_cli_secret_mask(const nytp_cli_secret *s) { return s->expression.n ? &s->mask : NULL; }

void nytp_cli_secret_free(nytp_cli_secret *s) {
    if (s->expression.n) nytp_mask_end(&s->mask);
    nytp_buf_free(&s->expression);
}
