/* main.c - the nytprof command: finds the verb and hands over. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

typedef struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments;
    const char *summary;
    const char *options; /* one line each, or NULL */
} verb;

#define CAPTURE_OPTION "  -f, --file FILE    the capture, if none is named behind the options\n"

#define REPORT_OPTIONS \
    CAPTURE_OPTION \
    "  -o, --out DIR      where to write [nytprof]\n" \
    "  -d, --delete       first delete the pages an earlier report left there\n"

/* In the order of the help. */
static const verb verbs[] = {
    {"run", nytp_cmd_run, "[OPTIONS] PROGRAM...", "runs a Perl or Lua program, with its arguments, under the profiler",
     "  -o, --out FILE     where the profile goes (also -f, --file) [nytprof.out]\n"
     "      --options TEXT more options, NAME=VALUE:NAME=VALUE, as in the variable NYTPROF\n"
     "  -c, --children     profile the Perl and Lua programs that it starts, too\n"
     "      --preload      profile Lua in programs that have its shared library in them\n"
     "      --html[=DIR]   write the html report when it has ended [nytprof]\n"},
    {"html", nytp_cmd_html, "[OPTIONS] [FILE...]", "writes pages of annotated source, to be read in a browser",
     REPORT_OPTIONS "  -l, --lib DIR        one more directory that modules were found in\n"
                    "      --no-mergeevals  keep string evals of one line and text apart\n"
                    "      --single         one page with all in it, to be mailed, in the file --out [nytprof.html]\n"
                    "      --open           show it in a browser: that of BROWSER, else the desktop's\n"
                    "      --no-flame       no flame graph\n"
                    "      --flamewidth N   its width in pixels [1200]\n"
                    "  -m, --no-graphs      no call graphs for graphviz\n"
                    "      --min-time SEC   no page for files whose statements took less\n"
                    "      --editor-url URL link sources to an editor; %f is the file, %l the line\n"
                    "      --compat-pages   redirections from the pages that Devel::NYTProf 6 wrote\n"
                    "      --no-compress    the index page's data not deflated: for browsers from before 2023\n"},
    {"csv", nytp_cmd_csv, "[OPTIONS] [FILE...]", "writes every line's time and count as comma-separated values",
     REPORT_OPTIONS "      --delim D      comma, tab or any text [comma]\n"
                    "  -a, --annotated    begin each row with \"srcline\"\n"},
    {"callgrind", nytp_cmd_callgrind, "[OPTIONS] [FILE...]", "writes subs and calls for kcachegrind",
     CAPTURE_OPTION "  -o, --out FILE     where to write, - for standard output [nytprof.callgrind]\n"},
    {"folded", nytp_cmd_folded, "[OPTIONS] [FILE...]", "prints call paths for flame graphs, times in nanoseconds",
     CAPTURE_OPTION "  -o, --out FILE     where to write [-, standard output]\n"
                    "      --calls        how often, not how long\n"
                    "      --subs         paths begin with the first sub, without main::RUNTIME\n"
                    "      --stable       in the order in which subs first returned, not heaviest first\n"
                    "      --rate N       times are in 1/N s\n"},
    {"flamegraph", nytp_cmd_flamegraph, "[OPTIONS] [LINES...]", "draws call paths of anyone's making",
     NYTP_CLI_FLAME_OPTIONS},
    {"merge", nytp_cmd_merge, "[OPTIONS] FILE...", "makes one capture of several",
     "  -o, --out FILE     where to write [nytprof-merged.out]\n"
     "  -v, --verbose      say when it is done\n"},
    {"info", nytp_cmd_info, "[FILE]", "says what a capture holds and whether it is whole", NULL},
    {"dump", nytp_cmd_dump, "[--corrected] [FILE]", "prints every record of a capture, one line each", NULL},
    {"clocks", nytp_cmd_clocks, "", "lists this machine's clocks, what they cost and which is the default",
     NULL},
};

#define VERBS (sizeof verbs / sizeof *verbs)

static const verb *find(const char *name) {
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
    return NULL;
}

static int print_usage(void) {
    puts("usage: nytprof VERB [ARGUMENTS]\n");
    for (const verb *v = verbs; v < verbs + VERBS; v++) printf("  %-10s %-20s %s\n", v->name, v->arguments, v->summary);
    puts("  help       [VERB]               prints this, or how to use a verb");
    puts("\n--version prints the version. FILE is " NYTP_CLI_DEFAULT_FILE
         " if not given; - is standard input.");
    return NYTP_CLI_FINE;
}

static int refuse(const char *name) {
    return nytp_cli_usage("no verb '%s'", name);
}

static int print_help(const char *name) {
    const verb *v = find(name);

    if (!v) return refuse(name);
    printf("usage: nytprof %s %s\n\n%s %s\n", v->name, v->arguments, v->name, v->summary);
    if (v->options) printf("\n%s", v->options);
    return NYTP_CLI_FINE;
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "help";
    const verb *v = find(name);

    if (strcmp(name, "--version") == 0) {
        puts("nytprof " NYTP_VERSION);
        return NYTP_CLI_FINE;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0) return argc > 2 ? print_help(argv[2]) : print_usage();
    if (!v) return refuse(name);
    return argc > 2 && strcmp(argv[2], "--help") == 0 ? print_help(name) : v->run(argc - 1, argv + 1);
}

/* What could not be written to a full disk must not look like a success. */
int main(int argc, char **argv) {
    int status = run(argc, argv);

    if (fclose(stdout) == 0 || status) return status;
    fprintf(stderr, "nytprof: standard output: %s\n", strerror(errno));
    return NYTP_CLI_FAILURE;
}
