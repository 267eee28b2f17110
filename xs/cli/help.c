/* SPDX-License-Identifier: MIT */
/* help.c - the command's help: by task, by verb, and the options of each. */
#include "cli/help.h"

#include <string.h>

#include "cli/plugin.h"
#include "cli/print.h"
#include "cli/verbs.h"

/* ---- by task ---- */

static const struct task {
    enum nytp_task task;
    const char *title;
} tasks[] = {
    {NYTP_TASK_PROFILE, "Profile"}, {NYTP_TASK_LOOK, "Look"},         {NYTP_TASK_EXPORT, "Export"},
    {NYTP_TASK_COMPARE, "Compare"}, {NYTP_TASK_CAPTURES, "Captures"}, {NYTP_TASK_COMMAND, "Help"},
};

#define TASKS (sizeof tasks / sizeof *tasks)
#define INDENT 10 /* behind the titles */

/* What a beginner can type, and the verb that it explains. */
static const struct example {
    enum nytp_task task;
    const char *verb, *line, *what;
} examples[] = {
    {NYTP_TASK_PROFILE, "run", "run script.pl", "Perl, Lua or Ruby; writes nytprof.out"},
    {NYTP_TASK_LOOK, "html", "html --open", "source with times, in a browser"},
    {NYTP_TASK_LOOK, "flat", "flat", "the most expensive subs, in a table"},
    {NYTP_TASK_EXPORT, "callgrind", "callgrind", "writes a file for kcachegrind"},
    {NYTP_TASK_EXPORT, "speedscope", "speedscope", "for https://speedscope.app"},
    {NYTP_TASK_COMPARE, "run", "run --compare 5 A -- B", "which is faster, in five runs of each?"},
    {NYTP_TASK_CAPTURES, "info", "info", "what is in it, and is it whole?"},
    {NYTP_TASK_COMMAND, "list", "list", "a line on each verb"},
    {NYTP_TASK_COMMAND, "help", "html --help", "the options of a verb"},
};

#define EXAMPLES (sizeof examples / sizeof *examples)

static int is_example(const char *verb) {
    for (size_t i = 0; i < EXAMPLES; i++)
        if (strcmp(examples[i].verb, verb) == 0) return 1;
    return 0;
}

/* The title, once, or as many blanks. */
static void print_title(const char **title) {
    printf("%-*s", INDENT, *title);
    *title = "";
}

static void print_examples(enum nytp_task task, const char **title) {
    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct example *e = &examples[i];
        if (e->task != task || !nytp_verbs_find(e->verb).name) continue;
        print_title(title);
        printf("nytprof %-22s  %s\n", e->line, e->what);
    }
}

/* The verbs of a task that have no example, on as many lines as they take. */
static void print_others(enum nytp_task task, const char **title) {
    int column = 0;
    nytp_verb v;
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) {
        if (v.task != task || is_example(v.name)) continue;
        if (!column) print_title(title);
        if (!column) column = INDENT + printf("also: %s", v.name);
        else if (column + (int)strlen(", ,") + (int)strlen(v.name) <= NYTP_HELP_COLUMNS)
            column += printf(", %s", v.name);
        else column = printf(",\n%*s%s", INDENT + (int)strlen("also: "), "", v.name) - (int)strlen(",\n");
    }
    if (column) putchar('\n');
}

void nytp_help_screen(void) {
    puts("usage: nytprof VERB [OPTIONS] [FILE...]\n");
    for (size_t i = 0; i < TASKS; i++) {
        const char *title = tasks[i].title;
        print_examples(tasks[i].task, &title);
        print_others(tasks[i].task, &title);
    }
    puts("\nFILE is " NYTP_CLI_DEFAULT_FILE " if not given, - standard input. The manual is `man nytprof`.");
}

/* ---- by verb ---- */

void nytp_help_list(FILE *to) {
    nytp_verb v;
    for (size_t i = 0; i < TASKS; i++) {
        int n = 0;
        for (uint32_t j = 0; v = nytp_verbs_at(j), v.name; j++) {
            if (v.task != tasks[i].task) continue;
            if (!n++) fprintf(to, "%s%s:\n", i ? "\n" : "", tasks[i].title);
            fprintf(to, "  %-10s  %s\n", v.name, v.summary);
        }
    }
    nytp_plugin_list(to);
}

int nytp_help_unknown(const char *name) {
    fflush(stdout);
    nytp_print_message("no verb '%s'; there are:", name);
    nytp_print_line(stderr, "%s", "");
    nytp_help_list(stderr);
    return NYTP_CLI_USAGE;
}

/* ---- options ---- */

/* "  -o, --out FILE" and its length. */
static int write_option(char *out, size_t n, const nytp_arg *a) {
    char letter[] = "      ";
    if (a->letter) snprintf(letter, sizeof letter, "  -%c, ", a->letter);
    const char *value = a->value ? a->value : "";
    if (a->kind == NYTP_ARG_MAYBE) return snprintf(out, n, "%s--%s[=%s]", letter, a->name, value);
    return snprintf(out, n, "%s--%s%s%s", letter, a->name, *value ? " " : "", value);
}

/* Goes on at the indent where a line would be too long. */
static void print_wrapped(const char *text, int indent) {
    int column = indent;
    while (*text) {
        int n = (int)strcspn(text, " ");
        int is_full = column > indent && column + 1 + n > NYTP_HELP_COLUMNS;
        if (is_full) column = printf("\n%*s", indent, "") - 1;
        else if (column > indent) column += printf(" ");
        column += printf("%.*s", n, text);
        text += n;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const nytp_arg *a, int width) {
    char option[80], text[500];
    write_option(option, sizeof option, a);
    int n = snprintf(text, sizeof text, "%s", a->help);
    if (a->fallback && n < (int)sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, " [%s%s]", a->fallback,
                 strcmp(a->fallback, "-") ? "" : ", standard output");
    printf("%-*s ", width, option);
    print_wrapped(text, width + 1);
}

void nytp_help_options(const nytp_verb *v) {
    nytp_arg rows[NYTP_VERBS_ARGS];
    uint32_t n = nytp_verbs_args(v, rows);
    int width = 0;
    printf("usage: nytprof %s%s%s\n\n%s %s\n", v->name, *v->arguments ? " " : "", v->arguments, v->name, v->summary);
    for (uint32_t i = 0; i < n; i++) {
        char option[80];
        int length = rows[i].help ? write_option(option, sizeof option, &rows[i]) : 0;
        if (length > width) width = length;
    }
    if (n) putchar('\n');
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].help) print_option(&rows[i], width);
}
