/* cmd_html.c - `nytprof html`: pages of annotated source. */
#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/report.h"
#include "report/html.h"

enum { KEEP_EVALS = 256, NO_FLAME, NO_GRAPHS, FLAME_WIDTH, NO_COMPRESS };

#define WIDTH_MIN 100
#define WIDTH_MAX 100000

static const struct option options[] = {
    {"file", required_argument, NULL, 'f'},
    {"out", required_argument, NULL, 'o'},
    {"delete", no_argument, NULL, 'd'},
    {"no-mergeevals", no_argument, NULL, KEEP_EVALS},
    {"no-flame", no_argument, NULL, NO_FLAME},
    {"no-graphs", no_argument, NULL, NO_GRAPHS},
    {"no-compress", no_argument, NULL, NO_COMPRESS},
    {"flamewidth", required_argument, NULL, FLAME_WIDTH},
    {0, 0, NULL, 0},
};

static int write_pages(const nytp_cli_report *r, const nytp_profile *p, nytp_sink *sink) {
    return nytp_html_write(p, NYTP_VERSION, r->context, sink);
}

int nytp_cmd_html(int argc, char **argv) {
    nytp_html_options html = {0};
    nytp_cli_report r = {.report = &nytp_html_report, .out = nytp_html_report.output, .has_notes = 1,
                         .write = write_pages, .context = &html};
    int option, status = NYTP_CLI_FINE;
    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, ":f:o:d", options, NULL)) != -1) {
        if (option == 'f') r.file = optarg;
        else if (option == 'o') r.out = optarg;
        else if (option == 'd') r.empty = 1;
        else if (option == KEEP_EVALS) r.load.keep_evals = 1;
        else if (option == NO_FLAME) html.no_flame = 1;
        else if (option == NO_GRAPHS) html.no_graphs = 1;
        else if (option == NO_COMPRESS) html.no_compress = 1;
        else if (option == FLAME_WIDTH)
            status = nytp_cli_number(argv, "--flamewidth", WIDTH_MIN, WIDTH_MAX, &html.flame_width);
        else return nytp_cli_bad_option(argv, option);
    }
    if (!status) status = nytp_cli_report_run(&r, argc - optind, argv + optind);
    if (status == NYTP_CLI_FINE) printf("The report is in %s/index.html\n", r.out);
    return status;
}
