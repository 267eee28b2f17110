/* SPDX-License-Identifier: MIT */
/* help.c - the command's help: the verbs, and the options of each. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"

void nytp_help_all(void) {
    nytp_verb v;
    puts("usage: nytprof VERB [ARGUMENTS]\n");
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++)
        printf("  %-10s %-20s %s\n", v.name, v.arguments, v.summary);
    puts("\n-V, --version prints the version. FILE is " NYTP_CLI_DEFAULT_FILE
         " if not given; - is standard input.");
}

/* "  -o, --out FILE" and its length. */
static int write_option(char *out, size_t n, const nytp_arg *a) {
    char letter[] = "      ";
    if (a->letter) snprintf(letter, sizeof letter, "  -%c, ", a->letter);
    const char *value = a->value ? a->value : "";
    if (a->kind == NYTP_ARG_MAYBE) return snprintf(out, n, "%s--%s[=%s]", letter, a->name, value);
    return snprintf(out, n, "%s--%s%s%s", letter, a->name, *value ? " " : "", value);
}

static void print_option(const nytp_arg *a, int width) {
    char option[80];
    write_option(option, sizeof option, a);
    printf("%-*s %s", width, option, a->help);
    if (a->fallback) printf(" [%s%s]", a->fallback, strcmp(a->fallback, "-") ? "" : ", standard output");
    putchar('\n');
}

void nytp_help_options(const nytp_verb *v) {
    nytp_arg rows[NYTP_VERBS_ARGS];
    uint32_t n = nytp_verbs_args(v, rows);
    int width = 0;
    printf("usage: nytprof %s %s\n\n%s %s\n", v->name, v->arguments, v->name, v->summary);
    for (uint32_t i = 0; i < n; i++) {
        char option[80];
        int length = rows[i].help ? write_option(option, sizeof option, &rows[i]) : 0;
        if (length > width) width = length;
    }
    if (n) putchar('\n');
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].help) print_option(&rows[i], width);
}
