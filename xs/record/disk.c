/* SPDX-License-Identifier: MIT */
/* disk.c - finding files of source, which are read when they are met: the program may remove or replace them later, or
 * leave the directory that their names are relative to. */
#include "record/disk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/contents.h"
#include "record/places.h"

/* NULL: the name does as well. */
static const char *absolute(nytp_recorder *r, nytp_str name) {
    char cwd[4096];
    if (name.p[0] == '/' || !getcwd(cwd, sizeof cwd)) return NULL;
    size_t n = strlen(cwd);
    char *path = nytp_arena_get(&r->arena, n + name.n + 2);
    if (!path) return NULL;
    memcpy(path, cwd, n);
    path[n] = '/';
    memcpy(path + n + 1, name.p, name.n);
    return path;
}

static void take(nytp_recorder *r, nytp_live_file *f) {
    f->path = absolute(r, f->name);
    nytp_contents_read(f, &f->taken);
    if (f->taken.failed) nytp_buf_free(&f->taken);
}

nytp_live_file *nytp_disk_file(nytp_recorder *r, const char *path) {
    nytp_rec_file what = {.flags = NYTP_FILE_VIA_STMT, .name = nytp_str_c(path)};
    nytp_live_file *known = nytp_places_find_file(r, what.name);
    struct stat st;
    int saved = errno;
    if (known) return known;
    if (stat(path, &st) == 0) {
        what.size = (uint64_t)st.st_size;
        what.mtime = (uint64_t)st.st_mtime;
    }
    if (r->options->savesrc) what.flags |= NYTP_FILE_HAS_SRC | NYTP_FILE_SAVE_SRC;
    nytp_live_file *f = nytp_places_add_file(r, &what);
    if (f && f->size && r->options->savesrc) take(r, f);
    errno = saved;
    return f;
}
