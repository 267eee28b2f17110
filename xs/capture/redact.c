/* SPDX-License-Identifier: MIT */
/* redact.c - decides which records of a capture have text of evals or commands, and writes the others. */
#include "capture/redact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/table.h"
#include "capture/writer.h"

#define LEVEL 1 /* of zlib */

enum { KNOWN = 4 }; /* a file that was defined, beside enum nytp_redact_what for what its text is */

struct nytp_redact {
    int64_t what;
    const nytp_mask *mask;
    nytp_writer *out;
    nytp_map files;     /* of this capture: by stream and id, what they are */
    nytp_arena strings;
    nytp_buf names;     /* of this capture's files: nytp_str */
    nytp_buf texts;     /* parts of names that were left out: nytp_str, which are numbered */
    nytp_table by_text; /* 1 + index of text */
    nytp_buf name;      /* a name with such a number */
    nytp_buf command, argument; /* masked, and as it was */
    nytp_chunk_info chunk;
    int32_t lacks; /* enum nytp_redact_what: what was left out of this chunk */
    int32_t failed;
};

int64_t nytp_redact_words(const char *words) {
    static const struct {
        const char *word;
        int64_t bits;
    } known[] = {{"none", 0},
                 {"evals", NYTP_REDACT_EVALS},
                 {"commands", NYTP_REDACT_COMMANDS},
                 {"all", NYTP_REDACT_EVALS | NYTP_REDACT_COMMANDS}};
    const size_t all = sizeof known / sizeof *known;
    int64_t bits = 0;
    while (*words) {
        size_t n = strcspn(words, ","), i = 0;
        while (i < all && (strlen(known[i].word) != n || memcmp(known[i].word, words, n) != 0)) i++;
        if (i == all) return -1;
        bits |= known[i].bits;
        words += n + (words[n] == ',');
    }
    return bits;
}

nytp_redact *nytp_redact_open(int fd, int64_t what, const nytp_mask *mask) {
    static const nytp_stream_id none = {0};
    nytp_redact *x = calloc(1, sizeof *x);
    if (x) x->out = nytp_writer_open(fd, &none, LEVEL);
    if (!x || !x->out) {
        free(x);
        return NULL;
    }
    nytp_writer_shares(x->out);
    x->what = what;
    x->mask = mask;
    return x;
}

/* ---- names of programs ---- */

static void learn_name(nytp_redact *x, nytp_str name) {
    const nytp_str own = nytp_arena_str(&x->strings, name);
    if (own.p) nytp_buf_bytes(&x->names, &own, sizeof own);
    if (!own.p || x->names.failed) x->failed = 1;
}

enum nytp_code nytp_redact_learn(nytp_redact *x, const char *path) {
    nytp_error e = {0};
    nytp_record r;
    nytp_reader *reader = x->what & NYTP_REDACT_COMMANDS ? nytp_reader_open(path, &e) : NULL;
    nytp_map_free(&x->files);
    nytp_buf_clear(&x->names);
    while (reader && !x->failed && nytp_reader_next(reader, &r) > 0)
        if (r.kind == NYTP_REC_FILE && !r.u.file.parent) learn_name(x, r.u.file.name);
    nytp_reader_close(reader);
    return x->failed ? NYTP_NOMEM : NYTP_OK;
}

/* 1 if a file has that name, in some directory. */
static int is_of_file(const nytp_redact *x, nytp_str program) {
    const nytp_str *names = (const nytp_str *)(const void *)x->names.p;
    for (size_t i = 0; i < x->names.n / sizeof *names; i++) {
        size_t n = names[i].n;
        if (nytp_str_eq(names[i], program)) return 1;
        if (n > program.n && names[i].p[n - program.n - 1] == '/' && nytp_str_ends(names[i], program)) return 1;
    }
    return 0;
}

/* A program can give itself any name, with arguments in it. */
static void hide_title(nytp_redact *x, nytp_str *program) {
    if (!(x->what & NYTP_REDACT_COMMANDS) || is_of_file(x, *program)) return;
    *program = NYTP_LIT("(redacted)");
    x->lacks |= NYTP_REDACT_COMMANDS;
}

/* ---- names that Lua makes of texts ---- */

#define QUOTE "[string \""
#define UNQUOTE "\"]"

static int is_text(const void *of, uint32_t number, const void *text) {
    const nytp_str *texts = (const nytp_str *)(const void *)((const nytp_buf *)of)->p;
    return nytp_str_eq(texts[number - 1], *(const nytp_str *)text);
}

/* The number of a text, which is the same wherever that is a name; 0 when memory is short. */
static uint32_t number_of(nytp_redact *x, nytp_str text) {
    uint32_t *at = nytp_table_at(&x->by_text, nytp_str_hash(text), is_text, &x->texts, &text);
    if (at && !*at) {
        const nytp_str own = nytp_arena_str(&x->strings, text);
        if (own.p) nytp_buf_bytes(&x->texts, &own, sizeof own);
        if (own.p && !x->texts.failed) *at = (uint32_t)(x->texts.n / sizeof own);
    }
    if (!at || !*at) x->failed = 1;
    return at ? *at : 0;
}

static size_t find(nytp_str in, const char *what) {
    size_t n = strlen(what), at = 0;
    while (at + n <= in.n && memcmp(in.p + at, what, n) != 0) at++;
    return at + n <= in.n ? at : in.n;
}

static size_t find_last(nytp_str in, const char *what) {
    size_t n = strlen(what), at = in.n < n ? 0 : in.n - n + 1;
    while (at && memcmp(in.p + at - 1, what, n) != 0) at--;
    return at ? at - 1 : in.n;
}

/* [string "TEXT"] becomes [string NUMBER]; what stands around it stays. */
static void hide_text(nytp_redact *x, nytp_str *name) {
    size_t begin = find(*name, QUOTE), from = begin + strlen(QUOTE);
    if (!(x->what & NYTP_REDACT_EVALS) || begin == name->n) return;
    nytp_str rest = {name->p + from, name->n - from};
    size_t n = find_last(rest, UNQUOTE), end = n == rest.n ? n : n + strlen(UNQUOTE);
    char number[40];
    snprintf(number, sizeof number, "[string %u]", (unsigned)number_of(x, (nytp_str){rest.p, n}));
    nytp_buf_clear(&x->name);
    nytp_buf_bytes(&x->name, name->p, begin);
    nytp_buf_bytes(&x->name, number, strlen(number));
    nytp_buf_bytes(&x->name, rest.p + end, rest.n - end);
    if (x->name.failed) x->failed = 1;
    *name = x->name.failed ? (nytp_str){"", 0} : (nytp_str){(const char *)x->name.p, x->name.n};
    x->lacks |= NYTP_REDACT_EVALS;
}

/* ---- texts ---- */

static uint64_t key_of(uint32_t stream, uint64_t file) { return (uint64_t)stream << 32 ^ file; }

/* Text that is in no file on the disk is an eval's, whatever its name is. */
static uint32_t is_what(const nytp_redact *x, uint32_t stream, const nytp_rec_file *f) {
    uint32_t around = f->parent ? nytp_map_get(&x->files, key_of(stream, f->parent)) : 0;
    if (nytp_str_eq(f->name, NYTP_LIT("-e"))) return NYTP_REDACT_COMMANDS;
    uint32_t is_eval = f->parent || (!f->mtime && !nytp_str_eq(f->name, NYTP_LIT("-"))) ? NYTP_REDACT_EVALS : 0;
    return is_eval | (around & NYTP_REDACT_COMMANDS);
}

static void note_file(nytp_redact *x, uint32_t stream, nytp_rec_file *f) {
    uint32_t *at = nytp_map_at(&x->files, key_of(stream, f->id));
    if (at) *at = KNOWN | is_what(x, stream, f);
    else x->failed = 1;
    hide_text(x, &f->name);
}

/* Text of an unknown file may be anything. */
static int is_hidden(nytp_redact *x, uint32_t stream, uint64_t file) {
    uint32_t is = nytp_map_get(&x->files, key_of(stream, file));
    int64_t hidden = is ? is & x->what : x->what;
    x->lacks |= (int32_t)hidden;
    return hidden != 0;
}

/* Of a command of a build the name stays. */
static void hide_arguments(nytp_redact *x, nytp_rec_process *p) {
    const char *end = p->command.n ? memchr(p->command.p, 0, p->command.n) : NULL;
    size_t n = end ? (size_t)(end - p->command.p) + 1 : p->command.n;
    if (!(x->what & NYTP_REDACT_COMMANDS) || n == p->command.n) return;
    p->cut += p->command.n - n;
    p->command.n = n;
    x->lacks |= NYTP_REDACT_COMMANDS;
}

/* The last one may have no NUL. */
static void mask_argument(nytp_redact *x, nytp_str argument) {
    nytp_buf_clear(&x->argument);
    nytp_buf_bytes(&x->argument, argument.p, argument.n);
    nytp_buf_byte(&x->argument, 0);
    x->failed |= x->argument.failed;
    if (x->argument.failed) return;
    size_t n = nytp_mask_put(x->mask, NULL, 0, (const char *)x->argument.p);
    unsigned char *room = n ? nytp_buf_room(&x->command, n) : NULL;
    if (!room || nytp_mask_put(x->mask, (char *)room, n, (const char *)x->argument.p) != n) x->failed = 1;
    else x->command.n += n;
}

static void mask_command(nytp_redact *x, nytp_str *command) {
    nytp_buf_clear(&x->command);
    for (size_t i = 0, n; i < command->n; i += n + 1) {
        const char *begin = command->p + i, *end = memchr(begin, 0, command->n - i);
        n = end ? (size_t)(end - begin) : command->n - i;
        mask_argument(x, (nytp_str){begin, n});
    }
    x->failed |= x->command.failed;
    nytp_str masked = {(const char *)x->command.p, x->command.failed ? 0 : x->command.n};
    if (masked.n && command->p[command->n - 1]) masked.n--;
    if (!nytp_str_eq(masked, *command)) x->lacks |= NYTP_REDACT_COMMANDS;
    *command = masked;
}

/* The command of a process that was profiled. 0 if nothing of it stays. */
static int redact_command(nytp_redact *x, nytp_record *r) {
    if (x->what & NYTP_REDACT_COMMANDS) x->lacks |= NYTP_REDACT_COMMANDS;
    else if (x->mask && r->u.pair.value.n) mask_command(x, &r->u.pair.value);
    return !(x->what & NYTP_REDACT_COMMANDS);
}

/* ---- chunks ---- */

void nytp_redact_begin(nytp_redact *x, const nytp_chunk_info *chunk) {
    x->chunk = *chunk;
    x->lacks = 0;
    nytp_writer_copies(x->out, &chunk->stream, chunk->number);
}

void nytp_redact_record(nytp_redact *x, const nytp_record *given) {
    nytp_record r = *given;
    if (r.kind == NYTP_REC_SOURCE && is_hidden(x, r.stream, r.u.source.file)) return;
    if (r.kind == NYTP_REC_FILE) note_file(x, r.stream, &r.u.file);
    if (r.kind == NYTP_REC_SUB) hide_text(x, &r.u.sub.name);
    if (r.kind == NYTP_REC_PROCESS_START) hide_title(x, &r.u.process_start.program);
    if (r.kind == NYTP_REC_PROCESS) hide_arguments(x, &r.u.process);
    if (r.kind == NYTP_REC_PROCESS && x->mask && r.u.process.command.n) mask_command(x, &r.u.process.command);
    if (r.kind == NYTP_REC_PROPERTY && nytp_str_eq(r.u.pair.key, NYTP_LIT("command")) && !redact_command(x, &r)) return;
    if (r.kind == NYTP_REC_ATTRIBUTE && nytp_str_eq(r.u.pair.key, NYTP_LIT("application")))
        hide_title(x, &r.u.pair.value);
    nytp_writer_put(x->out, &r);
}

enum nytp_code nytp_redact_end(nytp_redact *x) {
    static const char *const words[] = {"", "evals", "commands", "evals,commands"};
    if (x->lacks) nytp_writer_pair(x->out, NYTP_REC_PROPERTY, NYTP_LIT("redacted"), nytp_str_c(words[x->lacks & 3]));
    enum nytp_code code = nytp_writer_chunk(x->out, x->chunk.start, x->chunk.end);
    return x->failed ? NYTP_NOMEM : code;
}

enum nytp_code nytp_redact_close(nytp_redact *x, nytp_error *e) {
    if (!x) return NYTP_OK;
    nytp_error own = {0};
    enum nytp_code code = nytp_writer_finish(x->out, &own);
    if (x->failed) code = nytp_error_set(&own, NYTP_NOMEM, "out of memory");
    if (code && !e->code) *e = own;
    nytp_map_free(&x->files);
    nytp_table_free(&x->by_text);
    nytp_arena_free(&x->strings);
    nytp_buf_free(&x->names);
    nytp_buf_free(&x->texts);
    nytp_buf_free(&x->name);
    nytp_buf_free(&x->command);
    nytp_buf_free(&x->argument);
    free(x);
    return code;
}
