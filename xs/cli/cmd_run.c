/* SPDX-License-Identifier: MIT */
/* cmd_run.c - `nytprof run`: a Perl, Lua or Ruby program under the profiler.
 *
 * The program replaces this process by exec, so that input, output, signals and exit status pass directly between the
 * program and its parent. With an option of a report there is a process in between, which makes the reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/outfile.h"
#include "cli/after.h"
#include "cli/child.h"
#include "cli/choices.h"
#include "cli/cli.h"
#include "cli/compare.h"
#include "cli/embedded.h"
#include "cli/captures.h"
#include "cli/interpreters.h"
#include "cli/launch.h"
#include "cli/pusher.h"
#include "cli/ranks.h"

enum { OUT, FILE_NAME, OPTIONS, CHILDREN, PRELOAD, MEMORY, SAMPLE, ALWAYS_ON, PUSH, SERVICE, LABEL, COMPARE,
       REPORTS };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = NYTP_CLI_DEFAULT_FILE,
             .help = "file of the profile (also -f, --file)"},
    [FILE_NAME] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE"},
    [OPTIONS] = {.name = "options", .kind = NYTP_ARG_TEXT, .value = "TEXT",
                 .help = "more options, NAME=VALUE:NAME=VALUE, as in the variable NYTPROF"},
    [CHILDREN] = {.name = "children", .letter = 'c', .help = "profile the programs that it starts, too"},
    [PRELOAD] = {.name = "preload", .help = "profile Lua in programs that link its shared library"},
    [MEMORY] = {.name = "memory", .help = "count bytes allocated and freed, and values made and freed (Perl, Lua)"},
    [SAMPLE] = {.name = "sample", .kind = NYTP_ARG_MAYBE, .value = "HZ",
                .help = "take 100 or HZ samples a second instead of counting (Perl, Lua)"},
    [ALWAYS_ON] = {.name = "always-on", .help = "sample a server: with children, the last minutes, to FILE.PID"},
    [PUSH] = {.name = "push", .kind = NYTP_ARG_TEXT, .value = "URL",
              .help = "send the profile to a server while the program runs, by `nytprof push --follow`"},
    [SERVICE] = {.name = "service", .kind = NYTP_ARG_TEXT, .value = "NAME", .help = "that of push"},
    [LABEL] = {.name = "label", .kind = NYTP_ARG_TEXT, .value = "NAME=VALUE:...", .help = "those of push"},
    [COMPARE] = {.name = "compare", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1,
                 .most = NYTP_RANKS_MOST, .help = "time two, PROGRAM... -- PROGRAM..., in turns, 1 to 100 times each"},
    [REPORTS] = {0}, /* those of choices.h */
};

static int report_on(const char *file, const nytp_arg_value *reports, struct timespec since, nytp_error *e) {
    size_t n;
    int status = NYTP_CLI_FAILURE;
    char **captures = nytp_captures_since(file, since, &n, e);
    if (!e->code && !n) nytp_error_set(e, NYTP_IO, "run: no report: no profile %s was written", file);
    if (!e->code) status = nytp_after_report(reports, captures, n);
    for (size_t i = 0; i < n; i++) free(captures[i]);
    free(captures);
    return status;
}

/* The exit status is the program's if it failed, else that of the reports. */
static int run_and_report(const char *const *command, const char *file, const nytp_arg_value *reports, nytp_error *e) {
    struct timespec since = nytp_captures_now();
    int ended = nytp_child_run(command, e), status = NYTP_CLI_FAILURE;
    if (!e->code) status = report_on(file, reports, since, e);
    if (ended < 0) return NYTP_CLI_FAILURE;
    if (e->code) nytp_cli_failure(e);
    e->code = NYTP_OK;
    if (WIFSIGNALED(ended)) nytp_child_die(WTERMSIG(ended));
    return WEXITSTATUS(ended) ? WEXITSTATUS(ended) : status;
}

static int find(nytp_program *p, const nytp_launch *l, int argc, char **argv, nytp_error *e) {
    if (nytp_program_find(p, argv[0], e)) return e->code;
    if (!p->interpreter) nytp_embedded_say(strchr(argv[0], '/') ? argv[0] : p->path, argv[0], l->preload);
    else if (l->sample && !p->interpreter->samples && !p->interpreter->reads_sample)
        return nytp_error_set(e, NYTP_USAGE, "run: %s is not sampled, expected a program in Perl or Lua",
                              p->interpreter->names[0]);
    else if (l->memory && !p->interpreter->counts_memory)
        return nytp_error_set(e, NYTP_USAGE, "run: --memory is not for %s, expected a program in Perl or Lua",
                              p->interpreter->names[0]);
    else if (p->interpreter->check) return p->interpreter->check(p, argc - 1, argv + 1, e);
    return NYTP_OK;
}

static nytp_pusher pusher_of(const nytp_arg_value *v) {
    return (nytp_pusher){.url = v[PUSH].text, .service = v[SERVICE].text, .labels = v[LABEL].text};
}

static enum nytp_code begin_push(const nytp_arg_value *v, const char *file, nytp_error *e) {
    nytp_pusher pusher = pusher_of(v);
    return v[PUSH].given ? nytp_pusher_start(&pusher, file, e) : NYTP_OK;
}

/* Returns only on an error or with reports. */
static int run(nytp_launch *l, const nytp_arg_value *v, int argc, char **argv, nytp_error *e) {
    const nytp_arg_value *reports = v + REPORTS;
    nytp_program program;
    nytp_choice choice = {0};
    nytp_buf text = {0}, file = {0};
    const char **command = NULL;
    int status = NYTP_CLI_FAILURE, reporting = 0;
    for (; nytp_choices_next(&choice, reports); reporting = 1) l->calls |= choice.report->wants_calls;
    int is_ours = nytp_launch_options(l, &text, &file);
    int refused = file.failed ? NYTP_CLI_FINE : nytp_after_check("run", reports, (const char *)file.p);
    if (is_ours && !file.failed && !refused) nytp_captures_check((const char *)file.p, e);
    if (!refused && !e->code && !find(&program, l, argc, argv, e) && !nytp_launch_prepare(l, &program, &text, e)) {
        if (is_ours) nytp_outfile_forget((const char *)file.p);
        command = nytp_launch_command(l, &program, argc - 1, argv + 1);
        if (!command) nytp_error_set(e, NYTP_NOMEM, "out of memory");
        else begin_push(v, (const char *)file.p, e);
    }
    if (e->code) {
        free(command);
        command = NULL;
    }
    if (command && reporting) status = run_and_report(command, (const char *)file.p, reports, e);
    else if (command && execvp(command[0], (char *const *)(uintptr_t)command))
        nytp_error_sys(e, "run: cannot run %s", command[0]);
    free(command);
    nytp_buf_free(&text);
    nytp_buf_free(&file);
    return refused ? refused : status;
}

static int compare(const nytp_launch *l, uint32_t runs, const nytp_call *call) {
    nytp_buf text = {0}, file = {0};
    nytp_choice choice = {0};
    nytp_error e = {0};
    int status = NYTP_CLI_FAILURE;
    if (nytp_choices_next(&choice, call->values + REPORTS))
        return nytp_cli_usage("run: expected --compare or --%s, got both", choice.report->name);
    nytp_launch_options(l, &text, &file);
    if (file.failed) nytp_error_set(&e, NYTP_NOMEM, "out of memory");
    else status = nytp_compare(l, (const char *)file.p, runs, call->argc, call->argv, &e);
    nytp_buf_free(&text);
    nytp_buf_free(&file);
    return e.code ? nytp_cli_failure(&e) : status;
}

/* Returns an exit code. */
static int check_push(const nytp_arg_value *v) {
    nytp_pusher pusher = pusher_of(v);
    nytp_error e = {0};
    if (!v[PUSH].given && (v[SERVICE].given || v[LABEL].given))
        return nytp_cli_usage("run: expected --push with --%s", v[SERVICE].given ? "service" : "label");
    if (v[PUSH].given && v[COMPARE].given) return nytp_cli_usage("run: expected --compare or --push, got both");
    if (v[PUSH].given && nytp_pusher_check(&pusher, &e))
        return e.code == NYTP_USAGE ? nytp_cli_usage("run: %s", e.text) : nytp_cli_failure(&e);
    return NYTP_CLI_FINE;
}

#define USUAL 100 /* samples a second */

/* What the options say of sampling, or nothing. Returns 1, or 0 for a number that makes no sense. */
static int choose_sampling(char text[64], const nytp_arg_value *sample, int is_always_on) {
    char *end = "";
    long hz = sample->given && sample->text ? strtol(sample->text, &end, 10) : USUAL;
    if (*end || hz < 1 || hz > 1000) return 0;
    if (!sample->given && !is_always_on) return 1;
    snprintf(text, 64, "sample=%ld%s", hz, is_always_on ? ":savesrc=0:addpid=1:ring=300" : "");
    return 1;
}

static int run_verb(const nytp_call *call) {
    const nytp_arg_value *v = call->values, *file = v[OUT].given > v[FILE_NAME].given ? &v[OUT] : &v[FILE_NAME];
    nytp_launch launch = {.file = file->text, .options = v[OPTIONS].text, .children = v[CHILDREN].given != 0,
                          .preload = v[PRELOAD].given != 0, .memory = v[MEMORY].given != 0};
    nytp_error e = {0};
    char sampling[64] = "";
    if (!call->argc) return nytp_cli_usage("run: expected PROGRAM...");
    if (!choose_sampling(sampling, &v[SAMPLE], v[ALWAYS_ON].given != 0))
        return nytp_cli_usage("run: --sample: expected 1 to 1000 samples a second, got '%s'", v[SAMPLE].text);
    if (*sampling) launch.sample = sampling;
    if (launch.sample && launch.memory)
        return nytp_cli_usage("run: expected --memory or --%s, got both", v[SAMPLE].given ? "sample" : "always-on");
    if (v[ALWAYS_ON].given) launch.children = 1;
    if (!*call->argv[0]) return nytp_cli_usage("run: expected PROGRAM..., got an empty name");
    int refused = check_push(v);
    if (refused) return refused;
    if (v[COMPARE].given) return compare(&launch, (uint32_t)v[COMPARE].number, call);
    nytp_launch_locate(&launch);
    int status = run(&launch, v, call->argc, call->argv, &e);
    return e.code ? nytp_cli_failure(&e) : status;
}

const nytp_verb nytp_run_verb = {
    .name = "run",
    .task = NYTP_TASK_PROFILE,
    .arguments = "[OPTIONS] PROGRAM...",
    .summary = "runs a Perl, Lua or Ruby program under the profiler",
    .args = args,
    .stops = 1,
    .makes_reports = 1,
    .run = run_verb,
};
