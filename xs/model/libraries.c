/* SPDX-License-Identifier: MIT */
/* libraries.c - finds the directories of @INC by files and the packages of their subs. */
#include "model/libraries.h"

#include <stdlib.h>
#include <string.h>

#include "model/origin.h"

#define MOST 100 /* directories that are added */

/* Length of the directory in "/lib/Foo/Bar.pm" below which Foo::Bar was found; 0 if file and package do not match. */
static size_t directory_of(nytp_str file, nytp_str package) {
    if (!package.n || !nytp_str_ends(file, NYTP_LIT(".pm"))) return 0;
    size_t at = file.n - strlen(".pm"), i = package.n;
    while (at && i) {
        char c = package.p[--i];
        if (c == ':' && i) i--; /* two colons */
        if (file.p[--at] != (c == ':' ? '/' : c)) return 0;
    }
    return !i && at > 1 && file.p[at - 1] == '/' ? at - 1 : 0;
}

/* Of several packages in a file the longest name, and so the shortest directory, counts; 0 if there is none. */
static void note_directories(const nytp_profile *p, size_t *directory) {
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        const nytp_file *f = &p->files[s->file];
        size_t n = s->file && !f->parent ? directory_of(f->name, nytp_format_package(s->name)) : 0;
        if (n && (!directory[s->file] || n < directory[s->file])) directory[s->file] = n;
    }
}

/* Whether the profile names the directory itself, or one below it that the file is in. */
static int is_known(const nytp_profile *p, const nytp_file *f, size_t directory) {
    return nytp_origin_prefix(p, f->name) > directory;
}

enum nytp_code nytp_libraries_find(nytp_loader *l) {
    const nytp_profile *p = l->p;
    size_t *directory = calloc(p->files_n + 1u, sizeof *directory);
    enum nytp_code code = directory ? NYTP_OK : nytp_loader_no_memory(l);
    if (directory) note_directories(p, directory);
    for (uint32_t i = 0, made = 0; i < p->files_n && made < MOST && !code; i++) {
        const nytp_file *f = &p->files[i];
        nytp_str path = {f->name.p, directory ? directory[i] : 0};
        if (!path.n || !p->processes_n || is_known(p, f, path.n)) continue;
        code = nytp_loader_pair(l, f->process ? f->process - 1 : 0, NYTP_REC_PROPERTY, NYTP_LIT("inc"), path);
        made++;
    }
    free(directory);
    return code;
}
