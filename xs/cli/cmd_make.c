/* SPDX-License-Identifier: MIT */
/* cmd_make.c - `nytprof make`: a build, of whose processes a capture is made.
 *
 * The build is a child of this process, which passes on signals and ends as the build does. */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/builder.h"
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/launch.h"
#include "cli/print.h"
#include "cli/secret.h"

enum { OUT, FILE_NAME, METHOD, CHILDREN, MAX_SIZE, REDACT };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = NYTP_BUILDER_FILE,
             .help = "file of the capture (also -f, --file)"},
    [FILE_NAME] = {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE"},
    [METHOD] = {.name = "method", .kind = NYTP_ARG_WORD, .value = "METHOD", .words = "preload shell",
                .fallback = "preload", .help = "what sees processes: a library in make, or a program in place of sh"},
    [CHILDREN] = {.name = "children", .letter = 'c',
                  .help = "profile programs in Perl, Lua and Ruby, too, to FILE.out and FILE.out.PID"},
    [MAX_SIZE] = {.name = "max-size", .kind = NYTP_ARG_NUMBER, .value = "MB", .least = 1, .most = 1000000,
                  .fallback = "0", .help = "megabytes of the capture; processes beyond are not recorded"},
    [REDACT] = {.name = "redact", .kind = NYTP_ARG_MAYBE, .value = "/REGEX/",
                .help = "record the names of commands without their arguments, or all without what matches"},
    {0},
};

/* Loads the profiler into interpreters that the build starts. */
static void profile_children(const char *file, const char *program, nytp_error *e) {
    nytp_buf profile = {0}, text = {0}, name = {0};
    nytp_launch launch = {.children = 1};
    nytp_program none = {.words = {program}, .words_n = 1};
    nytp_buf_bytes(&profile, file, strlen(file));
    nytp_buf_bytes(&profile, ".out", sizeof ".out");
    if (profile.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    launch.file = (const char *)profile.p;
    if (!e->code) {
        nytp_launch_locate(&launch);
        nytp_launch_options(&launch, &text, &name);
        nytp_launch_prepare(&launch, &none, &text, e);
    }
    nytp_buf_free(&profile);
    nytp_buf_free(&text);
    nytp_buf_free(&name);
}

static void tell(nytp_builder *b) {
    nytp_error e = {0};
    uint64_t n = nytp_builder_count(b, &e);
    if (!e.code && b->guest.lost)
        nytp_print_message("make: records are missing in %s: %s", b->guest.file, strerror(b->guest.lost));
    if (!e.code && nytp_builder_is_full(b))
        nytp_print_message("make: %s is as large as --max-size allows, processes may be missing", b->guest.file);
    if (e.code) nytp_print_message("make: %s", e.text);
    else if (n > 1) nytp_print_message("make: %" PRIu64 " processes in %s (see `nytprof build`)", n, b->guest.file);
    else
        nytp_print_message("make: %s has the command only: no make or ninja was seen to start a process%s",
                           b->guest.file, b->method == NYTP_BUILDER_PRELOAD ? "; --method shell may see some" : "");
}

static int build(nytp_builder *b, int profiles, nytp_error *e) {
    const nytp_child_owner owner = {"make", nytp_builder_begun, b, 1};
    if (!nytp_builder_open(b, e) && profiles) profile_children(b->guest.file, b->command[0], e);
    if (e->code) return -1;
    int status = nytp_child_run_for(&owner, b->command, e);
    if (status >= 0) nytp_builder_ended(b, status);
    if (status >= 0) tell(b);
    return status;
}

static int make(nytp_builder *b, const nytp_arg_value *v) {
    nytp_error e = {0};
    int status = build(b, v[CHILDREN].given != 0, &e);
    nytp_builder_close(b);
    if (e.code) return nytp_cli_failure(&e);
    if (WIFSIGNALED(status)) nytp_child_die(WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int run_make(const nytp_call *call) {
    const nytp_arg_value *v = call->values, *file = v[OUT].given > v[FILE_NAME].given ? &v[OUT] : &v[FILE_NAME];
    nytp_builder b = {.file = file->text ? file->text : NYTP_BUILDER_FILE, .fd = -1,
                      .limit = (uint64_t)v[MAX_SIZE].number,
                      .command = (const char *const *)(uintptr_t)call->argv};
    nytp_cli_secret secret = {0};
    int status = NYTP_CLI_FINE;
    if (!call->argc) return nytp_cli_usage("make: expected COMMAND...");
    if (!*call->argv[0]) return nytp_cli_usage("make: expected COMMAND..., got an empty name");
    if (strcmp(b.file, "-") == 0) return nytp_cli_usage("make: expected the name of a file, got '-'");
    if (strcmp(v[METHOD].text, "shell") == 0) b.method = NYTP_BUILDER_SHELL;
    if (v[REDACT].text) status = nytp_cli_secret_read(&secret, "make", v[REDACT].text, "/REGEX/");
    if (status == NYTP_CLI_FINE && v[REDACT].text && (secret.words || !nytp_cli_secret_mask(&secret)))
        status = nytp_cli_usage("make: --redact: expected /REGEX/, got '%s'", v[REDACT].text);
    b.hides = v[REDACT].given && !v[REDACT].text;
    b.secret = nytp_cli_secret_mask(&secret) ? &secret : NULL;
    if (status == NYTP_CLI_FINE) status = make(&b, v);
    nytp_cli_secret_free(&secret);
    return status;
}

const nytp_verb nytp_make_verb = {
    .name = "make",
    .task = NYTP_TASK_PROFILE,
    .arguments = "[OPTIONS] COMMAND...",
    .summary = "runs a build, and records each process that make or ninja starts",
    .args = args,
    .stops = 1,
    .run = run_make,
};
