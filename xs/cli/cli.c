/* cli.c - what the verbs share. */
#include "cli/cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nytp_cli_failure(const nytp_error *e) {
    fflush(stdout);
    fprintf(stderr, "nytprof: %s\n", e->text);
    return NYTP_CLI_FAILURE;
}

int nytp_cli_usage(const char *format, ...) {
    va_list args;

    fflush(stdout);
    fputs("nytprof: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(" (see `nytprof help`)\n", stderr);
    return NYTP_CLI_USAGE;
}

int nytp_cli_bad_option(char **argv, int returned) {
    const char *option = argv[optind - 1];

    if (returned == ':') return nytp_cli_usage("%s: the option %s wants a value", argv[0], option);
    if (optopt && !strchr(option, '=')) return nytp_cli_usage("%s: no option -%c", argv[0], optopt);
    return nytp_cli_usage("%s: no option %s", argv[0], option);
}

int nytp_cli_number(char **argv, const char *option, uint32_t least, uint32_t most, uint32_t *number) {
    char *end;
    unsigned long long value = strtoull(optarg, &end, 10);

    *number = (uint32_t)value;
    if (*optarg >= '0' && *optarg <= '9' && !*end && value >= least && value <= most) return NYTP_CLI_FINE;
    return nytp_cli_usage("%s: %s wants a number from %" PRIu32 " to %" PRIu32, argv[0], option, least, most);
}

const char *nytp_cli_only_file(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--") == 0) {
        argc--;
        argv++;
    } else if (argc > 1 && argv[1][0] == '-' && argv[1][1]) {
        nytp_cli_usage("%s: no option %s", argv[0], argv[1]);
        return NULL;
    }
    if (argc > 2) {
        nytp_cli_usage("one capture at a time, not also '%s'", argv[2]);
        return NULL;
    }
    return argc > 1 ? argv[1] : NYTP_CLI_DEFAULT_FILE;
}
