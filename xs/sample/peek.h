/* SPDX-License-Identifier: MIT */
/* peek.h - reads the memory of a process, its own or another one: a wrong address is an answer and not a crash. */
#ifndef NYTP_SAMPLE_PEEK_H
#define NYTP_SAMPLE_PEEK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "sample/kept.h"

typedef struct nytp_peek {
    pid_t pid;   /* may be set: to that of a forked child, in the child */
    int by_file; /* 1: the system refuses process_vm_readv, as in some containers; the process's file mem is read */
    int is_own;  /* 1: of this process: the system copies what it has at its own addresses, piece by piece at once */
    nytp_kept *file; /* that file, owned; NULL: it is opened each time */
} nytp_peek;

/* Finds out which way works, by eight bytes at an address that is there. An nytp_code: NYTP_IO with the reason. */
int nytp_peek_open(nytp_peek *p, pid_t pid, uint64_t probe, nytp_error *e);

/* Nothing is to be read any more. All zero is closed, too. */
void nytp_peek_close(nytp_peek *p);

/* 1 if all n bytes could be read. */
int nytp_peek_at(const nytp_peek *p, uint64_t at, void *to, size_t n);

/* The same by way of the latest pages, each of which is read as a whole: for lists and trees, whose members are in a
 * few pages in turns, as a system call takes microseconds in many virtual machines. Bytes are as old as their page. */
#define NYTP_PEEK_PAGE 4096
#define NYTP_PEEK_PAGES 4u
typedef struct nytp_peek_pages {
    uint64_t n; /* pages read so far, page i into bytes[i % NYTP_PEEK_PAGES]; the rest may be anything while it is 0 */
    uint64_t at[NYTP_PEEK_PAGES]; /* 0: it could not be read */
    unsigned char bytes[NYTP_PEEK_PAGES][NYTP_PEEK_PAGE];
} nytp_peek_pages;
int nytp_peek_near(const nytp_peek *p, nytp_peek_pages *pages, uint64_t at, void *to, size_t n);

/* Pieces of memory, read at the same time as far as that is possible: between two of them the program runs on for some
 * hundred nanoseconds. 1 if all could be read. */
typedef struct nytp_peek_piece {
    uint64_t at;
    void *to;
    size_t n;
} nytp_peek_piece;
#define NYTP_PEEK_TOGETHER 8
#define NYTP_PEEK_BYTES (32u << 10) /* of all of them, to be read at once */
int nytp_peek_together(const nytp_peek *p, const nytp_peek_piece *pieces, size_t n);

/* n pieces of that size, one after another in `to`; what cannot be read is zeros. At most NYTP_PEEK_PIECES. */
#define NYTP_PEEK_PIECES 512
void nytp_peek_pieces(const nytp_peek *p, const uint64_t *at, size_t n, void *to, size_t size);

/* A number or an address out of what was read. */
static inline uint32_t nytp_peek_u32(const void *from, uint32_t offset) {
    uint32_t v;
    __builtin_memcpy(&v, (const char *)from + offset, sizeof v);
    return v;
}

static inline uint64_t nytp_peek_pointer(const void *from, uint32_t offset) {
    uintptr_t v;
    __builtin_memcpy(&v, (const char *)from + offset, sizeof v);
    return v;
}

#endif
