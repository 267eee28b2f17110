/* cmd_html.c - `nytprof html`: pages of annotated source. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/browser.h"
#include "cli/cli.h"
#include "cli/report.h"
#include "report/html.h"

enum { KEEP_EVALS = 256, NO_FLAME, NO_GRAPHS, FLAME_WIDTH, NO_COMPRESS, OPEN, SINGLE, COMPAT_PAGES, MIN_TIME,
       EDITOR_URL };

#define WIDTH_MIN 100
#define WIDTH_MAX 100000
#define PAGES_TOLD 16
#define SINGLE_FILE "nytprof.html" /* of --single if nobody says otherwise */

static const struct option options[] = {
    {"file", required_argument, NULL, 'f'},
    {"out", required_argument, NULL, 'o'},
    {"delete", no_argument, NULL, 'd'},
    {"lib", required_argument, NULL, 'l'},
    {"no-mergeevals", no_argument, NULL, KEEP_EVALS},
    {"no-flame", no_argument, NULL, NO_FLAME},
    {"no-graphs", no_argument, NULL, NO_GRAPHS},
    {"no-compress", no_argument, NULL, NO_COMPRESS},
    {"open", no_argument, NULL, OPEN},
    {"single", no_argument, NULL, SINGLE},
    {"minimal", no_argument, NULL, 'm'},
    {"compat-pages", no_argument, NULL, COMPAT_PAGES},
    {"min-time", required_argument, NULL, MIN_TIME},
    {"editor-url", required_argument, NULL, EDITOR_URL},
    {"flamewidth", required_argument, NULL, FLAME_WIDTH},
    {0, 0, NULL, 0},
};

static int write_pages(const nytp_cli_report *r, const nytp_profile *p, nytp_sink *sink) {
    return nytp_html_write(p, NYTP_VERSION, r->context, sink);
}

static int read_seconds(char **argv, const char *option, double *seconds) {
    char *end;
    *seconds = strtod(optarg, &end);
    if (end != optarg && !*end && *seconds >= 0) return NYTP_CLI_FINE;
    return nytp_cli_usage("%s: %s wants a number of seconds, got '%s'", argv[0], option, optarg);
}

/* Every so many pages and at the end, which takes the line away again. */
static void tell_progress(void *context, uint32_t done, uint32_t all) {
    (void)context;
    if (done == all) fputs("\r\033[K", stderr);
    else if (done % PAGES_TOLD == 0) fprintf(stderr, "\rpage %u of %u", done, all);
}

/* Where it is, and in a browser: a name that begins with a dash would be an option of the browser's. */
static void tell(const nytp_cli_report *r, int opens) {
    char page[4096];
    const char *index = r->is_page ? "" : "/index.html";
    snprintf(page, sizeof page, "%s%s%s", r->out[0] == '-' ? "./" : "", r->out, index);
    printf("The report is in %s%s\n", r->out, index);
    fflush(stdout);
    if (opens) nytp_cli_browser_open(page);
}

int nytp_cmd_html(int argc, char **argv) {
    nytp_html_options html = {0};
    nytp_cli_report r = {.report = &nytp_html_report, .has_notes = 1, .load.tell_outside = 1,
                         .write = write_pages, .context = &html};
    char library[PATH_MAX];
    int option, opens = 0, status = NYTP_CLI_FINE;
    opterr = 0;
    if (isatty(STDERR_FILENO)) html.progress = tell_progress;
    while (!status && (option = getopt_long(argc, argv, ":f:o:l:dm", options, NULL)) != -1) {
        if (option == 'f') r.file = optarg;
        else if (option == 'o') r.out = optarg;
        else if (option == 'd') r.empty = 1;
        else if (option == 'l') r.load.library = realpath(optarg, library);
        else if (option == KEEP_EVALS) r.load.keep_evals = 1;
        else if (option == NO_FLAME) html.no_flame = 1;
        else if (option == NO_GRAPHS || option == 'm') html.no_graphs = 1;
        else if (option == NO_COMPRESS) html.no_compress = 1;
        else if (option == OPEN) opens = 1;
        else if (option == SINGLE) html.single = 1;
        else if (option == COMPAT_PAGES) html.compat_pages = 1;
        else if (option == MIN_TIME) status = read_seconds(argv, "--min-time", &html.min_time);
        else if (option == EDITOR_URL) html.editor = optarg;
        else if (option == FLAME_WIDTH)
            status = nytp_cli_number(argv, "--flamewidth", WIDTH_MIN, WIDTH_MAX, &html.flame_width);
        else return nytp_cli_bad_option(argv, option);
    }
    if (!r.out) r.out = html.single ? SINGLE_FILE : nytp_html_report.output;
    r.is_page = html.single;
    if (!status) status = nytp_cli_report_run(&r, argc - optind, argv + optind);
    if (status == NYTP_CLI_FINE && !(html.single && strcmp(r.out, "-") == 0)) tell(&r, opens);
    return status;
}
