/* SPDX-License-Identifier: MIT */
/* store.c - the file beside the captures of a job that has their common source. */
#include "capture/store.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/scan.h"
#include "capture/writer.h"

#define BIGGEST (256 << 20) /* bytes; a larger store is not used */

/* ---- the handle ---- */

/* The program may change its directory. */
static int could_make_absolute(nytp_buf *to, const char *path) {
    char here[PATH_MAX];
    if (*path != '/') {
        if (!getcwd(here, sizeof here)) return 0;
        nytp_buf_bytes(to, here, strlen(here));
        nytp_buf_byte(to, '/');
    }
    nytp_buf_bytes(to, path, strlen(path) + 1);
    return !to->failed;
}

enum nytp_code nytp_store_open(nytp_store *s, const char *path, int level) {
    nytp_buf absolute = {0};
    nytp_store_close(s);
    if (!could_make_absolute(&absolute, path)) {
        nytp_buf_free(&absolute);
        return NYTP_NOMEM;
    }
    s->path = (char *)absolute.p;
    s->level = level;
    return NYTP_OK;
}

nytp_str nytp_store_name(const nytp_store *s) { return nytp_str_c(strrchr(s->path, '/') + 1); }

void nytp_store_close(nytp_store *s) {
    free(s->path);
    nytp_map_free(&s->keys);
    *s = (nytp_store){0};
}

/* ---- keys ---- */

uint64_t nytp_store_number(nytp_str key) {
    nytp_cursor c = {(const unsigned char *)key.p, (const unsigned char *)key.p + key.n, 0};
    return key.n == NYTP_STORE_KEY ? nytp_cursor_le(&c, 8) : 0;
}

static uint64_t number_of(const unsigned char key[NYTP_STORE_KEY]) {
    return nytp_store_number((nytp_str){(const char *)key, NYTP_STORE_KEY});
}

/* ---- the file ---- */

/* Opens a regular file of this user that has this name only. */
static int open_file(const nytp_store *s, int flags, struct stat *st) {
    int fd = open(s->path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    int is_ours = fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid() && st->st_nlink == 1;
    if (is_ours && st->st_size <= BIGGEST) return fd;
    close(fd);
    return -1;
}

/* A chunk that is damaged, or has not been written to its end, is passed over. */
static void note_keys(nytp_store *s, nytp_scan *scan, uint64_t from) {
    for (enum nytp_scan_found found; (found = nytp_scan_next(scan)) != NYTP_SCAN_END && found != NYTP_SCAN_ERROR;) {
        uint32_t *has = NULL;
        if (found != NYTP_SCAN_CHUNK || scan->chunk.stream.front_end != NYTP_FRONT_STORE) continue;
        has = nytp_map_at(&s->keys, (uint64_t)scan->chunk.start);
        if (has) *has = 1;
        s->seen = from + nytp_bytes_offset(&scan->bytes) + NYTP_FORMAT_CHUNK_HEAD + scan->chunk.stored;
    }
}

static int is_seen(const nytp_store *s, const struct stat *st) {
    return s->seen && (uint64_t)st->st_dev == s->device && (uint64_t)st->st_ino == s->inode &&
           (uint64_t)st->st_size >= s->seen;
}

/* The file was removed or replaced: forgets its keys. */
static void forget(nytp_store *s) {
    nytp_map_free(&s->keys);
    s->seen = 0;
}

/* Reads the keys that processes have appended since the last time. */
static void look_up(nytp_store *s) {
    struct stat st;
    nytp_bytes bytes;
    nytp_scan scan;
    int fd = open_file(s, O_RDONLY, &st);
    if (fd < 0 || !is_seen(s, &st)) forget(s);
    if (fd < 0) return;
    uint64_t from = s->seen;
    s->device = (uint64_t)st.st_dev;
    s->inode = (uint64_t)st.st_ino;
    if ((uint64_t)st.st_size <= from || lseek(fd, (off_t)from, SEEK_SET) < 0) {
        close(fd);
        return;
    }
    nytp_bytes_from(&bytes, s->path, fd);
    nytp_scan_open(&scan, &bytes);
    note_keys(s, &scan, from);
    nytp_scan_close(&scan);
    if (s->seen < (uint64_t)st.st_size) s->seen = (uint64_t)st.st_size; /* damage is not read again */
}

int nytp_store_has(nytp_store *s, const unsigned char key[NYTP_STORE_KEY]) {
    struct stat st;
    int saved = errno;
    if (!s->path || s->failed) return 0;
    if (lstat(s->path, &st) || !is_seen(s, &st)) look_up(s);
    errno = saved;
    return nytp_map_get(&s->keys, number_of(key)) != 0;
}

/* ---- putting ---- */

/* The chunk has no process and no time: its window holds the beginning of the key. */
static int could_append(const nytp_store *s, int fd, nytp_str key, nytp_str text) {
    static const nytp_stream_id nobody = {.front_end = NYTP_FRONT_STORE};
    const nytp_record record = {.kind = NYTP_REC_TEXT, .u.text = {key, text}};
    nytp_writer *w = nytp_writer_open(fd, &nobody, s->level);
    if (!w) {
        close(fd);
        return 0;
    }
    nytp_writer_shares(w);
    nytp_writer_put(w, &record);
    nytp_writer_chunk(w, (int64_t)nytp_store_number(key), 0);
    return nytp_writer_close(w) == NYTP_OK;
}

int nytp_store_put(nytp_store *s, const unsigned char key[NYTP_STORE_KEY], nytp_str text) {
    struct stat st;
    int saved = errno;
    if (!s->path || s->failed) return 0;
    look_up(s);
    uint32_t *has = nytp_map_at(&s->keys, number_of(key));
    if (has && !*has) {
        int fd = open_file(s, O_WRONLY | O_APPEND | O_CREAT, &st);
        if (fd >= 0 && could_append(s, fd, (nytp_str){(const char *)key, NYTP_STORE_KEY}, text)) *has = 1;
        else s->failed = 1;
    }
    errno = saved;
    return has && *has;
}

/* ---- a new job ---- */

/* NAME.PID, NAME.PID.SECONDS, NAME.1 */
static int is_other(const char *entry, nytp_str name) {
    nytp_str e = nytp_str_c(entry);
    return nytp_str_starts(e, name) && e.n > name.n && strspn(entry + name.n, ".0123456789") == e.n - name.n;
}

/* 1 if there are other captures of that name, or if that is not known. */
static int are_others_there(const char *path) {
    const char *slash = strrchr(path, '/');
    nytp_str store = nytp_str_c(slash ? slash + 1 : path);
    assert(nytp_str_ends(store, NYTP_LIT(NYTP_STORE_SUFFIX)));
    nytp_str name = {store.p, store.n - strlen(NYTP_STORE_SUFFIX)};
    char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    DIR *all = directory ? opendir(directory) : NULL;
    int found = !all;
    for (struct dirent *entry; !found && (entry = readdir(all));) found = is_other(entry->d_name, name);
    if (all) closedir(all);
    free(directory);
    return found;
}

void nytp_store_renew(const char *path) {
    struct stat st;
    int saved = errno;
    int is_ours = lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid();
    if (is_ours && !are_others_there(path)) unlink(path);
    errno = saved;
}
