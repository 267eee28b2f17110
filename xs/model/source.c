/* SPDX-License-Identifier: MIT */
/* source.c - the text of sources: from captures, or read from the disk. */
#include "model/source.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/grow.h"
#include "model/notes.h"

#define MOST_LINES 10000000u /* of all files; a few bytes of a hostile capture make a million */
#define MOST_TEXT ((size_t)UINT32_MAX - 32) /* bytes: with a line's length in front and one before all, 32 bits do */
#define BIGGEST (64 << 20) /* bytes; a larger file is not read */

/* ---- lines in memory ---- */

nytp_str nytp_source_line(const nytp_profile *p, const nytp_file *f, uint32_t line) {
    uint32_t at = line && line <= f->source_lines ? f->source[line - 1] : 0;
    if (!at) return (nytp_str){NULL, 0};
    nytp_cursor c = {p->text.p + at, p->text.p + p->text.n, 0};
    return nytp_cursor_str(&c);
}

nytp_str nytp_source_text(const nytp_profile *p, const nytp_file *f, uint32_t line) {
    nytp_str text = nytp_source_line(p, f, line);
    while (text.n && (unsigned char)text.p[text.n - 1] <= ' ') text.n--;
    while (text.n && (unsigned char)*text.p <= ' ') text = (nytp_str){text.p + 1, text.n - 1};
    return text;
}

static int has_room(const nytp_profile *p, const nytp_file *f, uint32_t line, nytp_str text) {
    uint32_t more = line > f->source_lines ? line - f->source_lines : 0;
    size_t used = p->text.n;
    return more <= MOST_LINES - p->text_lines && used < MOST_TEXT && text.n < MOST_TEXT - used;
}

/* One note, even if millions of lines are missing. */
static void tell_missing(nytp_profile *p) {
    if (!p->text_is_cut)
        nytp_notes_add(p, "There is more source than the %u lines or 4 GB that are kept: some is missing.", MOST_LINES);
    p->text_is_cut = 1;
}

static enum nytp_code add_gap(nytp_profile *p, nytp_file *f) {
    if (!nytp_grow(&p->arena, &f->source, f->source_lines, &f->source_room, sizeof *f->source)) return NYTP_NOMEM;
    f->source_lines++;
    p->text_lines++;
    return NYTP_OK;
}

enum nytp_code nytp_source_add(nytp_profile *p, nytp_file *f, uint32_t line, nytp_str text) {
    if (!has_room(p, f, line, text)) {
        tell_missing(p);
        return NYTP_OK;
    }
    while (f->source_lines < line)
        if (add_gap(p, f)) return NYTP_NOMEM;
    if (f->source[line - 1]) return NYTP_OK;
    if (!p->text.n) nytp_buf_byte(&p->text, 0);
    f->source[line - 1] = (uint32_t)p->text.n;
    nytp_buf_str(&p->text, text);
    return p->text.failed ? NYTP_NOMEM : NYTP_OK;
}

enum nytp_code nytp_source_share(nytp_profile *p, nytp_file *to, const nytp_file *from) {
    if (to->source_lines) return NYTP_OK;
    if (from->source_lines > MOST_LINES - p->text_lines) {
        tell_missing(p);
        return NYTP_OK;
    }
    for (uint32_t i = 0; i < from->source_lines; i++) {
        if (add_gap(p, to)) return NYTP_NOMEM;
        to->source[i] = from->source[i];
    }
    return NYTP_OK;
}

/* ---- files on the disk ---- */

/* A regular file's bytes and status; a device or a pipe might never end. */
static int read_file(const char *path, nytp_buf *out, struct stat *st) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return 0;
    int good = !fstat(fd, st) && S_ISREG(st->st_mode) && st->st_size <= BIGGEST;
    for (ssize_t got = 1; good && got > 0;) {
        unsigned char *room = nytp_buf_room(out, 1 << 16);
        got = room ? read(fd, room, 1 << 16) : -1;
        if (got > 0) out->n += (size_t)got;
        good = got >= 0 && out->n <= BIGGEST;
    }
    close(fd);
    return good;
}

static enum nytp_code take_lines(nytp_profile *p, nytp_file *f, const nytp_buf *bytes) {
    const char *at = (const char *)bytes->p, *stop = at + bytes->n;
    for (int code; at < stop;) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at)), *end = newline ? newline + 1 : stop;
        if ((code = nytp_source_add(p, f, f->source_lines + 1, (nytp_str){at, (size_t)(end - at)}))) return code;
        at = end;
    }
    return NYTP_OK;
}

static int is_as_it_was(const nytp_file *f, const struct stat *st) {
    int is_known = f->mtime && !(f->flags & NYTP_FILE_PMC);
    return !is_known || (f->size == (uint64_t)st->st_size && f->mtime == (uint64_t)st->st_mtime);
}

static enum nytp_code take_file(nytp_profile *p, nytp_file *f, const nytp_buf *bytes, const struct stat *st) {
    int code = take_lines(p, f, bytes);
    if (f->source_lines) f->from_disk = is_as_it_was(f, st) ? NYTP_DISK_SAME : NYTP_DISK_CHANGED;
    return code;
}

/* ---- which files are read ---- */

/* Whether path is a file below root, after all links and .. in it are resolved. */
static int is_below(const char *root, const char *path) {
    char real[PATH_MAX];
    size_t n = strlen(root);
    return realpath(path, real) && strncmp(real, root, n) == 0 && (real[n] == '/' || root[n - 1] == '/');
}

/* The path of root/a/b.pl, root/b.pl for a name a/b.pl: the first one that exists. 0: there is none. */
static int find_below(const char *root, const char *name, char *path, size_t size) {
    for (const char *end = name; end; end = strchr(end, '/')) {
        end += strspn(end, "/");
        int n = snprintf(path, size, "%s/%s", root, end);
        if (n > 0 && (size_t)n < size && is_below(root, path)) return 1;
    }
    return 0;
}

static enum nytp_code take_from(nytp_profile *p, nytp_file *f, const char *path) {
    nytp_buf bytes = {0};
    struct stat st;
    int code = NYTP_OK;
    if (read_file(path, &bytes, &st)) code = take_file(p, f, &bytes, &st);
    if (bytes.failed) code = NYTP_NOMEM;
    nytp_buf_free(&bytes);
    return code;
}

/* The file's text from the disk, if it is there and may be read; *kept is set if that is to be said of it. */
static enum nytp_code find_one(nytp_profile *p, nytp_file *f, const nytp_source_from *from, int *kept) {
    char path[PATH_MAX];
    const nytp_process *process = f->process ? &p->processes[f->process - 1] : NULL;
    if (from->root) return find_below(from->root, f->name.p, path, sizeof path) ? take_from(p, f, path) : NYTP_OK;
    if (from->all || (process && process->is_own)) return take_from(p, f, f->name.p);
    *kept = process && process->is_placed;
    return NYTP_OK;
}

static void tell_kept(nytp_profile *p, const nytp_file *first, uint32_t n) {
    char more[40] = "";
    if (n > 1) snprintf(more, sizeof more, " and of %" PRIu32 " more", n - 1);
    nytp_notes_add(p, "The source of %.*s%s is not in the profile, and not read from the disk, as the profile is of "
                   "another user or host, or of a container: --read-sources reads it, --source-root DIR takes it "
                   "from a directory.",
                   first->name.n < 256 ? (int)first->name.n : 256, first->name.p, more);
}

enum nytp_code nytp_source_find(nytp_profile *p, const nytp_source_from *from) {
    char root[PATH_MAX];
    nytp_source_from real = *from;
    const nytp_file *first = NULL;
    uint32_t n = 0;
    int code = NYTP_OK;
    if (from->root && !(real.root = realpath(from->root, root))) return NYTP_OK;
    for (uint32_t i = 1; i < p->files_n && !code; i++) {
        nytp_file *f = &p->files[i];
        int kept = 0;
        if (f->source_lines || f->parent || f->flags & NYTP_FILE_FAKE || !nytp_profile_file_used(f)) continue;
        code = find_one(p, f, &real, &kept);
        if (kept && !n++) first = f;
    }
    if (n) tell_kept(p, first, n);
    return p->notes_lost ? NYTP_NOMEM : code;
}
