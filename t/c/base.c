/* SPDX-License-Identifier: MIT */
/* The base: strings, errors, buffers and cursors, arena, map, chains, deflate and CRC. */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/buf.h"
#include "base/chain.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/map.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/zio.h"

static void strings(void) {
    nytp_str empty = {NULL, 0};

    ok(nytp_str_eq(nytp_str_c(NULL), empty), "no string is an empty one");
    ok(nytp_str_cmp(NYTP_LIT("ab"), NYTP_LIT("abc")) < 0, "a prefix sorts first");
    ok(nytp_str_cmp(NYTP_LIT("b"), NYTP_LIT("abc")) > 0 && nytp_str_cmp(NYTP_LIT("\xFF"), NYTP_LIT("a")) > 0,
       "order is that of unsigned bytes");
    ok(nytp_str_starts(NYTP_LIT("abc"), empty) && nytp_str_ends(NYTP_LIT("abc"), empty), "all hold empty at both ends");
    ok(nytp_str_ends(NYTP_LIT("x.pl"), NYTP_LIT(".pl")) && !nytp_str_ends(NYTP_LIT("pl"), NYTP_LIT(".pl")), "ends");
    ok(nytp_str_hash(NYTP_LIT("a")) == 0xAF63DC4C8601EC8Cu, "hashes are the same everywhere: FNV-1a of \"a\"");
    ok(nytp_str_quick_hash((nytp_str){"12345678\0", 9}) != nytp_str_quick_hash(NYTP_LIT("12345678")) &&
           nytp_str_quick_hash(NYTP_LIT("123456789")) != nytp_str_quick_hash(NYTP_LIT("12345678")),
       "quick hashes have every byte, and the length");
}

static void errors(void) {
    nytp_error e = {0};
    char longer[2 * NYTP_ERROR_TEXT];

    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    is(nytp_error_set(&e, NYTP_FORMAT, "bad %s", "a\nb"), NYTP_FORMAT, "set returns the code");
    ok(strcmp(e.text, "bad a?b") == 0, "a text is one line whatever is put into it");
    errno = ENOSPC;
    is(nytp_error_sys(&e, "later"), NYTP_FORMAT, "the first error stays");
    e = (nytp_error){0};
    nytp_error_sys(&e, "%s", "f");
    ok(e.code == NYTP_IO && e.sys == ENOSPC && strncmp(e.text, "f: ", 3) == 0 && e.text[3], "errno and its meaning");
    e = (nytp_error){0};
    nytp_error_set(&e, NYTP_USAGE, "%s", longer);
    is(strlen(e.text), NYTP_ERROR_TEXT - 1, "long texts are cut");
}

static int round_trips(uint64_t v) {
    nytp_buf b = {0};
    nytp_cursor c;
    int fine;

    nytp_buf_u(&b, v);
    nytp_buf_i(&b, (int64_t)v);
    nytp_buf_le(&b, v, 8);
    c = (nytp_cursor){b.p, b.p + b.n, 0};
    fine = nytp_cursor_u(&c) == v && nytp_cursor_i(&c) == (int64_t)v && nytp_cursor_le(&c, 8) == v;
    fine = fine && c.p == c.end && !c.failed;
    nytp_buf_free(&b);
    return fine;
}

static nytp_cursor over(const char *bytes, size_t n) {
    const unsigned char *p = (const unsigned char *)bytes;

    return (nytp_cursor){p, p + n, 0};
}

static void varints(void) {
    nytp_buf b = {0};
    nytp_cursor c;
    int fine = 1;

    for (int bit = 0; bit < 64; bit++)
        for (int64_t off = -1; off <= 1; off++) fine &= round_trips(((uint64_t)1 << bit) + (uint64_t)off);
    ok(fine, "numbers round about every power of two come back");
    nytp_buf_u(&b, UINT64_MAX);
    is(b.n, 10, "the largest number takes ten bytes");
    nytp_buf_free(&b);

    c = over("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10);
    ok(nytp_cursor_u(&c) == UINT64_MAX && !c.failed, "ten bytes are read");
    c = over("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10);
    ok(nytp_cursor_u(&c) == 0 && c.failed, "65 bits are refused");
    c = over("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11);
    ok(nytp_cursor_u(&c) == 0 && c.failed, "eleven bytes are refused");
    c = over("\x81\x80\x00", 3);
    ok(nytp_cursor_u(&c) == 1 && c.p == c.end && !c.failed, "needlessly long ones are read");
    c = over("\x80", 1);
    ok(nytp_cursor_u(&c) == 0 && c.failed && nytp_cursor_le(&c, 1) == 0, "one that is cut fails, and all after it");
    c = over("\x05" "abc", 4);
    ok(nytp_cursor_str(&c).n == 0 && c.failed, "a string longer than the rest fails");
    c = over("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01" "abc", 13);
    ok(nytp_cursor_str(&c).n == 0 && c.failed, "and so does one as long as memory");
    c = over("\x01\x02\x03\x04", 4);
    is(nytp_cursor_le(&c, 4), 0x04030201, "fixed numbers are little-endian on every machine");
}

static void buffers(void) {
    nytp_buf b = {0}, shown = {0};

    errno = 77;
    for (int i = 0; i < 100000; i++) nytp_buf_byte(&b, (unsigned char)i);
    ok(b.n == 100000 && b.p[99999] == (unsigned char)99999 && errno == 77, "a buffer grows and keeps errno");
    ok(nytp_buf_room(&b, SIZE_MAX / 2 + 1) == NULL && b.failed, "more than there is fails");
    nytp_buf_byte(&b, 1);
    ok(b.n == 100000 && errno == 77, "and stays so, quietly");
    nytp_buf_clear(&b);
    nytp_buf_bytes(&b, NULL, 0);
    ok(!b.failed && b.n == 0, "until cleared");
    nytp_buf_free(&b);
    nytp_buf_free(&b);
    ok(nytp_buf_room(&b, 0) != NULL, "room for nothing is no failure");
    nytp_buf_free(&b);

    nytp_buf_escaped(&shown, NYTP_LIT("a\\b\n\x7F\xE9~ "), SIZE_MAX);
    ok(nytp_str_eq((nytp_str){(char *)shown.p, shown.n}, NYTP_LIT("a\\x5Cb\\x0A\\x7F\\xE9~ ")), "escaping");
    nytp_buf_clear(&shown);
    nytp_buf_escaped(&shown, NYTP_LIT("abc\n"), 6);
    is(shown.n, 3, "never cuts an escape in two");
    nytp_buf_free(&shown);
}

/* Two blocks grow in turns from nothing to megabytes, with small blocks between them. */
static void growing_blocks(void) {
    nytp_arena a = {0};
    unsigned char *block[2] = {NULL, NULL};
    size_t old = 0, wrong = 0;

    for (size_t n = 100; n < 5000000; old = n, n *= 2) {
        for (int i = 0; i < 2; i++) {
            block[i] = nytp_arena_more(&a, block[i], old, n);
            memset(block[i] + old, 'a' + i, n - old);
            memset(nytp_arena_get(&a, 10), 'z', 10);
        }
        for (size_t at = 0; at < n; at++) wrong += block[0][at] != 'a' || block[1][at] != 'b';
    }
    is(wrong, 0, "blocks that become larger keep what is in them, and leave others alone");
    nytp_arena_free(&a);
}

/* Allocations of more than a block in all, each filled before the next is made. */
static void arena_slots(nytp_arena *a) {
    static const unsigned char zeros[NYTP_POOL_SLOT];
    nytp_pool pool = {0};
    int aligned = 1, zeroed = 1;
    for (int i = 0; i < 5000; i++) {
        void *slot = nytp_arena_slot(a, &pool);
        aligned = aligned && (uintptr_t)slot % 64 == 0;
        zeroed = zeroed && memcmp(slot, zeros, sizeof zeros) == 0;
        memset(slot, 'z', sizeof zeros);
    }
    ok(aligned && zeroed, "slots begin with a cache line, are zeroed, and share no byte");
}

static void arena(void) {
    nytp_arena a = {0};
    unsigned char *p[1000];
    int fine = 1;
    nytp_str copy;

    for (size_t i = 0; i < 1000; i++) {
        size_t n = i % 10 ? i : i * 100;

        p[i] = nytp_arena_get(&a, n);
        fine &= p[i] && (uintptr_t)p[i] % _Alignof(max_align_t) == 0;
        for (size_t j = 0; j < n; j++) fine &= p[i][j] == 0;
        memset(p[i], (int)(i & 0xFF), n);
    }
    for (size_t i = 1; i < 1000; i++) fine &= p[i][0] == (i & 0xFF) && p[i][i - 1] == (i & 0xFF);
    ok(fine, "blocks are aligned, zeroed and apart");
    copy = nytp_arena_str(&a, NYTP_LIT("text"));
    ok(copy.n == 4 && strcmp(copy.p, "text") == 0, "a copied string ends with a NUL");
    ok(nytp_arena_get(&a, SIZE_MAX - 4) == NULL, "too much is NULL");
    ok(nytp_arena_more(&a, p[0], 5, SIZE_MAX - 4) == NULL, "nor can a block become that");
    arena_slots(&a);
    nytp_arena_free(&a);
    ok(nytp_arena_get(&a, 1) != NULL, "a freed arena is an empty one");
    nytp_arena_free(&a);
}

/* An array that grows to a million elements beside another one, each element numbered. */
static void grow(void) {
    nytp_arena a = {0};
    uint64_t *inside = NULL, *owned = NULL;
    uint32_t rooms[2] = {0};
    int zeroed = 1, kept = 1;

    for (uint32_t i = 0; i < 1000000; i++) {
        uint64_t *p = nytp_grow(&a, &inside, i, &rooms[0], sizeof *p);
        uint64_t *q = nytp_grow_owned(&owned, i, &rooms[1], sizeof *q);
        zeroed = zeroed && *p == 0 && *q == 0;
        *p = *q = i;
    }
    for (uint32_t i = 0; i < 1000000; i++) kept = kept && inside[i] == i && owned[i] == i;
    ok(zeroed && kept, "arrays grow, in an arena or their owner's, by zeroed elements, and keep those they have");
    ok(!nytp_grow_owned(&owned, UINT32_MAX / 2, &(uint32_t){UINT32_MAX / 2}, sizeof *owned) && owned[999999] == 999999,
       "one that would have too many elements stays as it is");
    free(owned);
    nytp_arena_free(&a);
}

static void map(void) {
    nytp_map m = {0};
    int fine = 1;

    is(nytp_map_get(&m, 0), 0, "an empty map has nothing");
    for (uint32_t i = 0; i < 100000; i++) *nytp_map_at(&m, (uint64_t)i << 32) = i + 1;
    for (uint32_t i = 0; i < 100000; i++) *nytp_map_at(&m, (uint64_t)i << 32) += 1;
    is(m.n, 100000, "100,000 keys that differ in their upper half");
    for (uint32_t i = 0; i < 100000; i++) fine &= nytp_map_get(&m, (uint64_t)i << 32) == i + 2;
    ok(fine && nytp_map_get(&m, 1) == 0, "all are found with their numbers, and no others");
    *nytp_map_at(&m, UINT64_MAX) = 7;
    is(nytp_map_get(&m, UINT64_MAX), 7, "every key is a key");
    for (uint32_t i = 0; i < 100000; i += 2) nytp_map_drop(&m, (uint64_t)i << 32);
    fine = 1;
    for (uint32_t i = 0; i < 100000; i++) fine &= nytp_map_get(&m, (uint64_t)i << 32) == (i % 2 ? i + 2 : 0);
    ok(fine && m.n == 50001, "dropped keys are gone, and all others are found");
    nytp_map_drop(&m, 0);
    is(m.n, 50001, "what is not there is not dropped");
    nytp_map_free(&m);
    is(nytp_map_get(&m, UINT64_MAX), 0, "a freed map is empty");
    nytp_map_drop(&m, 0);
}

static void chains(void) {
    enum { N = 1000 };
    static nytp_link links[N], again, *list[N];
    nytp_chain c = {0};
    int fine = 1;
    ok(!nytp_chain_find(&c, 0), "an empty chain has nothing");
    for (uint64_t i = 0; i < N; i++) fine &= nytp_chain_add(&c, &links[i], i << 32);
    for (uint64_t i = 0; i < N; i++) fine &= nytp_chain_find(&c, i << 32) == &links[i];
    ok(fine && !nytp_chain_find(&c, 1), "all are found, and no others");
    nytp_chain_add(&c, &again, 0);
    ok(nytp_chain_find(&c, 0) == &again, "of one key the one added last");
    nytp_chain_remove(&c, &again);
    ok(nytp_chain_find(&c, 0) == &links[0], "and when that is gone the one before");
    for (uint64_t i = 1; i < N; i++) nytp_chain_remove(&c, &links[i]);
    nytp_chain_list(&c, list);
    ok(c.n == 1 && list[0] == &links[0] && !nytp_chain_find(&c, 1ULL << 32), "what was taken out is gone");
    nytp_chain_free(&c);
    ok(!nytp_chain_find(&c, 0), "a freed chain is empty");
}

/* The stream interface is always zlib's own. */
static int is_read_in_pieces(const nytp_buf *deflated, size_t raw_n) {
    static char to[100000];
    nytp_zio_inflater *z = nytp_zio_inflater_open();
    size_t from_n = deflated->n, to_n = sizeof to;
    int ended = 0, code = nytp_zio_inflater_run(z, deflated->p, &from_n, to, &to_n, &ended);

    nytp_zio_inflater_close(z);
    return code == NYTP_OK && ended && to_n == raw_n && from_n == deflated->n;
}

/* Noise does not deflate: it is stored, and grows by the format's own bytes. */
static void fill(unsigned char *p, size_t n, int is_noise) {
    uint32_t dice = 1;
    for (size_t i = 0; i < n; i++) {
        dice = dice * 1664525 + 1013904223;
        p[i] = is_noise ? (unsigned char)(dice >> 24) : (unsigned char)("some words "[dice >> 29] + (i >> 12 & 1));
    }
}

static int comes_back(const unsigned char *p, size_t n, int level) {
    nytp_buf deflated = {0}, out = {0};
    int same = nytp_zio_deflate(&deflated, p, n, level) == NYTP_OK &&
               nytp_zio_inflate(&out, deflated.p, deflated.n, n) == NYTP_OK && memcmp(out.p, p, n) == 0;
    nytp_buf_free(&deflated);
    nytp_buf_free(&out);
    return same;
}

static int times_it_does_not_come_back(void) {
    static unsigned char bytes[300000];
    static const size_t sizes[] = {1, 2, 100, 32767, 32768, 65535, 65536, 131072, sizeof bytes};
    int failed = 0;
    for (int is_noise = 0; is_noise < 2; is_noise++) {
        fill(bytes, sizeof bytes, is_noise);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int level = -1; level <= 9; level++) failed += !comes_back(bytes, sizes[i], level);
    }
    return failed;
}

static void compression(void) {
    static char zeros[100000];
    nytp_buf deflated = {0}, out = {0};

    is(nytp_zio_crc(0, "123456789", 9), 0xCBF43926, "the CRC has its check value");
    is(nytp_zio_crc(nytp_zio_crc(0, "1234", 4), "56789", 5), 0xCBF43926, "also in two pieces");
    if (!nytp_zio_available()) {
        ok(nytp_zio_deflate(&out, "a", 1, 6) == NYTP_USAGE && nytp_zio_inflate(&out, "a", 1, 1) == NYTP_USAGE,
           "a build without zlib says so");
        return;
    }
    ok(nytp_zio_deflate(&deflated, zeros, sizeof zeros, 6) == NYTP_OK && deflated.n < 1000, "deflates");
    ok(nytp_zio_inflate(&out, deflated.p, deflated.n, sizeof zeros) == NYTP_OK && out.n == sizeof zeros &&
           memcmp(out.p, zeros, sizeof zeros) == 0, "and inflates to the same");
    ok(is_read_in_pieces(&deflated, sizeof zeros), "zlib reads it, too");
    is(nytp_zio_inflate(&out, deflated.p, deflated.n, sizeof zeros - 1), NYTP_FORMAT, "not to fewer bytes");
    is(nytp_zio_inflate(&out, deflated.p, deflated.n, sizeof zeros + 1), NYTP_FORMAT, "nor to more");
    is(nytp_zio_inflate(&out, "nonsense", 8, 10), NYTP_FORMAT, "nor from nonsense");
    is(out.n, sizeof zeros, "and failures append nothing");
    is(nytp_zio_inflate(&out, deflated.p, deflated.n, (size_t)1 << 28), NYTP_FORMAT, "nor to what cannot be deflated");
    ok(out.cap < (size_t)1 << 20, "for which no memory is taken");
    is(nytp_zio_deflate(&out, "a", 1, 10), NYTP_USAGE, "level 10 is refused");
    is(times_it_does_not_come_back(), 0, "any size comes back from any level, noise and text alike");
    nytp_buf_free(&deflated);
    nytp_buf_free(&out);
}

/* The digest of n letters a, in base64. */
static int digests_to(size_t n, const char *expected) {
    char text[200];
    unsigned char digest[NYTP_SHA256_BYTES];
    nytp_buf out = {0};
    memset(text, 'a', sizeof text);
    nytp_sha256(text, n, digest);
    nytp_base64_put(&out, digest, sizeof digest);
    int fine = nytp_str_eq((nytp_str){(const char *)out.p, out.n}, nytp_str_c(expected));
    nytp_buf_free(&out);
    return fine;
}

static void digests(void) {
    nytp_buf out = {0};
    nytp_base64_put(&out, "", 0);
    is(out.n, 0, "nothing is nothing in base64");
    nytp_base64_put(&out, "f", 1);
    nytp_base64_put(&out, "fo", 2);
    nytp_base64_put(&out, "foo", 3);
    ok(nytp_str_eq((nytp_str){(const char *)out.p, out.n}, NYTP_LIT("Zg==Zm8=Zm9v")), "one, two and three bytes");
    nytp_buf_free(&out);
    ok(digests_to(0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), "SHA-256 of nothing");
    ok(digests_to(55, "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg="), "of all that fits into a block with its length");
    ok(digests_to(56, "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o="), "of one byte more");
    ok(digests_to(64, "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs="), "of a block");
    ok(digests_to(200, "wqkI2Y9d+Yet5BtfziEwZ++8wh7yJAISpB5UtefCiuU="), "of several");
}

int main(void) {
    strings();
    errors();
    varints();
    buffers();
    arena();
    growing_blocks();
    grow();
    map();
    chains();
    compression();
    digests();
    return done();
}
