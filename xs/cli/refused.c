/* SPDX-License-Identifier: MIT */
/* refused.c - why a profile makes no report. */
#include "cli/refused.h"

#include "report/escape.h"
#include "report/text.h"

/* A profile without counters is complete if profiling was never on: then it has time switched off, or its process has
 * ended. Otherwise the capture was cut short. */
static int is_cut_short(const nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++)
        if (p->processes[i].elapsed || p->processes[i].ending != NYTP_ENDING_MISSING) return 0;
    return 1;
}

void nytp_refused_ruin(const nytp_profile *p, nytp_error *e) {
    for (uint32_t i = 0; i < p->inputs_n && is_cut_short(p); i++) {
        const nytp_input *input = &p->inputs[i];
        nytp_str damage = input->damage.n ? input->damage : input->broken;
        if (damage.n) nytp_error_set(e, NYTP_FORMAT, "%.*s", (int)damage.n, damage.p);
    }
}

void nytp_refused_empty(const nytp_profile *p, const char *path, nytp_error *e) {
    if (is_cut_short(p))
        nytp_error_set(e, NYTP_FORMAT, "%s: an empty report: the program ended before anything of it was written",
                       path);
}

void nytp_refused_uncounted(const nytp_profile *p, const char *path, nytp_error *e) {
    if (p->is_uncounted || p->is_seen)
        nytp_error_set(e, NYTP_FORMAT, "%s: statements were sampled, so nothing is known of lines that did not run; "
                       "expected a profile with counts", path);
}

void nytp_refused_nothing(const nytp_wish *wish, nytp_error *e) {
    const char *const options[][2] = {{"--filter", wish->filter}, {"--package", wish->package},
                                      {"--source", wish->source}, {"--from", wish->from}};
    nytp_buf text = {0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!options[i][1]) continue;
        nytp_text_put(&text, " ");
        nytp_text_put(&text, options[i][0]);
        nytp_text_put(&text, " ");
        nytp_escape_text(&text, nytp_str_c(options[i][1]));
    }
    nytp_error_set(e, NYTP_FORMAT, "nothing matches%.*s", (int)text.n, text.n ? (const char *)text.p : "");
    nytp_buf_free(&text);
}
