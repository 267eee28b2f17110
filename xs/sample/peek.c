/* SPDX-License-Identifier: MIT */
/* peek.c - process_vm_readv, or /proc/PID/task/PID/mem where a container's rules filter that call. */
#define _GNU_SOURCE 1 /* process_vm_readv. NOLINT(bugprone-reserved-identifier): that is its name */
#include "sample/peek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void *address(uint64_t at) { return (void *)(uintptr_t)at; }

static ssize_t read_file(const nytp_peek *p, uint64_t at, void *to, size_t n) {
    nytp_kept once = {0};
    ssize_t got = nytp_kept_bytes(p->file ? p->file : &once, p->pid, p->pid, "mem", to, n, (off_t)at);
    nytp_kept_close(&once);
    return got;
}

/* The system pins and maps the pages on the other side of the call, for each piece anew. So this process writes to
 * itself, where that side is one buffer: pieces are then copied one right after the other, and a wrong address is
 * EFAULT as ever. Not by the C library's function, as sanitizers take what it is given for reads of this program. */
static ssize_t copy(const nytp_peek *p, const struct iovec *pieces, size_t n, void *to, size_t size) {
    struct iovec all = {to, size};
    return (ssize_t)syscall(SYS_process_vm_writev, (long)p->pid, pieces, n, &all, 1UL, 0UL);
}

/* As many pieces as the system reads in one go. An address that no process can have fails a copy as a whole. */
static ssize_t read_some(const nytp_peek *p, const uint64_t *at, size_t n, unsigned char *to, size_t size) {
    struct iovec ours[NYTP_PEEK_PIECES], theirs[NYTP_PEEK_PIECES];
    if (p->by_file) return read_file(p, at[0], to, size);
    for (size_t i = 0; i < n; i++) {
        ours[i] = (struct iovec){to + i * size, size};
        theirs[i] = (struct iovec){address(at[i]), size};
    }
    ssize_t got = p->is_own ? copy(p, theirs, n, to, n * size) : -1;
    return got > 0 ? got : process_vm_readv(p->pid, ours, n, theirs, n, 0);
}

void nytp_peek_pieces(const nytp_peek *p, const uint64_t *at, size_t n, void *to, size_t size) {
    unsigned char *out = to;
    for (size_t done = 0; done < n;) {
        ssize_t got = read_some(p, at + done, n - done, out + done * size, size);
        done += got > 0 ? (size_t)got / size : 0;
        if (done == n || (got > 0 && (size_t)got % size == 0)) continue;
        memset(out + done * size, 0, size); /* this one is not there, or not as a whole */
        done++;
    }
}

int nytp_peek_at(const nytp_peek *p, uint64_t at, void *to, size_t n) {
    return at && read_some(p, &at, 1, to, n) == (ssize_t)n;
}

/* Also of this process as if it were another one: tools that check its memory see no read of what it has freed. */
static int read_page(const nytp_peek *p, uint64_t at, unsigned char *to) {
    struct iovec ours = {to, NYTP_PEEK_PAGE}, theirs = {address(at), NYTP_PEEK_PAGE};
    ssize_t got = p->by_file ? read_file(p, at, to, NYTP_PEEK_PAGE)
                             : process_vm_readv(p->pid, &ours, 1, &theirs, 1, 0);
    return got == NYTP_PEEK_PAGE;
}

/* NULL: it cannot be read. */
static const unsigned char *page_at(const nytp_peek *p, nytp_peek_pages *pages, uint64_t at) {
    for (uint32_t i = 0; i < pages->n && i < NYTP_PEEK_PAGES; i++)
        if (pages->at[i] == at) return pages->bytes[i];
    uint32_t i = (uint32_t)(pages->n++ % NYTP_PEEK_PAGES);
    pages->at[i] = read_page(p, at, pages->bytes[i]) ? at : 0;
    return pages->at[i] ? pages->bytes[i] : NULL;
}

int nytp_peek_near(const nytp_peek *p, nytp_peek_pages *pages, uint64_t at, void *to, size_t n) {
    uint64_t in_page = at % NYTP_PEEK_PAGE;
    const unsigned char *page = NULL;
    if (at > in_page && in_page + n <= NYTP_PEEK_PAGE) page = page_at(p, pages, at - in_page);
    if (!page) return nytp_peek_at(p, at, to, n);
    memcpy(to, page + in_page, n);
    return 1;
}

/* By way of a buffer: 1 if all n bytes were there, which fit. */
static int copy_together(const nytp_peek *p, const nytp_peek_piece *pieces, const struct iovec *theirs, size_t n,
                         size_t all) {
    unsigned char buffer[NYTP_PEEK_BYTES], *from = buffer;
    if (!p->is_own || all > sizeof buffer || copy(p, theirs, n, buffer, all) != (ssize_t)all) return 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(pieces[i].to, from, pieces[i].n);
        from += pieces[i].n;
    }
    return 1;
}

int nytp_peek_together(const nytp_peek *p, const nytp_peek_piece *pieces, size_t n) {
    struct iovec ours[NYTP_PEEK_TOGETHER], theirs[NYTP_PEEK_TOGETHER];
    size_t all = 0;
    for (size_t i = 0; i < n; i++) {
        if (p->by_file && !nytp_peek_at(p, pieces[i].at, pieces[i].to, pieces[i].n)) return 0;
        ours[i] = (struct iovec){pieces[i].to, pieces[i].n};
        theirs[i] = (struct iovec){address(pieces[i].at), pieces[i].n};
        all += pieces[i].n;
    }
    if (p->by_file || copy_together(p, pieces, theirs, n, all)) return 1;
    return process_vm_readv(p->pid, ours, n, theirs, n, 0) == (ssize_t)all;
}

void nytp_peek_close(nytp_peek *p) {
    if (p->file) nytp_kept_close(p->file);
    free(p->file);
    *p = (nytp_peek){0};
}

int nytp_peek_open(nytp_peek *p, pid_t pid, uint64_t probe, nytp_error *e) {
    uint64_t word;
    *p = (nytp_peek){.pid = pid, .is_own = pid == getpid()};
    if (nytp_peek_at(p, probe, &word, sizeof word)) return NYTP_OK;
    int reason = errno;
    p->by_file = 1;
    p->file = calloc(1, sizeof *p->file);
    if (nytp_peek_at(p, probe, &word, sizeof word)) return NYTP_OK;
    nytp_peek_close(p);
    errno = reason;
    return nytp_error_sys(e, "cannot read the memory of process %ld", (long)pid);
}
