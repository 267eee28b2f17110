/* SPDX-License-Identifier: MIT */
/* cmd_run.c - `nytprof run`: a Perl, Lua or Ruby program under the profiler.
 *
 * The program replaces this process by exec, so that input, output, signals and exit status pass directly between the
 * program and its parent. With --html there is a process in between, which makes the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/captures.h"
#include "cli/interpreters.h"
#include "cli/launch.h"
#include "cli/verbs.h"

enum { OUT, FILE_NAME, OPTIONS, CHILDREN, PRELOAD, HTML };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = NYTP_CLI_DEFAULT_FILE,
             .help = "file of the profile (also -f, --file)"},
    [FILE_NAME] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE"},
    [OPTIONS] = {.name = "options", .kind = NYTP_ARG_TEXT, .value = "TEXT",
                 .help = "more options, NAME=VALUE:NAME=VALUE, as in the variable NYTPROF"},
    [CHILDREN] = {.name = "children", .letter = 'c', .help = "profile the programs that it starts, too"},
    [PRELOAD] = {.name = "preload", .help = "profile Lua in programs that link its shared library"},
    [HTML] = {.name = "html", .kind = NYTP_ARG_MAYBE, .value = "DIR", .fallback = "nytprof",
              .help = "write the html report when it has ended"},
    {0},
};

/* The command, ending with NULL: the array is the caller's to free, its strings are borrowed. NULL without memory. */
static const char **command_of(nytp_launch *l, const nytp_program *p, int argc, char **argv) {
    size_t room = NYTP_PROGRAM_WORDS + NYTP_LAUNCH_SWITCHES + 1 + (size_t)argc + 1, n = 1;
    const char **command = calloc(room, sizeof *command);
    if (!command) return NULL;
    command[0] = p->words[0];
    if (p->words_n > 1) command[n++] = p->words[1];
    n += (size_t)nytp_launch_switches(l, p, command + n);
    if (p->script) command[n++] = p->script;
    for (int i = 0; i < argc; i++) command[n++] = argv[i];
    return command;
}

/* Makes one report of all captures of the run. Its messages go to standard error, as standard output is the
 * program's. */
static int report(const char *dir, char **captures, size_t n) {
    const char **argv = calloc(n + 5, sizeof *argv);
    int argc = 0, status;
    if (!argv || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        free(argv);
        return NYTP_CLI_FAILURE;
    }
    argv[argc++] = "html";
    argv[argc++] = "-o";
    argv[argc++] = dir;
    argv[argc++] = "--";
    for (size_t i = 0; i < n; i++) argv[argc++] = captures[i];
    nytp_verb html = nytp_verbs_find("html");
    status = nytp_verbs_run(&html, argc, (char **)(uintptr_t)argv);
    fflush(stdout);
    free(argv);
    return status;
}

static int report_on(const char *file, const char *dir, struct timespec since, nytp_error *e) {
    size_t n;
    int status = NYTP_CLI_FAILURE;
    char **captures = nytp_captures_since(file, since, &n, e);
    if (!e->code && !n) nytp_error_set(e, NYTP_IO, "run: no report: no profile %s was written", file);
    if (!e->code) status = report(dir, captures, n);
    for (size_t i = 0; i < n; i++) free(captures[i]);
    free(captures);
    return status;
}

/* The exit status is the program's if it failed, else that of the report. */
static int run_and_report(const char *const *command, const char *file, const char *dir, nytp_error *e) {
    struct timespec since = nytp_captures_now();
    int ended = nytp_child_run(command, e), status = NYTP_CLI_FAILURE;
    if (!e->code) status = report_on(file, dir, since, e);
    if (ended < 0) return NYTP_CLI_FAILURE;
    if (e->code) nytp_cli_failure(e);
    e->code = NYTP_OK;
    if (WIFSIGNALED(ended)) nytp_child_die(WTERMSIG(ended));
    return WEXITSTATUS(ended) ? WEXITSTATUS(ended) : status;
}

static int find(nytp_program *p, const nytp_launch *l, int argc, char **argv, nytp_error *e) {
    if (nytp_program_find(p, argv[0], e)) return e->code;
    if (!p->interpreter) nytp_embedded_say(strchr(argv[0], '/') ? argv[0] : p->path, argv[0], l->preload);
    else if (p->interpreter->check) return p->interpreter->check(p, argc - 1, argv + 1, e);
    return NYTP_OK;
}

/* Returns only on an error or with a report. */
static int run(nytp_launch *l, const char *html, int argc, char **argv, nytp_error *e) {
    nytp_program program;
    nytp_buf text = {0}, file = {0};
    const char **command = NULL;
    int status = NYTP_CLI_FAILURE;
    nytp_launch_options(l, &text, &file);
    if (!find(&program, l, argc, argv, e) && !nytp_launch_prepare(l, &program, &text, e)) {
        command = command_of(l, &program, argc - 1, argv + 1);
        if (!command) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    }
    if (command && html) status = run_and_report(command, (const char *)file.p, html, e);
    else if (command && execvp(command[0], (char *const *)(uintptr_t)command))
        nytp_error_sys(e, "run: cannot run %s", command[0]);
    free(command);
    nytp_buf_free(&text);
    nytp_buf_free(&file);
    return status;
}

static int run_verb(const nytp_call *call) {
    const nytp_arg_value *v = call->values, *file = v[OUT].given > v[FILE_NAME].given ? &v[OUT] : &v[FILE_NAME];
    nytp_launch launch = {.file = file->text, .options = v[OPTIONS].text, .children = v[CHILDREN].given != 0,
                          .preload = v[PRELOAD].given != 0};
    nytp_error e = {0};
    if (!call->argc) return nytp_cli_usage("run: expected PROGRAM...");
    if (!*call->argv[0]) return nytp_cli_usage("run: expected PROGRAM..., got an empty name");
    nytp_launch_locate(&launch);
    int status = run(&launch, v[HTML].given ? v[HTML].text : NULL, call->argc, call->argv, &e);
    return e.code ? nytp_cli_failure(&e) : status;
}

const nytp_verb nytp_run_verb = {
    .name = "run",
    .arguments = "[OPTIONS] PROGRAM...",
    .summary = "runs a Perl, Lua or Ruby program under the profiler",
    .args = args,
    .stops = 1,
    .run = run_verb,
};
