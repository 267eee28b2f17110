/* source.c - source that a capture does not hold, read from the disk. */
#include "model/source.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "model/grow.h"

#define BIGGEST (64 << 20) /* bytes; a larger file is no source */

/* A plain file's bytes. A device or a pipe might never end. */
static int read_file(const char *path, nytp_buf *out) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return 0;
    int good = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= BIGGEST;
    for (ssize_t got = 1; good && got > 0;) {
        unsigned char *room = nytp_buf_room(out, 1 << 16);
        got = room ? read(fd, room, 1 << 16) : -1;
        if (got > 0) out->n += (size_t)got;
        good = got >= 0 && out->n <= BIGGEST;
    }
    close(fd);
    return good;
}

static int take_lines(nytp_profile *p, nytp_file *f, const nytp_buf *bytes) {
    nytp_str text = nytp_arena_str(&p->arena, (nytp_str){(const char *)bytes->p, bytes->n});
    if (!text.p) return NYTP_NOMEM;
    for (size_t at = 0, end; at < text.n; at = end) {
        const char *newline = memchr(text.p + at, '\n', text.n - at);
        end = newline ? (size_t)(newline - text.p) + 1 : text.n;
        nytp_str *line = nytp_grow(&p->arena, &f->source, f->source_lines, &f->source_room, sizeof *line);
        if (!line) return NYTP_NOMEM;
        *line = (nytp_str){text.p + at, end - at};
        f->source_lines++;
    }
    f->from_disk = f->source_lines != 0;
    return NYTP_OK;
}

int nytp_source_find(nytp_profile *p) {
    int code = NYTP_OK;
    for (uint32_t i = 1; i < p->files_n && !code; i++) {
        nytp_file *f = &p->files[i];
        if (f->source_lines || f->parent || f->flags & NYTP_FILE_FAKE || !nytp_profile_file_used(f)) continue;
        nytp_buf bytes = {0};
        if (read_file(f->name.p, &bytes)) code = take_lines(p, f, &bytes);
        nytp_buf_free(&bytes);
    }
    return code;
}
