/* SPDX-License-Identifier: MIT */
/* cmd_completion.c - `nytprof completion`: a shell script that completes the command's verbs and options, made from the
 * tables of parse and help. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verbs.h"

/* Quotes for a shell, in which ' is '\''; zsh also interprets colons and brackets in descriptions. */
static void put_quoted(const char *text, const char *specials) {
    for (const char *c = text; *c; c++) {
        if (*c == '\'') fputs("'\\''", stdout);
        else {
            if (strchr(specials, *c)) putchar('\\');
            putchar(*c);
        }
    }
}

#define OPTIONS "--help --list --version" /* that go without a verb */

static int names_directory(const nytp_arg *a) { return a->kind == NYTP_ARG_DIRECTORY; }

static int names_path(const nytp_arg *a) {
    return names_directory(a) || a->kind == NYTP_ARG_FILE || a->kind == NYTP_ARG_MAYBE;
}

/* ---- bash ---- */

/* Completes the value of the option before the cursor. */
static void put_bash_values(const nytp_verb *v, const nytp_arg *a) {
    if (a->kind == NYTP_ARG_SWITCH || a->kind == NYTP_ARG_MAYBE || a->kind == NYTP_ARG_FILE) return;
    printf("    %s:--%s", v->name, a->name);
    if (a->letter) printf("|%s:-%c", v->name, a->letter);
    if (a->kind == NYTP_ARG_DIRECTORY) puts(") compopt -o dirnames; return ;;");
    else printf(") COMPREPLY=($(compgen -W '%s' -- \"$current\")); return ;;\n", a->words ? a->words : "");
}

static void put_verbs(void) {
    nytp_verb v;
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) printf("%s%s", i ? " " : "", v.name);
}

/* "values=" has what the verb's argument may be, if that is no file. */
static void put_bash_verb(const nytp_verb *v) {
    nytp_arg rows[NYTP_VERBS_ARGS];
    uint32_t n = nytp_verbs_args(v, rows);
    printf("    %s) words='--help", v->name);
    for (uint32_t i = 0; i < n; i++) {
        printf(" --%s", rows[i].name);
        if (rows[i].letter) printf(" -%c", rows[i].letter);
    }
    putchar('\'');
    if (v->words) printf(" values='%s'", v->words);
    puts(" ;;");
}

static void put_bash(void) {
    nytp_verb v;
    puts("# bash completion of nytprof: source <(nytprof completion bash)\n"
         "_nytprof() {\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local verb=${COMP_WORDS[1]} words= values=\n"
         "    case $verb:$before in");
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) {
        nytp_arg rows[NYTP_VERBS_ARGS];
        uint32_t n = nytp_verbs_args(&v, rows);
        for (uint32_t j = 0; j < n; j++) put_bash_values(&v, &rows[j]);
    }
    puts("    esac\n    case $verb in");
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) put_bash_verb(&v);
    fputs("    esac\n    if ((COMP_CWORD == 1)) || [[ $verb == help ]]; then values='", stdout);
    put_verbs();
    puts("'; fi\n    if ((COMP_CWORD == 1)); then words='" OPTIONS "'; fi\n"
         "    [[ $current == -* ]] || words=$values\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\ncomplete -o default -F _nytprof nytprof");
}

/* ---- zsh ---- */

static void put_zsh_option(const nytp_arg *a) {
    if (a->letter) printf(" '(-%c --%s)'{-%c,--%s}", a->letter, a->name, a->letter, a->name);
    else printf(" --%s", a->name);
    if (a->kind == NYTP_ARG_MAYBE) fputs("=-", stdout);
    fputs("'[", stdout);
    put_quoted(a->help ? a->help : "", "[]");
    fputs("]", stdout);
    if (a->value) printf("%s:%s:", a->kind == NYTP_ARG_MAYBE ? ":" : "", a->value);
    if (a->words) printf("(%s)", a->words);
    else if (names_path(a)) fputs(names_directory(a) ? "_files -/" : "_files", stdout);
    fputs("'", stdout);
}

static void put_zsh_verb(const nytp_verb *v) {
    nytp_arg rows[NYTP_VERBS_ARGS];
    uint32_t n = nytp_verbs_args(v, rows);
    printf("    %s) _arguments", v->name);
    for (uint32_t i = 0; i < n; i++) put_zsh_option(&rows[i]);
    if (v->words) printf(" '1:%s:(%s)' ;;\n", v->name, v->words);
    else puts(v->stops ? " '*::program:_normal' ;;" : " '*:file:_files' ;;");
}

/* The script is sourced, or is the body of the function itself where zsh finds it in fpath. */
static void put_zsh(void) {
    nytp_verb v;
    puts("#compdef nytprof\n# zsh completion of nytprof: source <(nytprof completion zsh), after compinit\n"
         "_nytprof() {\n    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n        local -a verbs=(");
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) {
        printf("            '%s:", v.name);
        put_quoted(v.summary, ":");
        puts("'");
    }
    puts("        )\n        if [[ $words[2] == -* ]]; then _arguments " OPTIONS "; else _describe verb verbs; fi\n"
         "        return\n    fi\n"
         "    shift words\n    ((CURRENT--))\n    case $words[1] in");
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) put_zsh_verb(&v);
    puts("    esac\n}\nif [[ $funcstack[1] == _nytprof ]]; then _nytprof; else compdef _nytprof nytprof; fi");
}

/* ---- fish ---- */

static void put_fish_option(const nytp_verb *v, const nytp_arg *a) {
    printf("complete -c nytprof -n '__fish_seen_subcommand_from %s' -l %s", v->name, a->name);
    if (a->letter) printf(" -s %c", a->letter);
    if (a->words) printf(" -x -a '%s'", a->words);
    else if (a->kind == NYTP_ARG_DIRECTORY) fputs(" -x -a '(__fish_complete_directories)'", stdout);
    else if (a->kind != NYTP_ARG_SWITCH && a->kind != NYTP_ARG_MAYBE) fputs(names_path(a) ? " -r -F" : " -x", stdout);
    if (a->help) {
        fputs(" -d '", stdout);
        put_quoted(a->help, "\\");
        putchar('\'');
    }
    putchar('\n');
}

static void put_fish(void) {
    nytp_verb v;
    puts("# fish completion of nytprof: nytprof completion fish | source");
    puts("complete -c nytprof -n __fish_use_subcommand -l help -d 'tells what there is to do'");
    puts("complete -c nytprof -n __fish_use_subcommand -l list -d 'prints all verbs'");
    puts("complete -c nytprof -n __fish_use_subcommand -l version -d 'prints the version'");
    for (uint32_t i = 0; v = nytp_verbs_at(i), v.name; i++) {
        nytp_arg rows[NYTP_VERBS_ARGS];
        uint32_t n = nytp_verbs_args(&v, rows);
        printf("complete -c nytprof -f -n __fish_use_subcommand -a %s -d '", v.name);
        put_quoted(v.summary, "\\");
        puts("'");
        if (v.words) printf("complete -c nytprof -f -n '__fish_seen_subcommand_from %s' -a '%s'\n", v.name, v.words);
        for (uint32_t j = 0; j < n; j++) put_fish_option(&v, &rows[j]);
        printf("complete -c nytprof -f -n '__fish_seen_subcommand_from help' -a %s\n", v.name);
    }
}

/* ---- the verb ---- */

static int run_completion(const nytp_call *call) {
    const char *shell = call->argc == 1 ? call->argv[0] : "";
    if (strcmp(shell, "bash") == 0) put_bash();
    else if (strcmp(shell, "zsh") == 0) put_zsh();
    else if (strcmp(shell, "fish") == 0) put_fish();
    else return nytp_cli_usage("completion: expected bash, zsh or fish");
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_completion_verb = {
    .name = "completion",
    .task = NYTP_TASK_COMMAND,
    .arguments = "bash|zsh|fish",
    .words = "bash zsh fish",
    .summary = "prints a script for a shell's completion of verbs and options",
    .run = run_completion,
};
