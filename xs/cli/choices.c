/* SPDX-License-Identifier: MIT */
/* choices.c - the options that choose reports, made from the table of reports. */
#include "cli/choices.h"

#include <string.h>

/* The next report of one profile, and of nothing else; NULL behind the last. */
static const nytp_report *next(uint32_t *behind) {
    const nytp_report *const *all = nytp_reports;
    while (all[*behind] && (all[*behind]->profiles || all[*behind]->takes_sub)) ++*behind;
    return nytp_reports[*behind] ? nytp_reports[(*behind)++] : NULL;
}

uint32_t nytp_choices_args(nytp_arg *rows) {
    const nytp_report *r;
    uint32_t n = 0;
    for (uint32_t behind = 0; (r = next(&behind)); n++)
        rows[n] = (nytp_arg){.name = r->name, .kind = NYTP_ARG_MAYBE, .value = r->is_page ? "FILE" : "DIR",
                             .fallback = strcmp(r->output, "-") ? r->output : NULL, .help = r->summary};
    return n;
}

int nytp_choices_next(nytp_choice *c, const nytp_arg_value *values) {
    while ((c->report = next(&c->behind))) {
        c->value = &values[c->row++];
        if (c->value->given) return 1;
    }
    return 0;
}
