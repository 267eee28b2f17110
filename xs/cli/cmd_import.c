/* SPDX-License-Identifier: MIT */
/* cmd_import.c - `nytprof import`: what other programs have recorded of a build, as a capture. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/builder.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/print.h"
#include "import/formats.h"

enum { OUT, MODE, ALL };

static const nytp_arg args[] = {
    [OUT] = {.name = "out", .letter = 'o', .kind = NYTP_ARG_FILE, .value = "FILE", .fallback = NYTP_BUILDER_FILE,
             .help = "file of the capture"},
    [MODE] = NYTP_ARGS_MODE("600"),
    [ALL] = {.name = "all", .letter = 'a', .help = "all builds of a log that has several, one behind the other"},
    {0},
};

typedef struct job {
    nytp_made made;
    uint64_t earlier, cut_n; /* lines that are left out; entries without an end */
    const char *cut;         /* file of the latest of these */
    int32_t wants_all;
} job;

/* When all has gone well. */
static void tell(const job *j, const char *out) {
    if (j->earlier)
        nytp_print_message("import: %" PRIu64 " lines of earlier builds are left out, --all has them", j->earlier);
    if (j->cut_n == 1) nytp_print_message("import: %s: the last entry has no end, and is left out", j->cut);
    if (j->cut_n > 1)
        nytp_print_message("import: the last entries of %" PRIu64 " files have no end, and are left out", j->cut_n);
    nytp_print_message("import: %" PRIu32 " processes in %s (see `nytprof build`)", j->made.n, out);
}

/* Two imports of the same files are the same build, which merging counts once. */
static void identify(nytp_made *m, const nytp_document *d) {
    m->run[0] = m->run[0] * 31 + nytp_str_hash(d->text);
    m->run[1] = m->run[1] * 31 + (uint64_t)d->changed;
}

/* Reads a file if its format is one of those that are below others, or is none. */
static void read_file(job *j, const char *path, int is_below, nytp_error *e) {
    nytp_document d;
    nytp_document_open(&d, path, e);
    const nytp_format *format = e->code ? NULL : nytp_formats_find(&d, e);
    d.wants_all = j->wants_all;
    if (format && format->is_below == is_below) {
        identify(&j->made, &d);
        if (!j->made.recorder.n) j->made.recorder = nytp_str_c(format->recorder);
        format->read(&j->made, &d, e);
        j->earlier += d.earlier;
        j->cut_n += d.is_cut ? 1 : 0;
        if (d.is_cut) j->cut = path;
    }
    nytp_document_close(&d);
}

/* Files are read twice. */
static int has_stdin(const nytp_call *call) {
    for (int i = 0; i < call->argc; i++)
        if (strcmp(call->argv[i], "-") == 0) return 1;
    return 0;
}

/* Captures may be added to, but not in their own place: phases would be added twice. */
static int is_input(const char *out, const nytp_call *call) {
    struct stat to, from;
    if (stat(out, &to) || !S_ISREG(to.st_mode)) return 0;
    for (int i = 0; i < call->argc; i++)
        if (!stat(call->argv[i], &from) && from.st_dev == to.st_dev && from.st_ino == to.st_ino) return 1;
    return 0;
}

static int run_import(const nytp_call *call) {
    const nytp_arg_value *v = call->values;
    const char *out = v[OUT].text;
    job j = {.made.program = NYTP_LIT("import"), .wants_all = v[ALL].given != 0};
    nytp_cli_output o;
    nytp_error e = {0};
    if (!call->argc) return nytp_cli_usage("import: expected FILE...");
    if (has_stdin(call)) return nytp_cli_usage("import: standard input is no file to import");
    if (strcmp(out, "-") == 0) return nytp_cli_usage("import: expected the name of a file, got '-'");
    if (is_input(out, call)) return nytp_cli_usage("import: cannot write to %s, which is to be read", out);
    for (int is_below = 0; is_below < 2; is_below++)
        for (int i = 0; i < call->argc && !e.code; i++)
            read_file(&j, call->argv[i], is_below, &e);
    uint32_t mode = v[MODE].given ? (uint32_t)v[MODE].number : NYTP_CLI_PRIVATE;
    int fd = e.code ? -1 : nytp_cli_output_begin(&o, out, mode, &e);
    if (fd >= 0) nytp_made_write(&j.made, fd, &e);
    if (fd >= 0) nytp_cli_output_end(&o, &e);
    if (!e.code) tell(&j, out);
    nytp_made_free(&j.made);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}

const nytp_verb nytp_import_verb = {
    .name = "import",
    .task = NYTP_TASK_CAPTURES,
    .arguments = "[OPTIONS] FILE...",
    .summary = "makes a capture of logs of ninja and traces of clang",
    .args = args,
    .run = run_import,
};
