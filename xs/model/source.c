/* SPDX-License-Identifier: MIT */
/* source.c - the text of sources: from captures, or read from the disk. */
#include "model/source.h"

#include <fcntl.h>
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

enum nytp_code nytp_source_find(nytp_profile *p) {
    int code = NYTP_OK;
    for (uint32_t i = 1; i < p->files_n && !code; i++) {
        nytp_file *f = &p->files[i];
        if (f->source_lines || f->parent || f->flags & NYTP_FILE_FAKE || !nytp_profile_file_used(f)) continue;
        nytp_buf bytes = {0};
        struct stat st;
        if (read_file(f->name.p, &bytes, &st)) code = take_file(p, f, &bytes, &st);
        if (bytes.failed) code = NYTP_NOMEM;
        nytp_buf_free(&bytes);
    }
    return code;
}
