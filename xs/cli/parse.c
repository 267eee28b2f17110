/* SPDX-License-Identifier: MIT */
/* parse.c - parses arguments by a table of options, with the rules of getopt_long. */
#include "cli/parse.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verbs.h"

#define LONG 256 /* what getopt_long returns for the first row, above all letters */

static int has_number(const nytp_arg *a) {
    return a->kind == NYTP_ARG_NUMBER || a->kind == NYTP_ARG_DECIMAL || a->kind == NYTP_ARG_SECONDS;
}

static int refuse_number(const char *verb, const nytp_arg *a, const char *text) {
    if (a->kind == NYTP_ARG_NUMBER)
        return nytp_cli_usage("%s: --%s: expected a number from %" PRIu64 " to %" PRIu64, verb, a->name,
                              (uint64_t)a->least, (uint64_t)a->most);
    return nytp_cli_usage("%s: --%s: expected a number%s, got '%s'", verb, a->name,
                          a->kind == NYTP_ARG_SECONDS ? " of seconds" : "", text);
}

/* A whole number has digits only. */
static int read_number(const char *verb, const nytp_arg *a, nytp_arg_value *v) {
    char *end;
    v->number = strtod(v->text, &end);
    int is_fine = end != v->text && !*end && v->number >= a->least && (a->most == 0 || v->number <= a->most);
    if (a->kind == NYTP_ARG_NUMBER && v->text[strspn(v->text, "0123456789")]) is_fine = 0;
    return is_fine ? NYTP_CLI_FINE : refuse_number(verb, a, v->text);
}

static int take(const char *verb, const nytp_arg *a, uint32_t given, nytp_arg_value *v) {
    v->given = given;
    if (optarg) v->text = optarg;
    return has_number(a) ? read_number(verb, a, v) : NYTP_CLI_FINE;
}

/* Reports the option for which getopt_long has returned ':' or '?'. */
static int refuse_option(char **argv, int returned) {
    const char *option = argv[optind - 1];
    if (returned == ':') return nytp_cli_usage("%s: option %s needs a value", argv[0], option);
    if (optopt && !strchr(option, '=')) return nytp_cli_usage("%s: unknown option -%c", argv[0], optopt);
    return nytp_cli_usage("%s: unknown option %s", argv[0], option);
}

static struct option long_of(const nytp_arg *a, int row) {
    int has = a->kind == NYTP_ARG_SWITCH ? no_argument : a->kind == NYTP_ARG_MAYBE ? optional_argument
                                                                                     : required_argument;
    return (struct option){.name = a->name, .has_arg = has, .val = LONG + row};
}

/* Fills in both descriptions of the options that getopt_long wants. */
static void describe(const nytp_arg *rows, int stops, char *letters, struct option *names) {
    if (stops) *letters++ = '+';
    *letters++ = ':';
    for (int i = 0; rows[i].name; i++) {
        names[i] = long_of(&rows[i], i);
        if (!rows[i].letter) continue;
        *letters++ = rows[i].letter;
        if (names[i].has_arg == required_argument) *letters++ = ':';
    }
    *letters = '\0';
}

static int row_of(const nytp_arg *rows, int option) {
    int row = option - LONG;
    if (row < 0)
        for (row = 0; rows[row].letter != option; row++) continue;
    return row;
}

static void set_fallbacks(const nytp_arg *rows, nytp_arg_value *values) {
    for (int i = 0; rows[i].name; i++) {
        values[i] = (nytp_arg_value){.text = rows[i].fallback};
        if (has_number(&rows[i]) && rows[i].fallback) values[i].number = strtod(rows[i].fallback, NULL);
    }
}

/* For an option -h or --help that the verb does not have itself. */
static int is_help(char **argv) { return optopt == 'h' || (!optopt && strcmp(argv[optind - 1], "--help") == 0); }

static int refuse_both(const char *verb, const nytp_arg *rows, const nytp_arg_value *values, const nytp_arg *one) {
    for (int i = 0; rows[i].name; i++)
        if (values[i].given && strcmp(rows[i].name, one->without) == 0)
            return nytp_cli_usage("%s: expected --%s or --%s, got both", verb, one->name, one->without);
    return NYTP_CLI_FINE;
}

static int check_options(const char *verb, const nytp_arg *rows, const nytp_arg_value *values) {
    int status = NYTP_CLI_FINE;
    for (int i = 0; rows[i].name && !status; i++)
        if (values[i].given && rows[i].without) status = refuse_both(verb, rows, values, &rows[i]);
    return status;
}

/* Arguments of the program to run may be empty; others are names of files, or of a verb. */
static int check_arguments(const nytp_call *call) {
    for (int i = 0; i < call->argc && !call->verb->stops; i++)
        if (!*call->argv[i]) return nytp_cli_usage("%s: expected a name, got an empty one", call->verb->name);
    return NYTP_CLI_FINE;
}

int nytp_parse(nytp_call *call, const nytp_arg *rows, nytp_arg_value *values) {
    char letters[2 * NYTP_VERBS_ARGS + 3];
    struct option names[NYTP_VERBS_ARGS] = {{0}};
    int option, status = NYTP_CLI_FINE;
    uint32_t given = 0;
    describe(rows, call->verb->stops, letters, names);
    set_fallbacks(rows, values);
    opterr = optind = 0; /* in case getopt was used before */
    while (!status && (option = getopt_long(call->argc, call->argv, letters, names, NULL)) != -1) {
        call->wants_help = option == '?' && is_help(call->argv);
        if (call->wants_help) return NYTP_CLI_FINE;
        if (option == '?' || option == ':') return refuse_option(call->argv, option);
        int row = row_of(rows, option);
        status = take(call->verb->name, &rows[row], ++given, &values[row]);
    }
    call->argc -= optind;
    call->argv += optind;
    if (!status) status = check_options(call->verb->name, rows, values);
    return status ? status : check_arguments(call);
}
