/* SPDX-License-Identifier: MIT */
/* sink.c - the destination of a report: a directory, a file, or memory.
 *
 * Everything in a directory is done relative to its descriptor, so that pages stay together even if the directory is
 * renamed. */
#include "report/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/table.h"
#include "base/utf8.h"
#include "report/escape.h"

typedef struct page {
    nytp_str name, bytes;
    struct page *next;
} page;

struct nytp_sink {
    char *path;     /* of a directory or a file; NULL in memory */
    char *file;     /* name of the only file, the end of path; NULL for a directory */
    int fd;         /* the directory */
    uint32_t mode;  /* permissions of files */
    int is_stream;  /* 1: bytes are written to fd */
    int is_terminal, has_colors; /* 1: fd is one, which obeys nothing but colours */
    nytp_buf cut;   /* for it: bytes of a character that goes on in the next piece */
    char temporary[40]; /* a page's name until it is complete */
    char page[256];     /* the page being written; empty: none */
    int page_fd;        /* its descriptor */
    nytp_buf bytes;     /* in memory: its bytes so far */
    nytp_arena arena;
    page *pages;
    nytp_buf names; /* contents of the marker */
    nytp_table listed; /* 1 + where in names each begins */
    nytp_error error;
};

/* Only plain names are ever opened or deleted, even if a marker has others. */
static int is_plain(nytp_str name) {
    if (name.n == 0 || name.n > 250 || name.p[0] == '.') return 0;
    return !memchr(name.p, '/', name.n) && !memchr(name.p, '\0', name.n) && !memchr(name.p, '\n', name.n);
}

static int write_all(int fd, const char *p, size_t n) {
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = ENOSPC;
        if (done <= 0) return -1;
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

static int refuse(nytp_sink *s, const char *what, const char *name) {
    const char *path = strcmp(s->path, "-") == 0 ? "standard output" : s->path;
    if (s->file) return nytp_error_sys(&s->error, "cannot %s %s", what, path);
    return nytp_error_sys(&s->error, "cannot %s %s/%s", what, s->path, name);
}

/* Writes under a temporary name, then renames. */
static enum nytp_code open_page(nytp_sink *s) {
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    s->page_fd = openat(s->fd, s->temporary, flags, 0600);
    if (s->page_fd < 0 && errno == EEXIST && !unlinkat(s->fd, s->temporary, 0))
        s->page_fd = openat(s->fd, s->temporary, flags, 0600);
    if (s->page_fd >= 0) (void)fchmod(s->page_fd, s->mode); /* some file systems have one mode for all files */
    return s->page_fd < 0 ? nytp_error_sys(&s->error, "cannot write to %s", s->path) : NYTP_OK;
}

static int close_page(nytp_sink *s) {
    if (close(s->page_fd) && !s->error.code) refuse(s, "write", s->page);
    s->page_fd = -1;
    if (!s->error.code && renameat(s->fd, s->temporary, s->fd, s->file ? s->file : s->page))
        refuse(s, "name", s->page);
    if (s->error.code) unlinkat(s->fd, s->temporary, 0);
    return s->error.code;
}

static int keep_page(nytp_sink *s) {
    page *kept = s->bytes.failed ? NULL : nytp_arena_get(&s->arena, sizeof *kept);
    if (kept) {
        kept->name = nytp_arena_str(&s->arena, nytp_str_c(s->page));
        kept->bytes = nytp_arena_str(&s->arena, (nytp_str){(const char *)s->bytes.p, s->bytes.n});
    }
    nytp_buf_clear(&s->bytes);
    if (!kept || !kept->name.p || !kept->bytes.p) return nytp_error_set(&s->error, NYTP_NOMEM, "out of memory");
    kept->next = s->pages;
    s->pages = kept;
    return NYTP_OK;
}

static int is_listed(const void *of, uint32_t number, const void *name) {
    const nytp_buf *names = of;
    nytp_str known = {(const char *)names->p + (number - 1), names->n - (number - 1)};
    nytp_str like = *(const nytp_str *)name;
    return nytp_str_starts(known, like) && known.n > like.n && known.p[like.n] == '\n';
}

/* Lists a page once, however often it is written. */
static void list_page(nytp_sink *s, nytp_str name) {
    uint32_t *listed = nytp_table_at(&s->listed, nytp_str_hash(name), is_listed, &s->names, &name);
    if (listed && *listed) return;
    if (listed) *listed = 1 + (uint32_t)s->names.n;
    nytp_buf_bytes(&s->names, name.p, name.n);
    nytp_buf_byte(&s->names, '\n');
    if (!listed || s->names.failed) nytp_error_set(&s->error, NYTP_NOMEM, "out of memory");
}

int nytp_sink_begin(nytp_sink *s, nytp_str name) {
    if (s->error.code) return s->error.code;
    if (!is_plain(name)) return nytp_error_set(&s->error, NYTP_USAGE, "a page must have a plain name");
    memcpy(s->page, name.p, name.n);
    s->page[name.n] = '\0';
    if (!s->path || s->is_stream) return NYTP_OK;
    if (!s->file) list_page(s, name);
    if (s->error.code) return s->error.code;
    return open_page(s);
}

/* Whole characters only; the rest waits for the next piece. */
static int show(nytp_sink *s, const void *bytes, size_t n, int is_last) {
    nytp_buf shown = {0}, all = s->cut;
    s->cut = (nytp_buf){0};
    nytp_buf_bytes(&all, bytes, n);
    size_t cut = is_last || all.failed ? 0 : nytp_utf8_cut((const char *)all.p, all.n);
    nytp_escape_terminal(&shown, (nytp_str){(const char *)all.p, all.n - cut}, s->has_colors);
    if (cut) nytp_buf_bytes(&s->cut, all.p + all.n - cut, cut);
    nytp_buf_done(&all, &shown);
    if (shown.failed || s->cut.failed) nytp_error_set(&s->error, NYTP_NOMEM, "out of memory");
    else if (write_all(s->fd, (const char *)shown.p, shown.n)) refuse(s, "write", s->page);
    nytp_buf_free(&shown);
    return s->error.code;
}

static int add(nytp_sink *s, const void *bytes, size_t n) {
    if (s->error.code) return s->error.code;
    if (s->is_terminal) return show(s, bytes, n, 0);
    if (!s->path) nytp_buf_bytes(&s->bytes, bytes, n);
    else if (write_all(s->is_stream ? s->fd : s->page_fd, bytes, n)) return refuse(s, "write", s->page);
    return NYTP_OK;
}

int nytp_sink_drain(nytp_sink *s, nytp_buf *out, size_t least) {
    if (out->failed && !s->error.code) nytp_error_set(&s->error, NYTP_NOMEM, "out of memory");
    if (s->error.code || out->n < least) return s->error.code;
    add(s, out->p, out->n);
    nytp_buf_clear(out);
    return s->error.code;
}

int nytp_sink_end(nytp_sink *s) {
    if (s->page_fd >= 0) return close_page(s);
    if (s->is_terminal && !s->error.code) return show(s, NULL, 0, 1);
    if (!s->path && !s->error.code) keep_page(s);
    return s->error.code;
}

int nytp_sink_finish(nytp_sink *s, nytp_buf *out, int code) {
    if (code) out->failed = 1;
    nytp_sink_drain(s, out, 0);
    nytp_buf_free(out);
    return nytp_sink_end(s);
}

int nytp_sink_put(nytp_sink *s, nytp_str name, const void *bytes, size_t n) {
    nytp_sink_begin(s, name);
    add(s, bytes, n);
    return nytp_sink_end(s);
}

int nytp_sink_fail(nytp_sink *s, const char *text) {
    return nytp_error_set(&s->error, NYTP_USAGE, "%s", text);
}

void nytp_sink_has_colors(nytp_sink *s) { s->has_colors = 1; }

nytp_str nytp_sink_page(const nytp_sink *s, nytp_str name) {
    for (const page *i = s->pages; i; i = i->next)
        if (nytp_str_eq(i->name, name)) return i->bytes;
    return (nytp_str){NULL, 0};
}

/* Reads the marker, as far as possible. */
static void read_marker(nytp_sink *s, nytp_buf *out) {
    int fd = openat(s->fd, NYTP_SINK_MARKER, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t got = 1;
    while (fd >= 0 && got > 0) {
        unsigned char *room = nytp_buf_room(out, 4096);
        got = room ? read(fd, room, 4096) : 0;
        if (got > 0) out->n += (size_t)got;
    }
    if (fd >= 0) close(fd);
}

/* For each page that the marker names. */
static void take_listed(nytp_sink *s, void (*take)(nytp_sink *, nytp_str name)) {
    nytp_buf names = {0};
    read_marker(s, &names);
    if (names.failed) nytp_error_set(&s->error, NYTP_NOMEM, "out of memory");
    for (size_t at = 0; at < names.n;) {
        const unsigned char *newline = memchr(names.p + at, '\n', names.n - at);
        if (!newline) break;
        nytp_str name = {(const char *)names.p + at, (size_t)(newline - names.p) - at};
        if (is_plain(name)) take(s, name);
        at += name.n + 1;
    }
    nytp_buf_free(&names);
}

static void delete_page(nytp_sink *s, nytp_str name) {
    char text[256] = "";
    memcpy(text, name.p, name.n);
    unlinkat(s->fd, text, 0);
}

static int open_directory(nytp_sink *s, nytp_error *e) {
    struct stat st;
    int is_new = mkdir(s->path, 0700) == 0;
    if (!is_new && errno != EEXIST) return nytp_error_sys(e, "cannot make directory %s", s->path);
    if (!stat(s->path, &st) && !S_ISDIR(st.st_mode))
        return nytp_error_set(e, NYTP_USAGE, "%s is a file, not a directory to write a report to", s->path);
    s->fd = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->fd < 0) return nytp_error_sys(e, "cannot open directory %s", s->path);
    if (is_new) (void)fchmod(s->fd, 0700 | s->mode | (s->mode & 0444) >> 2);
    if (faccessat(s->fd, ".", W_OK | X_OK, 0)) return nytp_error_sys(e, "cannot write to directory %s", s->path);
    return NYTP_OK;
}

static nytp_sink *create(uint32_t mode, nytp_error *e) {
    nytp_sink *s = calloc(1, sizeof *s);
    if (!s) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else {
        s->fd = s->page_fd = -1;
        s->mode = mode;
        snprintf(s->temporary, sizeof s->temporary, ".nytprof-page-%ld", (long)getpid());
    }
    return s;
}

static void destroy(nytp_sink *s) {
    if (s->fd > STDOUT_FILENO) close(s->fd);
    nytp_buf_free(&s->bytes);
    nytp_buf_free(&s->cut);
    nytp_buf_free(&s->names);
    nytp_table_free(&s->listed);
    nytp_arena_free(&s->arena);
    free(s->path);
    free(s);
}

nytp_sink *nytp_sink_memory(nytp_error *e) {
    return create(0, e);
}

nytp_sink *nytp_sink_directory(const char *path, int empty, uint32_t mode, nytp_error *e) {
    nytp_sink *s = create(mode, e);
    if (!s) return NULL;
    s->path = strdup(path);
    if (!s->path) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!s->path || open_directory(s, e)) {
        destroy(s);
        return NULL;
    }
    take_listed(s, empty ? delete_page : list_page); /* pages not deleted now may be deleted later */
    if (empty) unlinkat(s->fd, NYTP_SINK_MARKER, 0);
    return s;
}

/* A path that is no regular file is written to directly; a regular file is replaced. */
static int open_file(nytp_sink *s, nytp_error *e) {
    char *slash = strrchr(s->path, '/'), *directory = slash ? strndup(s->path, (size_t)(slash - s->path) + 1) : NULL;
    struct stat st;
    if (slash && !directory) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    s->file = slash ? slash + 1 : s->path;
    int there = stat(s->path, &st) == 0;
    if (strcmp(s->path, "-") == 0) {
        s->is_stream = 1;
        s->fd = STDOUT_FILENO;
    } else if (there && S_ISDIR(st.st_mode)) {
        nytp_error_set(e, NYTP_USAGE, "%s is a directory, not a file to write to", s->path);
    } else if (there && !S_ISREG(st.st_mode)) {
        s->is_stream = 1;
        s->fd = open(s->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
        s->fd = open(directory ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (!e->code && s->fd < 0) nytp_error_sys(e, "cannot write %s", s->path);
    free(directory);
    s->is_terminal = s->is_stream && s->fd >= 0 && isatty(s->fd);
    return e->code;
}

nytp_sink *nytp_sink_file(const char *path, uint32_t mode, nytp_error *e) {
    nytp_sink *s = create(mode, e);
    if (!s) return NULL;
    s->path = strdup(path);
    if (s->path && !open_file(s, e)) return s;
    if (!s->path) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    destroy(s);
    return NULL;
}

/* Written also after a failure, as it lists the pages written so far. */
static void put_marker(nytp_sink *s) {
    nytp_error first = s->error;
    s->error = (nytp_error){0};
    memcpy(s->page, NYTP_SINK_MARKER, sizeof NYTP_SINK_MARKER);
    if (!open_page(s)) {
        add(s, s->names.p, s->names.n);
        close_page(s);
    }
    if (first.code) s->error = first;
}

int nytp_sink_close(nytp_sink *s, nytp_error *e) {
    if (!s) return NYTP_OK;
    if (s->names.n) put_marker(s);
    int code = s->error.code;
    if (e && code) *e = s->error;
    destroy(s);
    return code;
}
