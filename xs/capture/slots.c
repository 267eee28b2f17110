/* SPDX-License-Identifier: MIT */
/* slots.c - an area of a capture with two slots for drafts.
 *
 * Other processes may append to the file as well, so the area is looked for behind the size that the file had before it
 * was appended, and its first line is read before each draft: nothing else is ever overwritten. */
#include "capture/slots.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "capture/append.h"

#define LEAST 8 /* lines of a slot: an area takes two pages of memory */
#define PIECE ((size_t)64 << 10)

void nytp_slots_open(nytp_slots *s, const nytp_held *appended, nytp_held *second) {
    int saved = errno;
    *s = (nytp_slots){.file = NYTP_HELD_NONE};
    nytp_held_take_second(&s->file, appended);
    if (second && s->file.fd < 0) nytp_held_take(&s->file, nytp_held_duplicate(second));
    else if (second && second->fd < 0) nytp_held_take(second, nytp_held_duplicate(&s->file));
    errno = saved;
}

static uint32_t lines_for(size_t n) {
    size_t lines = (n + NYTP_SLOTS_BYTES - 1) / NYTP_SLOTS_BYTES;
    return lines < LEAST ? LEAST : (uint32_t)lines;
}

size_t nytp_slots_size(size_t n) {
    return sizeof((nytp_area *)0)->first + (size_t)lines_for(2 * n) * NYTP_SLOTS_LINE * 2;
}

size_t nytp_slots_fit(size_t size) {
    size_t first = sizeof((nytp_area *)0)->first, lines = size < first ? 0 : (size - first) / NYTP_SLOTS_LINE / 2;
    return lines * NYTP_SLOTS_BYTES / 2;
}

/* A line of base64; what is missing stands for zeros. */
static void put_line(nytp_buf *text, char slot, const unsigned char *p, size_t n) {
    const char head[] = {':', slot, '='};
    unsigned char line[NYTP_SLOTS_BYTES] = {0};
    if (n) memcpy(line, p, n);
    nytp_buf_bytes(text, head, sizeof head);
    nytp_base64_put(text, line, sizeof line);
    nytp_buf_byte(text, '\n');
}

void nytp_slots_reserve(nytp_slots *s, const nytp_stream_id *stream, size_t n, nytp_buf *block) {
    struct stat st;
    int saved = errno, is_known = fstat(s->file.fd, &st) == 0;
    errno = saved;
    if (!is_known) return;
    s->areas++;
    snprintf(s->area.first, sizeof s->area.first, NYTP_SLOTS_HEAD " %" PRIx64 ".%" PRIx32 ".%" PRIx32 ".%" PRIx32 "\n",
             stream->process_start, stream->pid, stream->thread, s->areas);
    s->area.lines = lines_for(2 * n);
    s->area.from = (uint64_t)st.st_size;
    s->area.at = 0;
    nytp_buf_bytes(block, s->area.first, strlen(s->area.first));
    for (const char *slot = "ab"; *slot; slot++)
        for (uint32_t i = 0; i < s->area.lines; i++) put_line(block, *slot, NULL, 0);
}

static int is_at(const nytp_slots *s, uint64_t at) {
    char line[sizeof s->area.first];
    size_t n = strlen(s->area.first);
    return pread(s->file.fd, line, n, (off_t)at) == (ssize_t)n && memcmp(line, s->area.first, n) == 0;
}

/* Pieces of the file overlap by a first line. */
static int could_find(nytp_slots *s) {
    size_t n = strlen(s->area.first), step = PIECE - n;
    nytp_buf_clear(&s->text);
    unsigned char *piece = nytp_buf_room(&s->text, PIECE);
    ssize_t got = piece ? pread(s->file.fd, piece, PIECE, (off_t)s->area.from) : -1;
    for (uint64_t from = s->area.from; got >= (ssize_t)n; got = pread(s->file.fd, piece, PIECE, (off_t)from)) {
        const unsigned char *found = piece, *end = piece + got - n + 1;
        while (found < end && (found = memchr(found, *s->area.first, (size_t)(end - found))) &&
               memcmp(found, s->area.first, n) != 0)
            found++;
        if (found && found < end) {
            s->area.at = from + (uint64_t)(found - piece);
            return 1;
        }
        from += step;
    }
    return 0;
}

static int could_write(nytp_slots *s, const unsigned char *p, size_t n) {
    char slot = s->area.next ? 'b' : 'a';
    uint64_t at = strlen(s->area.first) + (uint64_t)s->area.next * s->area.lines * NYTP_SLOTS_LINE;
    if (!nytp_held_find(&s->file) || !(s->area.at ? is_at(s, s->area.at) : could_find(s))) return 0;
    nytp_buf_clear(&s->text);
    for (size_t done = 0; done < n; done += NYTP_SLOTS_BYTES)
        put_line(&s->text, slot, p + done, n - done < NYTP_SLOTS_BYTES ? n - done : NYTP_SLOTS_BYTES);
    return !s->text.failed && nytp_append_overwrite(s->file.fd, s->text.p, s->text.n, s->area.at + at);
}

int nytp_slots_write(nytp_slots *s, const void *p, size_t n) {
    int saved = errno, is_written = 0;
    if (nytp_slots_have_room(s, n)) {
        is_written = could_write(s, p, n);
        if (!is_written) nytp_slots_close(s);
        s->area.next = !s->area.next;
    }
    errno = saved;
    return is_written;
}

void nytp_slots_turn(nytp_slots *s) {
    nytp_area last = s->area;
    s->area = s->other;
    s->other = last;
}

void nytp_slots_close(nytp_slots *s) {
    int saved = errno;
    nytp_held_drop(&s->file);
    nytp_buf_free(&s->text);
    errno = saved;
}
