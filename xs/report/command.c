/* SPDX-License-Identifier: MIT */
/* command.c - which program a command of a build is about. */
#include "report/command.h"

#include <string.h>

#include "report/text.h"

static nytp_str basename_of(nytp_str path) {
    size_t at = path.n;
    while (at && path.p[at - 1] != '/') at--;
    return (nytp_str){path.p + at, path.n - at};
}

static int is_one_of(nytp_str word, const char *const *list) {
    for (; *list; list++)
        if (nytp_str_eq(word, nytp_str_c(*list))) return 1;
    return 0;
}

static const char *const shells[] = {"sh", "bash", "dash", "ksh", "zsh", NULL};

/* ---- the text ---- */

/* Takes the first argument off. */
static nytp_str next_argument(nytp_str *arguments) {
    const char *end = arguments->n ? memchr(arguments->p, 0, arguments->n) : NULL;
    nytp_str first = {arguments->p, end ? (size_t)(end - arguments->p) : arguments->n};
    size_t used = first.n + (end != NULL);
    *arguments = (nytp_str){arguments->p + used, arguments->n - used};
    return first;
}

/* An option of a shell with c in it: -c, -ec. */
static int has_command(nytp_str option) {
    return option.n > 1 && option.p[0] == '-' && option.p[1] != '-' && memchr(option.p, 'c', option.n) != NULL;
}

void nytp_command_text(nytp_buf *out, nytp_str arguments) {
    nytp_str rest = arguments, first = next_argument(&rest);
    if (is_one_of(basename_of(first), shells)) {
        nytp_str behind = rest, option = next_argument(&behind);
        while (option.n && option.p[0] == '-' && !has_command(option)) option = next_argument(&behind);
        if (has_command(option)) rest = behind, first = next_argument(&rest), rest.n = 0;
    }
    nytp_buf_bytes(out, first.p, first.n);
    while (rest.n) {
        nytp_str argument = next_argument(&rest);
        nytp_buf_byte(out, ' ');
        nytp_buf_bytes(out, argument.p, argument.n);
    }
}

/* ---- the program ---- */

static const char *const keywords[] = {"{", "!", "if", "then", "else", "elif", "do", "while", "until", "exec",
                                       "command", "eval", "fi", "done", "esac", "}", ")", NULL};
static const char *const quiet[] = {"cd",   "test", "[",        ":",     "true", "for",    "export", "unset", "umask",
                                    "trap", "set",  "continue", "break", "exit", "return", "shift",  "read",  "local",
                                    NULL};
static const char *const small[] = {"echo", "printf", "rm", "mkdir", NULL}; /* of some interest if nothing follows */
static const char *const carriers[] = {"ccache", "distcc", "sccache", "env", "nice", "time", "nohup", "libtool", "sh",
                                       "bash", "dash", "ksh", "zsh", "fakeroot", "timeout", NULL};

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int is_separator(char c) { return c == ';' || c == '&' || c == '|' || c == '\n'; }

/* A backslash in front of a newline joins two lines. */
static int is_joint(nytp_str text, size_t at) {
    return at + 1 < text.n && text.p[at] == '\\' && text.p[at + 1] == '\n';
}

/* The & of 2>&1. */
static int is_copied(nytp_str text, size_t at) { return text.p[at] == '&' && at && text.p[at - 1] == '>'; }

/* The text without blanks and such bytes at its begin. */
static nytp_str behind(nytp_str text, const char *bytes) {
    size_t at = 0;
    for (; at < text.n; at++) {
        if (is_joint(text, at)) at++;
        else if (!is_blank(text.p[at]) && !strchr(bytes, text.p[at])) break;
    }
    return (nytp_str){text.p + at, text.n - at};
}

static nytp_str behind_separators(nytp_str text) { return behind(text, ";&|"); }

/* Takes the next word off: up to a blank or separator outside of quotes. */
static nytp_str next_word(nytp_str *text) {
    nytp_str from = behind(*text, "(");
    size_t end;
    char quote = 0;
    for (end = 0; end < from.n; end++) {
        char c = from.p[end];
        if (c == quote) quote = 0;
        else if (quote) continue;
        else if (c == '\'' || c == '"' || c == '`') quote = c;
        else if (is_blank(c) || is_joint(from, end) || (is_separator(c) && !is_copied(from, end))) break;
        else if (c == '\\' && end + 1 < from.n) end++;
    }
    *text = (nytp_str){from.p + end, from.n - end};
    return (nytp_str){from.p, end};
}

/* Skips what stands before the next separator, and the separators. Returns 0 if there is none. */
static int skip_simple(nytp_str *text) {
    size_t before;
    do {
        before = text->n;
        if (text->n && is_separator(*text->p)) break;
        next_word(text);
    } while (text->n && text->n < before);
    int found = text->n != 0;
    *text = behind_separators(*text);
    return found && text->n;
}

static int is_assignment(nytp_str word) {
    size_t n = 0;
    while (n < word.n && (word.p[n] == '_' || (word.p[n] >= '0' && word.p[n] <= '9') ||
                          (word.p[n] >= 'A' && word.p[n] <= 'Z') || (word.p[n] >= 'a' && word.p[n] <= 'z')))
        n++;
    return n && n < word.n && word.p[n] == '=';
}

static nytp_str unquoted(nytp_str word) {
    if (word.n && (*word.p == '"' || *word.p == '\'')) word.p++, word.n--;
    if (word.n && (word.p[word.n - 1] == '"' || word.p[word.n - 1] == '\'')) word.n--;
    return word;
}

/* A carrier, with options or values behind it, as long as there is another word. */
static int goes_on(nytp_str rest) {
    nytp_str word = next_word(&rest);
    return word.n != 0;
}

/* What a text has said so far. */
typedef struct said {
    nytp_str function; /* that it defines; empty: none */
    int in_case;       /* 1: words that end with a bracket are patterns */
} said;

/* A word that stands before a command or between commands, with what belongs to it. */
static int is_syntax(said *s, nytp_str word, nytp_str *rest) {
    nytp_str next = behind(*rest, "");
    if (nytp_str_starts(next, NYTP_LIT("()"))) {
        s->function = word;
        *rest = (nytp_str){next.p + 2, next.n - 2};
        return 1;
    }
    if (nytp_str_eq(word, NYTP_LIT("case"))) {
        s->in_case = 1;
        next_word(rest); /* what it compares, and "in" */
        next_word(rest);
        return 1;
    }
    if (nytp_str_eq(word, NYTP_LIT("esac"))) s->in_case = 0;
    return is_one_of(word, keywords) || is_assignment(word) || (s->in_case && word.p[word.n - 1] == ')');
}

/* The end of a subshell is no part of a command's name. */
static nytp_str without_brackets(nytp_str word) {
    while (word.n > 1 && word.p[word.n - 1] == ')') word.n--;
    return word;
}

nytp_str nytp_command_program(nytp_str text) {
    nytp_str first = {"", 0};
    said s = {.function = first};
    for (int carried = 0; text.n;) {
        text = behind_separators(text);
        nytp_str word = unquoted(next_word(&text));
        if (carried && word.n && memchr(word.p, ' ', word.n)) text = word, word = unquoted(next_word(&text));
        if (!word.n) break;
        if (is_syntax(&s, word, &text)) continue;
        if (s.function.n && nytp_str_eq(word, s.function) && skip_simple(&text)) continue;
        if (carried && (*word.p == '-' || (*word.p >= '0' && *word.p <= '9'))) continue;
        nytp_str name = basename_of(without_brackets(word));
        if (!first.n || (is_one_of(first, quiet) && !is_one_of(name, quiet))) first = name;
        if ((is_one_of(name, quiet) || is_one_of(name, small)) && skip_simple(&text)) continue;
        if (is_one_of(name, quiet)) break;
        if (!is_one_of(name, carriers) || !goes_on(text)) return name;
        carried = 1;
    }
    return first;
}

/* ---- lines of lists ---- */

static void put_printable(char *to, size_t room, const nytp_buf *text) {
    size_t n = 0;
    for (size_t i = 0; !text->failed && i < text->n && n + 1 < room; i++) {
        char c = (char)text->p[i];
        if (c == '\n' || c == '\t') c = ' ';
        if (c < ' ' || c > '~') c = '?';
        to[n++] = c;
    }
    if (n + 1 == room) memcpy(to + n - 3, "...", 3);
    to[n] = 0;
}

void nytp_command_describe(nytp_command_label *label, const nytp_built *process) {
    nytp_buf text = {0};
    label->failed = 0;
    nytp_buf_bytes(&text, process->directory.p, process->directory.n);
    put_printable(label->directory, sizeof label->directory, &text);
    label->failed |= text.failed;
    nytp_buf_clear(&text);
    nytp_text_str(&text, process->target);
    if (text.n) nytp_text_put(&text, ": ");
    nytp_command_text(&text, process->command);
    put_printable(label->text, sizeof label->text, &text);
    label->failed |= text.failed;
    nytp_buf_free(&text);
}

void nytp_command_put(nytp_buf *out, const nytp_command_label *label) {
    out->failed |= label->failed;
    nytp_text_put(out, label->text);
    if (label->directory[0]) nytp_text_format(out, "  in %s", label->directory);
    nytp_text_put(out, "\n");
}

int nytp_command_is_builder(nytp_str arguments) {
    static const char *const builders[] = {"make", "gmake", "remake", "ninja", "ninja-build", "samu", NULL};
    nytp_buf text = {0};
    nytp_command_text(&text, arguments);
    nytp_str program = nytp_command_program((nytp_str){(const char *)text.p, text.n});
    int is_builder = text.failed ? -1 : is_one_of(program, builders);
    nytp_buf_free(&text);
    return is_builder;
}
