/* SPDX-License-Identifier: MIT */
/* stock.c - the row of the table for a perl, by its version and options, and a look whether the row is right. */
#include "cli/stock.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/layouts.h"
#include "sample/peek.h"
#include "sample/sense.h"
#include "sample/symbols.h"

#define OPTIONS 1024 /* bytes */

enum { OP_NAMES, REVISION, VERSION, SUBVERSION, BUILT_WITH, SYMBOLS };

typedef struct kind {
    unsigned char revision, version, subversion;
    char options[OPTIONS];
} kind;

static int find(pid_t pid, nytp_symbol s[SYMBOLS]) {
    static const char *const names[SYMBOLS] = {"PL_op_name", "PL_revision", "PL_version", "PL_subversion",
                                               "PL_bincompat_options"};
    char path[PATH_MAX];
    nytp_error none = {0};
    for (int i = 0; i < SYMBOLS; i++) s[i] = (nytp_symbol){names[i], 0};
    if (nytp_symbols_find(pid, NYTP_PERLS_LIBRARY, s, SYMBOLS, path, &none)) return 0;
    for (int i = 0; i < SYMBOLS; i++)
        if (!s[i].at) return 0;
    return 1;
}

/* The way that works there. */
static nytp_peek peek_at(pid_t pid, uint64_t probe) {
    nytp_peek peek;
    nytp_error none = {0};
    nytp_peek_open(&peek, pid, probe & ~UINT64_C(7), &none);
    return peek;
}

static int read_variables(const nytp_peek *peek, const nytp_symbol s[SYMBOLS], kind *k) {
    if (!nytp_peek_at(peek, s[REVISION].at, &k->revision, 1) || !nytp_peek_at(peek, s[VERSION].at, &k->version, 1) ||
        !nytp_peek_at(peek, s[SUBVERSION].at, &k->subversion, 1))
        return 0;
    for (size_t n = 0; n < OPTIONS; n++) {
        if (!nytp_peek_at(peek, s[BUILT_WITH].at + n, &k->options[n], 1)) return 0;
        if (!k->options[n]) return 1;
    }
    return 0;
}

/* What the perl says of itself. 0: it cannot be read. */
static int read_kind(pid_t pid, kind *k) {
    nytp_symbol s[SYMBOLS];
    if (!find(pid, s)) return 0;
    nytp_peek peek = peek_at(pid, s[OP_NAMES].at);
    int is_read = read_variables(&peek, s, k);
    nytp_peek_close(&peek);
    return is_read;
}

/* Which perls there are, for a message. */
static const char *list(char text[128]) {
    uint32_t n, used = 0;
    const nytp_stock *all = nytp_layouts_all(&n);
    text[0] = '\0';
    for (uint32_t i = 0; i < n && used < 120; i++)
        used += (uint32_t)snprintf(text + used, 128 - used, "%s%s", i ? ", " : "", all[i].version);
    return text;
}

static enum nytp_code refuse(const nytp_perl *p, const char *why, nytp_error *e) {
    char perls[128], version[32];
    snprintf(version, sizeof version, "%.*s", (int)p->version.n, p->version.n ? p->version.p : "");
    if (!why)
        return nytp_error_set(e, NYTP_FORMAT, "the %s of process %ld does not load this profiler, and is no stock perl "
                              "(%s with threads): expected Devel::NYTProf to be installed for it",
                              *version ? version : "perl", (long)p->pid, list(perls));
    return nytp_error_set(e, NYTP_FORMAT, "the %s of process %ld is no stock perl (%s with threads), and is not run to "
                          "learn about it, as its program is %s", *version ? version : "perl", (long)p->pid,
                          list(perls), why);
}

enum nytp_code nytp_stock_learn(nytp_perl *p, const char *why, nytp_error *e) {
    kind k;
    char version[16], full[32];
    uint32_t n, i = 0;
    const nytp_stock *all = nytp_layouts_all(&n);
    if (!read_kind(p->pid, &k)) return refuse(p, why, e);
    snprintf(version, sizeof version, "%u.%u", k.revision, k.version);
    snprintf(full, sizeof full, "perl %s.%u", version, k.subversion);
    p->version = nytp_arena_str(&p->arena, nytp_str_c(full));
    while (i < n && (strcmp(all[i].version, version) != 0 || strcmp(all[i].options, k.options) != 0)) i++;
    if (i == n || sizeof(void *) != 8) return refuse(p, why, e);
    const char **names = nytp_arena_get(&p->arena, NYTP_PERLS_OPS * sizeof *names);
    if (!names || !p->version.p) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    memset(names, 0, NYTP_PERLS_OPS * sizeof *names);
    if (!nytp_layouts_fill(i, &p->layout, names, NYTP_PERLS_OPS)) return refuse(p, why, e);
    p->is_stock = 1;
    return NYTP_OK;
}

enum nytp_code nytp_stock_check(const nytp_perl *p, nytp_error *e) {
    nytp_symbol s[SYMBOLS];
    nytp_subject subject = {.layout = &p->layout, .perl = p->at};
    if (find(p->pid, s)) {
        subject.peek = peek_at(p->pid, s[OP_NAMES].at);
        int makes_sense = nytp_sense_makes(&subject, s[OP_NAMES].at);
        nytp_peek_close(&subject.peek);
        if (makes_sense) return NYTP_OK;
    }
    return nytp_error_set(e, NYTP_FORMAT, "the %.*s of process %ld does not keep its stack as stock perls do, or has "
                          "not begun: expected Devel::NYTProf to be installed for it", (int)p->version.n,
                          p->version.p, (long)p->pid);
}
