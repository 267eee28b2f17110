/* SPDX-License-Identifier: MIT */
/* disk.c - the text of a plain file, as it was when the file was met: read at that time, kept until written.
 *
 * A text can be written once its file is compiled, when its end is known. It is written at once: the texts of a
 * starting program, kept until the next window, would fill megabytes. */
#include "perl/body.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/sha256.h"
#include "record/files.h"
#include "record/output.h"

static int is_same_time(const Stat_t *a, const Stat_t *b) {
#if defined(__linux__)
    if (a->st_mtim.tv_nsec != b->st_mtim.tv_nsec || a->st_ctim.tv_nsec != b->st_ctim.tv_nsec) return 0;
#endif
    return a->st_mtime == b->st_mtime && a->st_ctime == b->st_ctime;
}

static int is_same(const Stat_t *a, const Stat_t *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && is_same_time(a, b);
}

/* 0 if the file changed, before or while it was read. */
static int read_unchanged(int fd, const Stat_t *identity, nytp_buf *text) {
    Stat_t now;
    size_t size = (size_t)identity->st_size, start = text->n;
    if (fstat(fd, &now) || !is_same(&now, identity)) return 0;
    unsigned char *room = size ? nytp_buf_room(text, size) : NULL;
    for (ssize_t got = 1; room && got > 0 && text->n < start + size; text->n += got > 0 ? (size_t)got : 0)
        got = read(fd, text->p + text->n, start + size - text->n);
    int whole = room && text->n == start + size && fstat(fd, &now) == 0 && is_same(&now, identity);
    if (!whole) text->n = start;
    return whole;
}

static int read_file(const nytp_live_file *file, const nytp_unit *u, nytp_buf *text) {
    char path[4096];
    my_snprintf(path, sizeof path, "%.*s%s", (int)file->name.n, file->name.p, file->flags & NYTP_FILE_PMC ? "c" : "");
    int fd = file->name.n + 2 < sizeof path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    int whole = read_unchanged(fd, &u->identity, text);
    close(fd);
    return whole;
}

/* Larger files, which have data behind __END__, are read for the window only. */
#define MOST_TAKEN (1 << 20)

#if defined(__linux__)
#define NS_OF(st, field) ((long long)(st)->field##im.tv_nsec)
#else
#define NS_OF(st, field) 0LL
#endif

/* Seconds within which a file may be changed again and look the same: file systems have coarse clocks. */
#define UNSETTLED 2

static void set_key(const nytp_live_file *file, nytp_unit *u) {
    const Stat_t *st = &u->identity;
    nytp_buf all = {0};
    char numbers[160];
    my_snprintf(numbers, sizeof numbers, "%llu %llu %lld %lld.%lld %lld.%lld ", (unsigned long long)st->st_dev,
                (unsigned long long)st->st_ino, (long long)st->st_size, (long long)st->st_mtime, NS_OF(st, st_mt),
                (long long)st->st_ctime, NS_OF(st, st_ct));
    nytp_buf_bytes(&all, numbers, strlen(numbers));
    nytp_buf_bytes(&all, file->name.p, file->name.n);
    u->has_key = !all.failed && time(NULL) > st->st_ctime + UNSETTLED;
    if (u->has_key) nytp_sha256(all.p, all.n, u->key);
    nytp_buf_free(&all);
}

void nytp_perl_disk_tell(nytp_glue *g, const nytp_unit *u) {
    if (u->file && u->complete && !u->filtered) nytp_files_tell_source(&g->r, u->file);
}

/* Reads the text now, as the program may remove or replace the file. A text in the job's store need not be read. */
void nytp_perl_disk_take(nytp_glue *g, nytp_live_file *file, nytp_unit *u) {
    int saved = errno;
    nytp_buf_clear(&u->text);
    u->file = g->keeps_source && u->on_disk && !u->kept && u->identity.st_size <= MOST_TAKEN ? file : NULL;
    if (u->file && !nytp_unit_is_elsewhere(g, u)) {
        nytp_store *store = nytp_output_store(&g->r);
        if (store) set_key(file, u);
        if (!store || !u->has_key || !nytp_store_has(store, u->key)) read_file(file, u, &u->text);
        nytp_perl_disk_tell(g, u);
    }
    errno = saved;
}

/* Another process that has compiled all of the same file has found the same end of it. */
const unsigned char *nytp_perl_disk_key(void *glue, const nytp_live_file *file) {
    const nytp_unit *u = (const nytp_unit *)file->front;
    PERL_UNUSED_VAR(glue);
    return u && u->has_key && u->complete && !u->filtered ? u->key : NULL;
}

int nytp_perl_disk_read(const nytp_live_file *file, const nytp_unit *u, nytp_buf *text) {
    if (!u->text.n) return read_file(file, u, text);
    nytp_buf_bytes(text, u->text.p, u->text.n);
    return !text->failed;
}

/* The text read is used once; another output of this process reads the file again, if it is unchanged. */
int nytp_perl_disk_give(const nytp_live_file *file, nytp_unit *u, nytp_buf *text) {
    if (!u->text.n) return read_file(file, u, text);
    nytp_buf_free(text);
    *text = u->text;
    u->text = (nytp_buf){0};
    return 1;
}
