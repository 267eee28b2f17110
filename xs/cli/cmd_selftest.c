/* SPDX-License-Identifier: MIT */
/* cmd_selftest.c - `nytprof selftest`: what profiling costs on this machine, and whether its counts are exact. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/clocks.h"
#include "cli/trial.h"
#include "report/json.h"

enum { JSON };

static const nytp_arg args[] = {
    [JSON] = {.name = "json", .help = "print JSON"},
    {0},
};

static int is_exact(const nytp_probe *probe, const nytp_trial *t, int part) {
    return t->parts[part].counted == probe->parts[part].events;
}

/* 1 if all counts of the trials are exact; those that could not be made do not count. */
static int all_exact(const nytp_trial trials[NYTP_PROBES]) {
    for (uint32_t i = 0; i < NYTP_PROBES; i++)
        for (int part = 0; nytp_probes[i].parts[part].event && !*trials[i].problem; part++)
            if (!is_exact(&nytp_probes[i], &trials[i], part)) return 0;
    return 1;
}

/* 1 if a corrected time is missing. */
static int is_busy(const nytp_trial trials[NYTP_PROBES]) {
    for (uint32_t i = 0; i < NYTP_PROBES; i++)
        for (int part = 0; nytp_probes[i].parts[part].event && !*trials[i].problem; part++)
            if (nytp_trial_ns(&trials[i].parts[part], NYTP_TRIAL_CORRECTED) < 0) return 1;
    return 0;
}

/* --- text --- */

#define LEAST 0.05 /* ns that are not 0.0 */

static void print_part(const nytp_probe *probe, const nytp_trial *t, int part) {
    const nytp_trial_part *p = &t->parts[part];
    printf("  %-23s %8" PRId64, probe->parts[part].event, probe->parts[part].events);
    if (is_exact(probe, t, part)) printf("%9s", "exact");
    else printf("%9" PRId64, p->counted);
    double bare = nytp_trial_ns(p, NYTP_TRIAL_BARE), profiled = nytp_trial_ns(p, NYTP_TRIAL_PROFILED);
    double corrected = nytp_trial_ns(p, NYTP_TRIAL_CORRECTED);
    printf("%8.1f %8.1f ", bare, profiled);
    if (corrected < LEAST) printf("%9s", corrected < 0 ? "busy" : "~0");
    else printf("%9.1f", corrected);
    printf(" %7.2f\n", bare > 0 ? profiled / bare : 0);
}

static void print_trial(const nytp_probe *probe, const nytp_trial *t) {
    if (*t->problem) {
        printf("%s %s\n", probe->language, t->problem);
        return;
    }
    printf("%s\n", t->interpreter);
    for (int part = 0; probe->parts[part].event; part++) print_part(probe, t, part);
}

static void print_clocks(void) {
    nytp_clocks_cost cost;
    puts("\nclock                  per reading");
    for (const nytp_clock_row *row = nytp_clock_rows(); row->name; row++)
        if (nytp_clocks_measure(row, &cost)) printf("  %-23s %8.1f\n", row->name, cost.reading);
}

static void print_text(const nytp_trial trials[NYTP_PROBES]) {
    puts("nanoseconds an event        events  counted    bare profiled corrected   ratio");
    for (uint32_t i = 0; i < NYTP_PROBES; i++) print_trial(&nytp_probes[i], &trials[i]);
    print_clocks();
    printf("\nbare, profiled: CPU time; corrected: in the profile; lower quartiles of %d runs\n", NYTP_ROUNDS);
    if (is_busy(trials)) puts("busy: in all runs other programs had the processor too long to tell the time");
}

/* --- JSON --- */

/* With three places. */
static void put_ns(nytp_json *j, const char *key, double ns) {
    nytp_json_decimal(j, key, (int64_t)(1000 * ns + (ns < 0 ? -0.5 : 0.5)), 3);
}

static void put_part(nytp_json *j, const nytp_probe *probe, const nytp_trial *t, int part) {
    const nytp_trial_part *p = &t->parts[part];
    nytp_json_object(j, NULL);
    nytp_json_text(j, "event", probe->parts[part].event);
    nytp_json_signed(j, "events", probe->parts[part].events);
    nytp_json_signed(j, "counted", p->counted);
    nytp_json_bool(j, "exact", is_exact(probe, t, part));
    put_ns(j, "bare_ns", nytp_trial_ns(p, NYTP_TRIAL_BARE));
    put_ns(j, "profiled_ns", nytp_trial_ns(p, NYTP_TRIAL_PROFILED));
    double corrected = nytp_trial_ns(p, NYTP_TRIAL_CORRECTED);
    if (corrected < 0) nytp_json_null(j, "corrected_ns");
    else put_ns(j, "corrected_ns", corrected);
    nytp_json_end(j);
}

static void put_trial(nytp_json *j, const nytp_probe *probe, const nytp_trial *t) {
    nytp_json_object(j, NULL);
    nytp_json_text(j, "language", probe->language);
    if (*t->problem) nytp_json_text(j, "problem", t->problem);
    else {
        nytp_json_text(j, "interpreter", t->interpreter);
        nytp_json_array(j, "events");
        for (int part = 0; probe->parts[part].event; part++) put_part(j, probe, t, part);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_clock(nytp_json *j, const nytp_clock_row *row) {
    nytp_clocks_cost cost;
    if (!nytp_clocks_measure(row, &cost)) return;
    nytp_json_object(j, NULL);
    nytp_json_text(j, "name", row->name);
    put_ns(j, "resolution_ns", cost.resolution);
    put_ns(j, "step_ns", cost.step);
    put_ns(j, "reading_ns", cost.reading);
    nytp_json_end(j);
}

static void print_json(const nytp_trial trials[NYTP_PROBES], nytp_error *e) {
    nytp_buf out = {0};
    nytp_json j = {.out = &out, .lines = 3};
    nytp_json_object(&j, NULL);
    nytp_json_text(&j, "version", NYTP_VERSION);
    nytp_json_bool(&j, "exact", all_exact(trials));
    nytp_json_array(&j, "trials");
    for (uint32_t i = 0; i < NYTP_PROBES; i++) put_trial(&j, &nytp_probes[i], &trials[i]);
    nytp_json_end(&j);
    nytp_json_array(&j, "clocks");
    for (const nytp_clock_row *row = nytp_clock_rows(); row->name; row++) put_clock(&j, row);
    nytp_json_end(&j);
    nytp_json_end(&j);
    nytp_json_finish(&j);
    if (out.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else fwrite(out.p, 1, out.n, stdout);
    nytp_buf_free(&out);
}

/* --- the verb --- */

/* What loads the profiler into every program, or changes what it counts. */
static void clean_environment(void) {
    static const char *const variables[] = {"NYTPROF",      "PERL5OPT",     "PERL5DB", "RUBYOPT", "LUA_INIT",
                                            "LUA_INIT_5_4", "LUA_INIT_5_3", NULL};
    for (const char *const *name = variables; *name; name++) unsetenv(*name);
}

static int run_selftest(const nytp_call *call) {
    nytp_trial trials[NYTP_PROBES];
    nytp_error e = {0};
    if (call->argc) return nytp_cli_usage("selftest: expected no arguments, got '%s'", call->argv[0]);
    clean_environment();
    for (uint32_t i = 0; i < NYTP_PROBES && !e.code; i++) nytp_trial_run(&trials[i], &nytp_probes[i], &e);
    if (!e.code && call->values[JSON].given) print_json(trials, &e);
    else if (!e.code) print_text(trials);
    if (e.code) return nytp_cli_failure(&e);
    return all_exact(trials) ? NYTP_CLI_FINE : NYTP_CLI_FAILURE;
}

const nytp_verb nytp_selftest_verb = {
    .name = "selftest",
    .task = NYTP_TASK_PROFILE,
    .arguments = "[--json]",
    .summary = "measures what profiling costs on this machine",
    .args = args,
    .run = run_selftest,
};
