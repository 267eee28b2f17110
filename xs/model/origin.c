/* SPDX-License-Identifier: MIT */
/* origin.c - where files come from, by the properties "inc" and "cwd" of a profile. */
#include "model/origin.h"

/* Length of the directory and the slash behind it, if s begins so. */
static size_t match(nytp_str directory, nytp_str s) {
    while (directory.n && directory.p[directory.n - 1] == '/') directory.n--;
    int found = directory.n && nytp_str_starts(s, directory) && s.n > directory.n && s.p[directory.n] == '/';
    return found ? directory.n + 1 : 0;
}

/* An @INC entry that is no absolute path is one below the program's first directory. */
static size_t match_entry(nytp_str entry, nytp_str cwd, nytp_str s) {
    if (entry.n && entry.p[0] == '/') return match(entry, s);
    size_t base = match(cwd, s);
    if (nytp_str_starts(entry, NYTP_LIT("./"))) entry = (nytp_str){entry.p + 2, entry.n - 2};
    if (!base || nytp_str_eq(entry, NYTP_LIT("."))) return base;
    size_t rest = match(entry, (nytp_str){s.p + base, s.n - base});
    return rest ? base + rest : 0;
}

size_t nytp_origin_prefix(const nytp_profile *p, nytp_str s) {
    nytp_str cwd = nytp_profile_value(p, NYTP_REC_PROPERTY, "cwd"), inc = NYTP_LIT("inc");
    size_t longest = 0;
    for (uint32_t i = 0; i < p->pairs_n; i++) {
        const nytp_pair *pair = &p->pairs[i];
        if (pair->kind != NYTP_REC_PROPERTY || !nytp_str_eq(pair->key, inc)) continue;
        size_t n = match_entry(pair->value, cwd, s);
        if (n > longest) longest = n;
    }
    return longest;
}

int nytp_origin_is_library(const nytp_profile *p, const nytp_file *f) {
    while (f->parent) f = &p->files[f->parent];
    nytp_str cwd = nytp_profile_value(p, NYTP_REC_PROPERTY, "cwd"), name = f->name;
    if (!name.n || name.p[0] != '/' || (p->processes_n && nytp_str_eq(name, p->processes[0].program))) return 0;
    return !cwd.n || !nytp_str_starts(name, cwd) || name.n <= cwd.n || name.p[cwd.n] != '/';
}
