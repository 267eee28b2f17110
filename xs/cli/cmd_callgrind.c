/* cmd_callgrind.c - `nytprof callgrind`: for kcachegrind and callgrind_annotate. */
#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/report.h"

static const struct option options[] = {
    {"file", required_argument, NULL, 'f'}, {"out", required_argument, NULL, 'o'}, {0, 0, NULL, 0},
};

int nytp_cmd_callgrind(int argc, char **argv) {
    nytp_cli_report r = {.report = &nytp_callgrind_report, .out = nytp_callgrind_report.output, .is_page = 1};
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":f:o:", options, NULL)) != -1) {
        if (option == 'f') r.file = optarg;
        else if (option == 'o') r.out = optarg;
        else return nytp_cli_bad_option(argv, option);
    }
    return nytp_cli_report_run(&r, argc - optind, argv + optind);
}
