/* SPDX-License-Identifier: MIT */
/* disk.c - finding files of source, and reading them when they are met: the program may remove or replace them later,
 * or leave the directory that their names are relative to. */
#include "record/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/places.h"

#define PIECE (16u << 10)

/* No buffer on the stack: a fiber's is small. */
static void append_file(const char *path, nytp_buf *text) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : 1;
    while (got > 0 && nytp_buf_room(text, PIECE)) {
        got = read(fd, text->p + text->n, PIECE);
        if (got > 0) text->n += (size_t)got;
    }
    if (fd >= 0) close(fd);
}

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

/* For another output of this process the file is read again. */
static const char *path_of(const nytp_live_file *f) { return f->path ? f->path : f->name.p; }

static void take(nytp_recorder *r, nytp_live_file *f) {
    f->path = absolute(r, f->name);
    append_file(path_of(f), &f->taken);
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

uint32_t nytp_disk_source(const nytp_live_file *file, nytp_buf *text) {
    if (file->source_lines) return 0;
    if (file->text.n) nytp_buf_bytes(text, file->text.p, file->text.n);
    else if (file->taken.n) nytp_buf_bytes(text, file->taken.p, file->taken.n);
    else if (file->size) append_file(path_of(file), text);
    nytp_str all = {(const char *)text->p, text->n};
    return (uint32_t)nytp_str_count(all, '\n') + (all.n && all.p[all.n - 1] != '\n');
}
