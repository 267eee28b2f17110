/* cmd_csv.c - `nytprof csv`: every line's time and count, and the words Devel::NYTProf has always said meanwhile. */
#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/report.h"
#include "report/csv.h"

static const struct option options[] = {
    {"file", required_argument, NULL, 'f'}, {"out", required_argument, NULL, 'o'},
    {"delete", no_argument, NULL, 'd'},     {"delim", required_argument, NULL, 'D'},
    {"annotated", no_argument, NULL, 'a'},  {0, 0, NULL, 0},
};

static nytp_str delimiter_of(const char *text) {
    nytp_str s = nytp_str_c(text);
    if (nytp_str_eq(s, NYTP_LIT("comma"))) return NYTP_LIT(",");
    return nytp_str_eq(s, NYTP_LIT("tab")) ? NYTP_LIT("\t") : s;
}

static int write_levels(const nytp_cli_report *r, const nytp_profile *p, nytp_sink *sink) {
    static const enum nytp_level order[] = {NYTP_LEVEL_SUB, NYTP_LEVEL_BLOCK, NYTP_LEVEL_LINE};
    int code = NYTP_OK;
    for (int i = 0; i < NYTP_LEVELS && !code; i++) {
        if (!nytp_csv_has_level(p, order[i])) continue;
        printf("Writing %s reports to %s directory\n", nytp_csv_level_name(order[i]), r->out);
        code = nytp_csv_write(p, order[i], r->context, sink);
    }
    return code;
}

int nytp_cmd_csv(int argc, char **argv) {
    nytp_csv_options csv = {0};
    nytp_cli_report r = {.report = &nytp_csv_report, .out = nytp_csv_report.output, .write = write_levels,
                         .context = &csv, .banner = "Generating CSV report..."};
    int option;
    csv.version = NYTP_LIT(NYTP_VERSION);
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":f:o:da", options, NULL)) != -1) {
        if (option == 'f') r.file = optarg;
        else if (option == 'o') r.out = optarg;
        else if (option == 'd') r.empty = 1;
        else if (option == 'D') csv.delimiter = delimiter_of(optarg);
        else if (option == 'a') csv.annotated = 1;
        else return nytp_cli_bad_option(argv, option);
    }
    return nytp_cli_report_run(&r, argc - optind, argv + optind);
}
