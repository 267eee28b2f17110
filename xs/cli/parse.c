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
        return nytp_cli_usage("%s: --%s: expected a number from %" PRIu64 " to %" PRIu64 ", got '%s'", verb, a->name,
                              (uint64_t)a->least, (uint64_t)a->most, text);
    if (a->most > 0)
        return nytp_cli_usage("%s: --%s: expected a number from %g to %g, got '%s'", verb, a->name, a->least, a->most,
                              text);
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

static int read_mode(const char *verb, const nytp_arg *a, nytp_arg_value *v) {
    size_t n = strspn(v->text, "01234567");
    v->number = (double)strtoul(v->text, NULL, 8);
    if (n && !v->text[n] && v->number <= 0777) return NYTP_CLI_FINE;
    return nytp_cli_usage("%s: --%s: expected an octal number from 0 to 777, got '%s'", verb, a->name, v->text);
}

static int check_word(const char *verb, const nytp_arg *a, const char *text) {
    size_t n = strlen(text);
    for (const char *word = a->words; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (length == n && memcmp(word, text, n) == 0) return NYTP_CLI_FINE;
        word += length;
    }
    return nytp_cli_usage("%s: --%s: expected one of %s, got '%s'", verb, a->name, a->words, text);
}

/* An empty one would be the current directory, or a name that cannot be. */
static int is_path(const nytp_arg *a) {
    return a->kind == NYTP_ARG_FILE || a->kind == NYTP_ARG_DIRECTORY || a->kind == NYTP_ARG_MAYBE;
}

static int take(const char *verb, const nytp_arg *a, uint32_t given, nytp_arg_value *v) {
    v->given = given;
    if (optarg) v->text = optarg;
    if (optarg && !*optarg && is_path(a))
        return nytp_cli_usage("%s: --%s: expected a name, got an empty one", verb, a->name);
    if (a->kind == NYTP_ARG_WORD) return check_word(verb, a, v->text);
    if (a->kind == NYTP_ARG_MODE) return read_mode(verb, a, v);
    return has_number(a) ? read_number(verb, a, v) : NYTP_CLI_FINE;
}

/* Reports the option for which getopt_long has returned ':' or '?'. */
static int refuse_option(char **argv, int returned) {
    const char *option = argv[optind - 1];
    if (returned == ':') return nytp_cli_usage("%s: option %s needs a value", argv[0], option);
    if (optopt && !strchr(option, '=')) return nytp_cli_usage("%s: unknown option -%c", argv[0], optopt);
    return nytp_cli_usage("%s: unknown option %s", argv[0], option);
}

/* Abbreviations would change their meaning with each new option. getopt_long takes those of one option only; the
 * argument that it has read is ahead of a value that is an argument of its own. */
static int refuse_short(char **argv, const nytp_arg *a) {
    const char *option = argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];
    size_t n = strcspn(option, "=");
    if (strncmp(option, "--", 2) != 0 || n == strlen(a->name) + 2) return NYTP_CLI_FINE;
    return nytp_cli_usage("%s: unknown option %.*s, expected --%s in full", argv[0], (int)n, option, a->name);
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

/* The index of the first "--" that getopt_long has not seen yet, which has not changed the order from there on. */
static int divider_of(const nytp_call *call) {
    int i = optind ? optind : 1;
    while (i < call->argc && strcmp(call->argv[i], "--") != 0) i++;
    return i;
}

/* Of getopt_long, which takes a "--" away where options end at one. */
static int next_option(nytp_call *call, const char *letters, const struct option *names) {
    int at = divider_of(call);
    const char *divider = call->argv[at];
    int option = getopt_long(call->argc, call->argv, letters, names, NULL);
    if (option == -1 && divider && call->argv[optind - 1] == divider) call->behind = call->argc - at - 1;
    return option;
}

int nytp_parse(nytp_call *call, const nytp_arg *rows, nytp_arg_value *values) {
    char letters[2 * NYTP_VERBS_ARGS + 3];
    struct option names[NYTP_VERBS_ARGS] = {{0}};
    int option, status = NYTP_CLI_FINE;
    uint32_t given = 0;
    describe(rows, call->verb->stops, letters, names);
    set_fallbacks(rows, values);
    opterr = optind = 0; /* in case getopt was used before */
    while (!status && (option = next_option(call, letters, names)) != -1) {
        call->wants_help = option == '?' && is_help(call->argv);
        if (call->wants_help) return NYTP_CLI_FINE;
        if (option == '?' || option == ':') return refuse_option(call->argv, option);
        int row = row_of(rows, option);
        if (option >= LONG) status = refuse_short(call->argv, &rows[row]);
        if (!status) status = take(call->verb->name, &rows[row], ++given, &values[row]);
    }
    call->argc -= optind;
    call->argv += optind;
    if (!status) status = check_options(call->verb->name, rows, values);
    return status ? status : check_arguments(call);
}
