/* SPDX-License-Identifier: MIT */
/* settings.c - reading options from texts. */
#include "record/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "record/log.h"

/* An option of Perl only, handled there in Perl. */
static int is_for_perl(const char *name) { return strcmp(name, "posix_exit") == 0; }

/* 1 if set, or if it is an option of another front end; 0 if there is no such option; -1 with e set. */
static int set(nytp_options *o, const char *name, const char *value, nytp_error *e) {
    int known = nytp_options_set(o, name, value, e);
    return known ? known : is_for_perl(name);
}

int nytp_settings_set(nytp_options *o, const char *name, const char *value, nytp_error *e) {
    if (set(o, name, value, e)) return e->code;
    return nytp_error_set(e, NYTP_USAGE, "there is no option '%.200s'", name);
}

static void set_pair(nytp_options *o, const nytp_assignment *pair, nytp_str piece, nytp_error *e) {
    char line[320];
    const char *name = (const char *)pair->name.p;
    if (pair->failed) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
    } else if (!pair->has_value || !pair->name.n || !pair->value.n) {
        nytp_error_set(e, NYTP_USAGE, "invalid option '%.*s', expected NAME=VALUE", (int)piece.n, piece.p);
    } else if (set(o, name, (const char *)pair->value.p, e) == 0) {
        snprintf(line, sizeof line, "Unknown NYTProf option: '%.200s'", name);
        nytp_log_line(o, line);
    }
}

int nytp_settings_text(nytp_options *o, const char *text, nytp_error *e) {
    nytp_assignment pair = {0};
    for (const char *p = text, *end; *p && !e->code; p = end + (*end == ':')) {
        end = nytp_pairs_next(p, &pair);
        if (end > p) set_pair(o, &pair, (nytp_str){p, (size_t)(end - p)}, e);
    }
    nytp_pairs_free(&pair);
    return e->code;
}

int nytp_settings_begin(nytp_options *o, nytp_error *e) {
    const char *text = getenv("NYTPROF");
    if (nytp_options_init(o)) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return text ? nytp_settings_text(o, text, e) : NYTP_OK;
}

int nytp_settings_begin_now(nytp_options *o, nytp_error *e) {
    if (nytp_settings_begin(o, e) == NYTP_OK) nytp_options_set(o, "start", "begin", e);
    return e->code;
}
