/* SPDX-License-Identifier: MIT */
/* peek.c - reading memory by way of pages: what is read is what is there, and what is not there is an answer. */
#define _GNU_SOURCE 1 /* MAP_ANONYMOUS. NOLINT(bugprone-reserved-identifier): that is its name */
#include "sample/peek.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

enum { PAGE = NYTP_PEEK_PAGE, PAGES = NYTP_PEEK_PAGES + 2 }; /* the last one is not there */

static uint64_t address(const void *p) { return (uint64_t)(uintptr_t)p; }

static void check(const nytp_peek *p, const unsigned char *memory) {
    nytp_peek_pages pages;
    unsigned char got[PAGE];
    uint32_t wrong = 0;
    pages.n = 0;
    for (size_t at = 0; at + 40 <= (PAGES - 1) * (size_t)PAGE; at += 13)
        wrong += !nytp_peek_near(p, &pages, address(memory + at), got, 40) || memcmp(got, memory + at, 40) != 0;
    is(wrong, 0, "pieces in pages and across their borders");
    ok(nytp_peek_near(p, &pages, address(memory + (PAGES - 1) * PAGE - 8), got, 8), "up to the last byte");
    ok(!nytp_peek_near(p, &pages, address(memory + (PAGES - 1) * PAGE - 8), got, 9), "but not beyond it");
    ok(!nytp_peek_near(p, &pages, address(memory + (PAGES - 1) * PAGE), got, 8), "nor what is not there");
    ok(!nytp_peek_near(p, &pages, 0, got, 8) && !nytp_peek_near(p, &pages, 8, got, 8), "nor at NULL or near it");
    ok(nytp_peek_near(p, &pages, address(memory), got, 8) && !memcmp(got, memory, 8), "after that it goes on");
}

static void check_age(const nytp_peek *p, unsigned char *memory) {
    nytp_peek_pages pages;
    unsigned char got;
    pages.n = 0;
    nytp_peek_near(p, &pages, address(memory), &got, 1);
    memory[1] ^= 1;
    ok(nytp_peek_near(p, &pages, address(memory + 1), &got, 1) && got != memory[1], "bytes are as old as the page");
    for (size_t i = 1; i < NYTP_PEEK_PAGES; i++) nytp_peek_near(p, &pages, address(memory + i * PAGE), &got, 1);
    nytp_peek_near(p, &pages, address(memory + 1), &got, 1);
    ok(got != memory[1] && pages.n == NYTP_PEEK_PAGES, "while others are read, too");
    nytp_peek_near(p, &pages, address(memory + NYTP_PEEK_PAGES * (size_t)PAGE), &got, 1);
    ok(nytp_peek_near(p, &pages, address(memory + 1), &got, 1) && got == memory[1], "until one takes its place");
}

int main(void) {
    nytp_error e = {0};
    nytp_peek p;
    size_t all = PAGES * (size_t)PAGE;
    unsigned char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || munmap(memory + (PAGES - 1) * PAGE, PAGE)) return 1;
    for (size_t i = 0; i < (PAGES - 1) * (size_t)PAGE; i++) memory[i] = (unsigned char)(i * 31 + i / 251);
    is(nytp_peek_open(&p, getpid(), address(memory), &e), 0, "this process can be read");
    check_age(&p, memory);
    p.is_own = 0; /* as another process: valgrind takes a wrong address of this one for a fault of ours */
    check(&p, memory);
    p.by_file = 1;
    check(&p, memory);
    return done();
}
