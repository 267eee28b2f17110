/* cmd_folded.c - `nytprof folded`: call paths as text, for flame graphs. */
#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/report.h"
#include "report/folded.h"

enum { CALLS = 256, SUBS, STABLE, RATE };

#define RATE_MAX 4000000000u

static const struct option options[] = {
    {"file", required_argument, NULL, 'f'}, {"out", required_argument, NULL, 'o'}, {"calls", no_argument, NULL, CALLS},
    {"subs", no_argument, NULL, SUBS},      {"stable", no_argument, NULL, STABLE},
    {"rate", required_argument, NULL, RATE}, {0, 0, NULL, 0},
};

static int write_folded(const nytp_cli_report *r, const nytp_profile *p, nytp_sink *sink) {
    return nytp_folded_write(sink, p, r->context);
}

int nytp_cmd_folded(int argc, char **argv) {
    nytp_folded_options folded = {0};
    nytp_cli_report r = {.report = &nytp_folded_report, .out = nytp_folded_report.output, .is_page = 1,
                         .write = write_folded, .context = &folded};
    int option, status = NYTP_CLI_FINE;
    uint32_t rate = 0;
    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, ":f:o:", options, NULL)) != -1) {
        if (option == 'f') r.file = optarg;
        else if (option == 'o') r.out = optarg;
        else if (option == CALLS) folded.stacks.calls = 1;
        else if (option == SUBS) folded.stacks.subs_only = 1;
        else if (option == STABLE) folded.stable = 1;
        else if (option == RATE) status = nytp_cli_number(argv, "--rate", 1, RATE_MAX, &rate);
        else return nytp_cli_bad_option(argv, option);
    }
    folded.rate = rate;
    return status ? status : nytp_cli_report_run(&r, argc - optind, argv + optind);
}
