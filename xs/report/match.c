/* SPDX-License-Identifier: MIT */
/* match.c - the subs that a person means by a name, and the names that it resembles. */
#include "report/match.h"

#include <ctype.h>
#include <string.h>

#include "report/escape.h"
#include "report/names.h"
#include "report/pattern.h"
#include "report/text.h"

#define NEAR 3     /* names told */
#define LONGEST 64 /* bytes compared of a name */

/* ---- names that are meant ---- */

static int is_separator(char c) { return c == ':' || c == '.' || c == '#'; }

static int ends_with(nytp_str name, nytp_str end) {
    return nytp_str_ends(name, end) && name.n > end.n && is_separator(name.p[name.n - end.n - 1]);
}

static int is_named(nytp_str sub, nytp_str name, int by_end) {
    return by_end ? ends_with(sub, name) : nytp_str_eq(sub, name);
}

/* Names of anonymous subs contain a file's name: both in full and as reports print it. */
static enum nytp_code choose_named(unsigned char *chosen, uint32_t *n, const nytp_profile *p, nytp_str name,
                                   int by_end) {
    nytp_buf text = {0};
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        if (s->moved == i)
            chosen[i] = is_named(s->name, name, by_end) || is_named(nytp_names_shown(&text, p, s), name, by_end);
        *n += chosen[i];
    }
    enum nytp_code code = text.failed ? NYTP_NOMEM : NYTP_OK;
    nytp_buf_free(&text);
    return code;
}

/* A name that is no regular expression matches nothing. */
static enum nytp_code choose_matching(unsigned char *chosen, uint32_t *n, const nytp_profile *p, const char *name) {
    nytp_error e = {0};
    for (uint32_t i = 0; i < p->subs_n; i++) chosen[i] = p->subs[i].moved == i;
    enum nytp_code code = nytp_pattern_keep(chosen, p, name, &e);
    for (uint32_t i = 0; i < p->subs_n; i++) {
        if (code) chosen[i] = 0;
        *n += chosen[i];
    }
    return code == NYTP_NOMEM ? code : NYTP_OK;
}

static uint32_t keep_called(unsigned char *chosen, const nytp_profile *p, uint32_t n) {
    uint32_t called = 0;
    for (uint32_t i = 0; i < p->subs_n; i++) called += chosen[i] && p->subs[i].calls;
    for (uint32_t i = 0; i < p->subs_n && called; i++)
        if (!p->subs[i].calls) chosen[i] = 0;
    return called ? called : n;
}

static enum nytp_code choose_by_name(unsigned char *chosen, uint32_t *n, const nytp_profile *p, const char *name) {
    *n = 0;
    enum nytp_code code = choose_named(chosen, n, p, nytp_str_c(name), 0);
    if (!code && !*n) code = choose_named(chosen, n, p, nytp_str_c(name), 1);
    return code;
}

enum nytp_code nytp_match_subs(unsigned char *chosen, uint32_t *n, const nytp_profile *p, const char *name) {
    enum nytp_code code = choose_by_name(chosen, n, p, name);
    if (!code && !*n) code = choose_matching(chosen, n, p, name);
    *n = keep_called(chosen, p, *n);
    return code;
}

/* ---- names alike ---- */

static nytp_str last_part(nytp_str name) {
    size_t at = name.n;
    while (at && !is_separator(name.p[at - 1])) at--;
    return (nytp_str){name.p + at, name.n - at};
}

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

/* Letters to insert, remove or replace, small and capital ones being the same. */
static unsigned distance(nytp_str a, nytp_str b) {
    unsigned row[LONGEST + 1];
    if (a.n > LONGEST) a.n = LONGEST;
    if (b.n > LONGEST) b.n = LONGEST;
    for (unsigned j = 0; j <= b.n; j++) row[j] = j;
    for (unsigned i = 0; i < a.n; i++) {
        unsigned before = row[0]++;
        for (unsigned j = 0; j < b.n; j++) {
            int differs = tolower((unsigned char)a.p[i]) != tolower((unsigned char)b.p[j]);
            unsigned replaced = before + (unsigned)differs;
            before = row[j + 1];
            row[j + 1] = smaller(replaced, smaller(before, row[j]) + 1);
        }
    }
    return row[b.n];
}

typedef struct candidate {
    nytp_str name;
    unsigned distance;
} candidate;

/* Keeps the nearest ones in order; of one name there may be several subs. */
static void keep(candidate near[NEAR], nytp_str name, unsigned at) {
    int i = NEAR;
    for (int j = 0; j < NEAR; j++)
        if (near[j].name.p && nytp_str_eq(near[j].name, name)) return;
    while (i && (!near[i - 1].name.p || near[i - 1].distance > at)) i--;
    if (i == NEAR) return;
    memmove(&near[i + 1], &near[i], (size_t)(NEAR - 1 - i) * sizeof *near);
    near[i] = (candidate){name, at};
}

/* A third of a name's letters may differ, of the whole or of its last part. */
static void put_near(nytp_buf *out, const nytp_profile *p, const char *text) {
    candidate near[NEAR] = {{{0}, 0}};
    nytp_str name = nytp_str_c(text);
    for (uint32_t i = 0; i < p->subs_n; i++) {
        if (!p->subs[i].calls || !p->subs[i].name.n) continue;
        unsigned whole = distance(p->subs[i].name, name), last = distance(last_part(p->subs[i].name), last_part(name));
        if (whole <= name.n / 3) keep(near, p->subs[i].name, whole);
        else if (last <= last_part(name).n / 3) keep(near, p->subs[i].name, LONGEST + last);
    }
    for (int i = 0; i < NEAR && near[i].name.p; i++) {
        nytp_text_put(out, i ? ", " : "; similar names: ");
        nytp_escape_text(out, near[i].name);
    }
}

void nytp_match_missing(nytp_buf *out, const nytp_profile *p, const char *name) {
    nytp_text_put(out, "there is no sub ");
    nytp_escape_text(out, nytp_str_c(name));
    nytp_text_put(out, " in this profile");
    put_near(out, p, name);
}

/* ---- one name ---- */

/* Up to three of the names that are chosen, each once. Returns their number, or one more if there are others. */
static int names_of(nytp_str names[NEAR], const unsigned char *chosen, const nytp_profile *p) {
    int n = 0;
    for (uint32_t i = 0; i < p->subs_n && n <= NEAR; i++) {
        int known = !chosen[i];
        for (int k = 0; k < n && k < NEAR; k++) known |= nytp_str_eq(names[k], p->subs[i].name);
        if (!known && n < NEAR) names[n] = p->subs[i].name;
        n += !known;
    }
    return n;
}

static void put_several(nytp_buf *out, const nytp_str names[NEAR], int n, const char *name) {
    nytp_escape_text(out, nytp_str_c(name));
    nytp_text_put(out, " is the end of several names: ");
    for (int i = 0; i < n && i < NEAR; i++) {
        if (i) nytp_text_put(out, ", ");
        nytp_escape_text(out, names[i]);
    }
    if (n > NEAR) nytp_text_put(out, ", ...");
}

enum nytp_code nytp_match_one(unsigned char *chosen, const nytp_profile *p, const char *name, nytp_error *e) {
    nytp_str names[NEAR];
    nytp_buf text = {0};
    uint32_t n;
    if (choose_by_name(chosen, &n, p, name)) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    n = keep_called(chosen, p, n);
    int several = names_of(names, chosen, p);
    if (n && several == 1) return NYTP_OK;
    if (n) put_several(&text, names, several, name);
    else nytp_match_missing(&text, p, name);
    nytp_buf_byte(&text, '\0');
    if (text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else nytp_error_set(e, NYTP_USAGE, "--from: %s", (const char *)text.p);
    nytp_buf_free(&text);
    return e->code;
}
