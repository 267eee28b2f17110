/* SPDX-License-Identifier: MIT */
/* schemata.c - classes of processes, by rules in a text. */
#include "report/schemata.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "report/command.h"
#include "report/pattern.h"

#define GROUPS 10

enum field { COMMAND, PROGRAM, CWD, TARGET, HOST, STATUS, LEVEL, MAKE, DEPTH, FIELDS };

static const char *const fields[FIELDS] = {"command", "program", "cwd", "target", "host", "status", "level",
                                           "make", "depth"};

typedef struct rule {
    nytp_str class; /* "IGNORE" and an empty one: not counted */
    enum field field;
    int32_t is_text;   /* 1: the field is equal to text; else the expression matches */
    nytp_str text;
    regex_t expression;
} rule;

typedef struct schema {
    nytp_str name, otherwise;
    int32_t where;     /* number of the schema that restricts this one; -1 */
    nytp_str is;       /* to processes of that class */
    rule *rules;
    uint32_t rules_n, room;
} schema;

struct nytp_schemata {
    nytp_arena arena;
    schema all[NYTP_SCHEMATA_MOST];
    uint32_t n;
    nytp_buf values[FIELDS]; /* of a process, each with a NUL behind it */
};

static const char usual[] =
    "schema CATEGORY\n class $1 program ~ '(.+)'\n default UNKNOWN\n"
    "schema \"WORKING DIRECTORY\"\n class $1 cwd ~ '([^/]+)/*$'\n class / cwd = '/'\n default UNKNOWN\n";

/* ---- the text ---- */

typedef struct reader {
    const char *name, *at;
    uint32_t line;
    nytp_error *e;
    nytp_schemata *s;
} reader;

static void complain(const reader *r, const char *what, nytp_str word) {
    nytp_error_set(r->e, NYTP_USAGE, "%s:%" PRIu32 ": %s '%.*s'", r->name, r->line, what,
                   (int)(word.n < 100 ? word.n : 100), word.p);
}

/* The next word of the line, with its quotes taken off; empty at the line's end or before a comment. */
static nytp_str next(reader *r) {
    const char *begin = r->at += strspn(r->at, " \t\r");
    if (!*begin || *begin == '\n' || *begin == '#') return (nytp_str){begin, 0};
    if (*begin == '\'' || *begin == '"') {
        const char *end = begin + 1;
        while (*end && *end != '\n' && *end != *begin) end++;
        r->at = end + (*end == *begin);
        if (*end != *begin) complain(r, "a quote without its end:", (nytp_str){begin, (size_t)(end - begin)});
        return (nytp_str){begin + 1, (size_t)(end - begin) - 1};
    }
    r->at += strcspn(begin, " \t\r\n");
    return (nytp_str){begin, (size_t)(r->at - begin)};
}

static nytp_str next_kept(reader *r, const char *what) {
    nytp_str word = next(r), kept;
    if (!word.n) complain(r, "expected", nytp_str_c(what));
    kept = nytp_arena_str(&r->s->arena, word);
    if (!kept.p) nytp_error_set(r->e, NYTP_NOMEM, "out of memory");
    return kept.p ? kept : (nytp_str){"", 0};
}

static int find_schema(const nytp_schemata *s, nytp_str name) {
    for (uint32_t i = 0; i < s->n; i++)
        if (nytp_str_eq(s->all[i].name, name)) return (int)i;
    return -1;
}

static void read_where(reader *r, schema *new) {
    nytp_str word = next(r);
    if (!word.n) return;
    if (!nytp_str_eq(word, NYTP_LIT("where"))) complain(r, "expected 'where' or the end of the line, got", word);
    word = next(r);
    new->where = find_schema(r->s, word);
    if (new->where < 0) complain(r, "no schema before this one has the name", word);
    word = next(r);
    if (!nytp_str_eq(word, NYTP_LIT("="))) complain(r, "expected '=', got", word);
    new->is = next_kept(r, "a class");
}

static void read_schema(reader *r) {
    nytp_str name = next_kept(r, "the name of a schema");
    if (find_schema(r->s, name) >= 0) complain(r, "a schema of this name is there already:", name);
    if (r->s->n == NYTP_SCHEMATA_MOST) complain(r, "too many schemata:", name);
    if (r->e->code) return;
    schema *new = &r->s->all[r->s->n];
    *new = (schema){.name = name, .otherwise = NYTP_LIT("UNKNOWN"), .where = -1};
    read_where(r, new);
    r->s->n++;
}

static void compile(reader *r, rule *new) {
    char why[100];
    if (new->is_text || r->e->code) return;
    const char *fault = nytp_pattern_fault(new->text.p);
    if (fault) {
        nytp_error_set(r->e, NYTP_USAGE, "%s:%" PRIu32 ": expected an expression with %s", r->name, r->line, fault);
        return;
    }
    int code = regcomp(&new->expression, new->text.p, REG_EXTENDED);
    if (!code) return;
    regerror(code, &new->expression, why, sizeof why);
    nytp_error_set(r->e, NYTP_USAGE, "%s:%" PRIu32 ": %s: '%.100s'", r->name, r->line, why, new->text.p);
}

static void read_class(reader *r, schema *s) {
    rule new = {.class = next_kept(r, "a class")};
    nytp_str field = next(r), way = next(r);
    while (new.field < FIELDS && !nytp_str_eq(field, nytp_str_c(fields[new.field]))) new.field++;
    if (new.field == FIELDS)
        complain(r, "expected command, program, cwd, target, host, status, level, make or depth, got", field);
    new.is_text = nytp_str_eq(way, NYTP_LIT("="));
    if (!new.is_text && !nytp_str_eq(way, NYTP_LIT("~"))) complain(r, "expected '~' or '=', got", way);
    new.text = next_kept(r, "an expression");
    compile(r, &new);
    rule *kept = r->e->code ? NULL : nytp_grow(&r->s->arena, &s->rules, s->rules_n, &s->room, sizeof new);
    if (!kept) nytp_error_set(r->e, NYTP_NOMEM, "out of memory");
    if (!kept) return;
    *kept = new;
    s->rules_n++;
}

static void read_line(reader *r) {
    nytp_str word = next(r);
    schema *s = r->s->n ? &r->s->all[r->s->n - 1] : NULL;
    if (!word.n) return;
    if (nytp_str_eq(word, NYTP_LIT("schema"))) read_schema(r);
    else if (!s) complain(r, "expected 'schema', got", word);
    else if (nytp_str_eq(word, NYTP_LIT("class"))) read_class(r, s);
    else if (nytp_str_eq(word, NYTP_LIT("default"))) s->otherwise = next_kept(r, "a class");
    else complain(r, "expected schema, class or default, got", word);
    word = next(r);
    if (!r->e->code && word.n) complain(r, "expected the end of the line, got", word);
}

nytp_schemata *nytp_schemata_make(const char *name, const char *text, nytp_error *e) {
    nytp_schemata *s = calloc(1, sizeof *s);
    reader r = {.name = name, .at = text ? text : usual, .e = e, .s = s};
    if (!s) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    while (s && *r.at && !e->code) {
        r.line++;
        read_line(&r);
        r.at += strcspn(r.at, "\n");
        r.at += *r.at == '\n';
    }
    if (s && !e->code && !s->n && text) {
        nytp_schemata_free(s);
        return nytp_schemata_make(name, NULL, e);
    }
    if (!e->code) return s;
    nytp_schemata_free(s);
    return NULL;
}

uint32_t nytp_schemata_count(const nytp_schemata *s) { return s->n; }

nytp_str nytp_schemata_name(const nytp_schemata *s, uint32_t i) { return s->all[i].name; }

/* ---- classes ---- */

static void set(nytp_buf *value, nytp_str text) {
    nytp_buf_clear(value);
    nytp_buf_bytes(value, text.p, text.n);
    nytp_buf_byte(value, 0);
}

static void set_number(nytp_buf *value, uint64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    set(value, nytp_str_c(digits));
}

static void set_values(nytp_schemata *s, const nytp_built *process) {
    nytp_buf *command = &s->values[COMMAND];
    nytp_buf_clear(command);
    nytp_command_text(command, process->command);
    set(&s->values[PROGRAM], nytp_command_program((nytp_str){(const char *)command->p, command->n}));
    nytp_buf_byte(command, 0);
    set(&s->values[CWD], process->directory);
    set(&s->values[TARGET], process->target);
    set(&s->values[HOST], process->host);
    set_number(&s->values[STATUS], process->used.status);
    set_number(&s->values[LEVEL], process->level);
    set(&s->values[MAKE], process->parent ? process->parent->directory : NYTP_LIT(""));
    set_number(&s->values[DEPTH], process->depth);
}

/* The class with $1 and the like replaced. */
static void put_class(nytp_buf *out, nytp_str class, const char *value, const regmatch_t *groups) {
    for (size_t i = 0; i < class.n; i++) {
        int is_group = class.p[i] == '$' && i + 1 < class.n && class.p[i + 1] >= '1' && class.p[i + 1] <= '9';
        const regmatch_t *group = is_group && groups ? &groups[class.p[i + 1] - '0'] : NULL;
        if (!is_group) nytp_buf_byte(out, (unsigned char)class.p[i]);
        else if (group && group->rm_so >= 0)
            nytp_buf_bytes(out, value + group->rm_so, (size_t)(group->rm_eo - group->rm_so));
        i += (size_t)is_group;
    }
}

static void classify(const nytp_schemata *s, const schema *by, nytp_buf *out) {
    regmatch_t groups[GROUPS];
    if (nytp_str_eq(by->otherwise, NYTP_LIT("IGNORE")) && !by->rules_n) return;
    for (uint32_t i = 0; i < by->rules_n; i++) {
        const rule *r = &by->rules[i];
        const char *value = s->values[r->field].failed ? "" : (const char *)s->values[r->field].p;
        int is_match = r->is_text ? strcmp(value, r->text.p) == 0 : !regexec(&r->expression, value, GROUPS, groups, 0);
        if (!is_match) continue;
        if (!nytp_str_eq(r->class, NYTP_LIT("IGNORE"))) put_class(out, r->class, value, r->is_text ? NULL : groups);
        return;
    }
    if (!nytp_str_eq(by->otherwise, NYTP_LIT("IGNORE"))) nytp_buf_bytes(out, by->otherwise.p, by->otherwise.n);
}

void nytp_schemata_classify(nytp_schemata *s, const nytp_built *process, nytp_buf *out) {
    size_t begin[NYTP_SCHEMATA_MOST];
    nytp_buf_clear(out);
    set_values(s, process);
    for (uint32_t i = 0; i < s->n; i++) {
        const schema *by = &s->all[i];
        begin[i] = out->n;
        const char *other = by->where < 0 || out->failed ? NULL : (const char *)out->p + begin[by->where];
        if (by->where < 0 || (other && nytp_str_eq(nytp_str_c(other), by->is))) classify(s, by, out);
        nytp_buf_byte(out, 0);
    }
    for (int i = 0; i < FIELDS; i++) out->failed |= s->values[i].failed;
}

void nytp_schemata_free(nytp_schemata *s) {
    if (!s) return;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->all[i].rules_n; j++)
            if (!s->all[i].rules[j].is_text) regfree(&s->all[i].rules[j].expression);
    for (int i = 0; i < FIELDS; i++) nytp_buf_free(&s->values[i]);
    nytp_arena_free(&s->arena);
    free(s);
}
