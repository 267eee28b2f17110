/* cli.h - the verbs of the command, and what they share. A verb is one file cmd_NAME.c, one line here and one row in
 * main.c's table. */
#ifndef NYTP_CLI_CLI_H
#define NYTP_CLI_CLI_H

#include "base/error.h"

#ifndef NYTP_VERSION /* of the distribution; the Makefile gives it */
#define NYTP_VERSION "(of no distribution)"
#endif

enum nytp_cli_status { NYTP_CLI_FINE = 0, NYTP_CLI_FAILURE = 1, NYTP_CLI_USAGE = 2 }; /* exit codes */

#define NYTP_CLI_DEFAULT_FILE "nytprof.out"

/* flamegraph's part of the help */
#define NYTP_CLI_FLAME_OPTIONS \
    "  -o, --out FILE       where to write [-, standard output]\n" \
    "      --title TEXT     above the picture [Flame Graph]\n" \
    "      --width N        of the picture, in pixels [1200]\n" \
    "      --height N       of a frame [16]\n" \
    "      --minwidth N     leave out frames narrower than that [0.1]\n" \
    "      --fonttype NAME  [Verdana]\n" \
    "      --fontsize N     [12]\n" \
    "      --fontwidth N    of an average letter, as a share of the size [0.59]\n" \
    "      --countname TEXT what is counted [samples]\n" \
    "      --nametype TEXT  before a frame's name [Function:]\n" \
    "      --colors NAME    hot mem io java js red green blue yellow purple aqua orange [hot]\n" \
    "      --nameattr FILE  lines \"NAME<tab>href=PAGE<tab>title=TEXT\": where frames lead to\n" \
    "      --total N        what the whole width stands for, if more than there is\n" \
    "      --factor N       multiply what is shown by that\n" \
    "      --reverse        read paths from their ends\n" \
    "      --inverted       the root is on top\n" \
    "      --negate         of a difference less is red\n"

/* A verb gets its own name as argv[0] and returns an exit code. */
int nytp_cmd_callgrind(int argc, char **argv);
int nytp_cmd_clocks(int argc, char **argv);
int nytp_cmd_csv(int argc, char **argv);
int nytp_cmd_dump(int argc, char **argv);
int nytp_cmd_flamegraph(int argc, char **argv);
int nytp_cmd_folded(int argc, char **argv);
int nytp_cmd_html(int argc, char **argv);
int nytp_cmd_info(int argc, char **argv);
int nytp_cmd_merge(int argc, char **argv);
int nytp_cmd_run(int argc, char **argv);

/* One line on standard error; both return the exit code for it. */
int nytp_cli_failure(const nytp_error *e);
int nytp_cli_usage(const char *format, ...) NYTP_PRINTF(1, 2);

/* An option's value that is a whole number from least to most: 0 with *number set, or the exit code when it is not. */
int nytp_cli_number(char **argv, const char *option, uint32_t least, uint32_t most, uint32_t *number);

/* What to say when getopt_long, with a ':' before its short options, has returned ':' or '?'. Returns the exit code. */
int nytp_cli_bad_option(char **argv, int returned);

/* The verb's only argument, a capture: the default file without one. NULL, with the complaint made, if there are more
 * arguments or options. */
const char *nytp_cli_only_file(int argc, char **argv);

#endif
