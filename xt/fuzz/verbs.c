/* SPDX-License-Identifier: MIT */
/* verbs.c - for clang's libFuzzer: every verb that reads profiles, with any of its options, on any file. An input is
 * CONTROL bytes that choose verb and options, then the file, on standard input. With MARKs in it the input is several
 * files: a profile, what stands beside it as its store of source, and another profile. Reports in JSON have to be JSON.
 * FUZZ_VERBS names the verbs that are tried, else all are; with FUZZ_LOUD they print what they print. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/verbs.h"
#include "input.h"
#include "json.h"

#define CONTROL 8
#define MARK "\n%%%%\n"
#define MARK_SIZE (sizeof MARK - 1)
#define MOST_WORDS 40

/* ---- verbs and options ---- */

static int is_among(const char *name, const char *const *names) {
    while (*names && strcmp(name, *names) != 0) names++;
    return *names != NULL;
}

/* That write no capture, page or text of a file, or run programs. */
static int is_tried(const nytp_verb *v) {
    static const char *const others[] = {"info", "dump", "merge", "flamegraph", "build", NULL};
    const char *wanted = getenv("FUZZ_VERBS"), *at = wanted ? strstr(wanted, v->name) : NULL;
    if (wanted && (!at || strcspn(at, " ") != strlen(v->name))) return 0;
    return v->report || is_among(v->name, others);
}

static nytp_verb choose(uint8_t byte) {
    static nytp_verb tried[100];
    static uint32_t n;
    for (uint32_t i = 0; !n || (tried[n].name && n < 99); i++) {
        tried[n] = nytp_verbs_at(i);
        if (!tried[n].name) break;
        n += is_tried(&tried[n]) ? 1 : 0;
    }
    return tried[byte % n];
}

static char *copy(const char *format, const char *name, const char *value) {
    char text[300];
    snprintf(text, sizeof text, format, name, value);
    return strdup(text);
}

static char *option(const nytp_arg *a, uint8_t bits) {
    static const char *const texts[] = {"main", ".*e", "(", "DB::sub", "", "%", "time", "calls", "\n", "a,b"};
    static const char *const numbers[] = {"1", "2", "10", "100", "0.5", "3"};
    char word[40] = "";
    switch (a->kind) {
    case NYTP_ARG_SWITCH: return copy("--%s", a->name, "");
    case NYTP_ARG_WORD:
        sscanf(strchr(a->words, ' ') && bits & 1 ? strrchr(a->words, ' ') : a->words, " %39s", word);
        return copy("--%s=%s", a->name, word);
    case NYTP_ARG_NUMBER:
    case NYTP_ARG_DECIMAL:
    case NYTP_ARG_SECONDS: return copy("--%s=%s", a->name, numbers[bits % 6]);
    default: return copy("--%s=%s", a->name, texts[bits % 10]);
    }
}

static int is_path(const nytp_arg *a) {
    return a->kind == NYTP_ARG_FILE || a->kind == NYTP_ARG_DIRECTORY || a->kind == NYTP_ARG_MAYBE ||
           a->use == NYTP_ARG_FOR_BROWSER;
}

static const char *const places[] = {"in", "in.sources", "in.2"};

/* The words of a call on so many files, of which 0 are standard input; the caller frees all. */
static int make_words(const nytp_verb *v, const uint8_t *control, int files, char **words) {
    nytp_arg rows[NYTP_VERBS_ARGS];
    uint32_t rows_n = nytp_verbs_args(v, rows), chosen = (uint32_t)(control[1] | control[2] << 8 | control[3] << 16);
    int n = 0, writes = 0, is_page = v->report && v->report->is_page;
    words[n++] = strdup(v->name);
    for (uint32_t i = 0; i < rows_n; i++) {
        int is_chosen = chosen >> i % 24 & 1;
        writes |= rows[i].letter == 'o';
        is_page |= is_chosen && rows[i].use == NYTP_ARG_FOR_PAGE;
        if (!is_path(&rows[i]) && is_chosen && n < MOST_WORDS - 8) words[n++] = option(&rows[i], control[4 + i % 4]);
    }
    if (writes) words[n++] = strdup("-o"), words[n++] = copy(is_page ? "-" : "%s%s", "out.", v->name);
    words[n++] = strdup("--");
    if (v->report && v->report->takes_sub) words[n++] = strdup(control[4] & 1 ? "main::f" : ".");
    words[n++] = strdup(files ? places[0] : "-");
    if (files > 2) words[n++] = strdup(places[2]);
    else if (v->report && v->report->profiles > 1) words[n++] = strdup(files ? places[0] : "-");
    return n;
}

/* ---- files ---- */

/* Returns the number of files, 0 if the input is none but standard input. */
static int put_files(const uint8_t *data, size_t size) {
    const uint8_t *mark = memmem(data, size, MARK, MARK_SIZE);
    int n = 0;
    if (!mark) return input_fill(STDIN_FILENO, data, size), 0;
    for (size_t i = 1; i < sizeof places / sizeof *places; i++) unlink(places[i]);
    for (; n < 3; n++) {
        mark = n < 2 ? memmem(data, size, MARK, MARK_SIZE) : NULL;
        size_t part = mark ? (size_t)(mark - data) : size;
        input_spew(places[n], data, part);
        if (!mark) return n + 1;
        data += part + MARK_SIZE;
        size -= part + MARK_SIZE;
    }
    return n;
}

static void check_json(const nytp_verb *v) {
    static const char *const names[] = {"json", "speedscope", "cpuprofile", "chrome", "firefox", NULL};
    static char bytes[8 << 20];
    ssize_t n = is_among(v->name, names) ? pread(STDOUT_FILENO, bytes, sizeof bytes, 0) : 0;
    if (n <= 0 || n == sizeof bytes || memcmp(bytes, "\x1F\x8B", 2) == 0) return; /* large, or gzip's */
    size_t wrong = json_wrong(bytes, (size_t)n), from = wrong < 60 ? 0 : wrong - 60, left = (size_t)n - from;
    if (wrong == (size_t)n) return;
    fprintf(stderr, "%s: no JSON at byte %zu: %.*s\n", v->name, wrong, (int)(left < 80 ? left : 80), bytes + from);
    abort();
}

/* ---- what libFuzzer calls ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *words[MOST_WORDS], *left[MOST_WORDS];
    if (size < CONTROL) return 0;
    nytp_verb v = choose(data[0]);
    int is_loud = getenv("FUZZ_LOUD") != NULL, files = put_files(data + CONTROL, size - CONTROL);
    int n = make_words(&v, data, files, words);
    memcpy(left, words, sizeof left); /* parsing changes the order */
    left[n] = NULL;
    for (int i = 0; i < n && is_loud; i++) fprintf(stderr, "%s%c", words[i], i + 1 < n ? ' ' : '\n');
    if (!is_loud) input_fill(STDOUT_FILENO, NULL, 0);
    int status = nytp_verbs_run(&v, n, left);
    fflush(stdout);
    for (int i = 0; i < n; i++) free(words[i]);
    if (status == 0 && !is_loud) check_json(&v);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 && size > CONTROL) input_repair(data + CONTROL, size - CONTROL);
    return size;
}

/* No other program is run. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    input_directory();
    setenv("PATH", "", 1);
    if (!getenv("FUZZ_LOUD") && dup2(input_memory("out"), STDOUT_FILENO) < 0) return 1;
    return dup2(input_memory("in"), STDIN_FILENO) < 0;
}
