/* SPDX-License-Identifier: MIT */
/* contents.c - the text of files of source. */
#include "record/contents.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/high.h"

#define PIECE (16u << 10)

/* No buffer on the stack: a fiber's is small. */
void nytp_contents_read(const nytp_live_file *f, nytp_buf *text) {
    int fd = nytp_high_move(open(f->path ? f->path : f->name.p, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    ssize_t got = fd < 0 ? 0 : 1;
    while (got > 0 && nytp_buf_room(text, PIECE)) {
        got = read(fd, text->p + text->n, PIECE);
        if (got > 0) text->n += (size_t)got;
    }
    if (fd >= 0) close(fd);
}

uint32_t nytp_contents_of(const nytp_live_file *file, nytp_buf *text) {
    if (file->source_lines) return 0;
    if (file->text.n) nytp_buf_bytes(text, file->text.p, file->text.n);
    else if (file->taken.n) nytp_buf_bytes(text, file->taken.p, file->taken.n);
    else if (file->size) nytp_contents_read(file, text);
    nytp_str all = {(const char *)text->p, text->n};
    return (uint32_t)nytp_str_count(all, '\n') + (all.n && all.p[all.n - 1] != '\n');
}
