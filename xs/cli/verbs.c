/* SPDX-License-Identifier: MIT */
/* verbs.c - the table of verbs. */
#include "cli/verbs.h"

#include <assert.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/parse.h"
#include "cli/report.h"
#include "cli/screen.h"

/* In the order of the help; the reports come behind the first. */
#define VERBS(ROW) ROW(run) ROW(attach) ROW(top) ROW(flamegraph) ROW(push) ROW(merge) ROW(info) ROW(dump) \
    ROW(make) ROW(build) ROW(import) ROW(diff) ROW(clocks) ROW(selftest) ROW(completion) ROW(list) ROW(help)

#define DECLARATION(name) extern const nytp_verb nytp_##name##_verb;
#define POINTER(name) &nytp_##name##_verb,

VERBS(DECLARATION)
static const nytp_verb *const verbs[] = {VERBS(POINTER)};

#define AHEAD 1u
#define OWN (sizeof verbs / sizeof *verbs)

static uint32_t count_reports(void) {
    uint32_t n = 0;
    while (nytp_reports[n]) n++;
    return n;
}

static nytp_verb verb_of(const nytp_report *report) {
    const char *arguments = report->profiles ? "[OPTIONS] FILE..." : "[OPTIONS] [FILE...]";
    if (report->takes_sub) arguments = "[OPTIONS] SUB [FILE...]";
    return (nytp_verb){.name = report->name, .task = report->task, .arguments = arguments,
                       .summary = report->summary, .run = nytp_cli_report, .report = report};
}

nytp_verb nytp_verbs_at(uint32_t i) {
    uint32_t reports = count_reports();
    if (i < AHEAD) return *verbs[i];
    if (i < AHEAD + reports) return verb_of(nytp_reports[i - AHEAD]);
    return i < OWN + reports ? *verbs[i - reports] : (nytp_verb){0};
}

nytp_verb nytp_verbs_find(const char *name) {
    uint32_t i = 0;
    nytp_verb v;
    do v = nytp_verbs_at(i++);
    while (v.name && strcmp(v.name, name) != 0);
    return v;
}

uint32_t nytp_verbs_args(const nytp_verb *v, nytp_arg rows[NYTP_VERBS_ARGS]) {
    uint32_t n = v->report ? nytp_cli_report_args(v->report, rows) : 0;
    for (const nytp_arg *a = v->report ? v->report->args : v->args; a && a->name; a++) {
        assert(n < NYTP_VERBS_ARGS - 1);
        rows[n++] = *a;
    }
    if (v->makes_reports) n += nytp_choices_args(rows + n);
    assert(n < NYTP_VERBS_ARGS);
    rows[n] = (nytp_arg){0};
    return n;
}

static int help_on(char *name) {
    nytp_verb help = nytp_verbs_find("help");
    return help.run(&(nytp_call){.verb = &help, .argc = 1, .argv = &name});
}

int nytp_verbs_run(const nytp_verb *v, int argc, char **argv) {
    nytp_arg rows[NYTP_VERBS_ARGS];
    nytp_arg_value values[NYTP_VERBS_ARGS] = {{0}};
    nytp_call call = {.verb = v, .values = values, .argc = argc, .argv = argv};
    nytp_verbs_args(v, rows);
    int status = nytp_parse(&call, rows, values);
    if (!status && (v->is_long || call.wants_help)) nytp_screen_begin();
    return status ? status : call.wants_help ? help_on(argv[0]) : v->run(&call);
}
