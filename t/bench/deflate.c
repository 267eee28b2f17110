/* SPDX-License-Identifier: MIT */
/* deflate.c - zlib, libdeflate and igzip on one text, such as the source of a program:
 *   cc -O2 -o deflate t/bench/deflate.c -lisal -ldeflate -lz && ./deflate FILE
 * For each level milliseconds of CPU time, the best of five, and bytes. Pieces of 512 kB, each in a
 * compressor of its own, as captures have them. */
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define PIECE (512u << 10)
#define TRIES 5

static unsigned char text[64u << 20], out[1u << 20];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static size_t with_zlib(const unsigned char *p, size_t n, int level) {
    uLongf size = sizeof out;
    return compress2(out, &size, p, n, level) == Z_OK ? size : 0;
}

static size_t with_libdeflate(const unsigned char *p, size_t n, int level) {
    struct libdeflate_compressor *z = libdeflate_alloc_compressor(level);
    size_t size = libdeflate_zlib_compress(z, p, n, out, sizeof out);
    libdeflate_free_compressor(z);
    return size;
}

static size_t with_igzip(const unsigned char *p, size_t n, int level) {
    static uint8_t tables[ISAL_DEF_LVL1_SMALL];
    static struct isal_zstream z; /* static: 300 kB, of which its init sets a part */
    memset(&z, 0, sizeof z);
    isal_deflate_stateless_init(&z);
    z.level = (uint32_t)level;
    z.level_buf = tables;
    z.level_buf_size = sizeof tables;
    z.gzip_flag = IGZIP_ZLIB;
    z.end_of_stream = 1;
    z.next_in = (uint8_t *)(uintptr_t)p;
    z.avail_in = (uint32_t)n;
    z.next_out = out;
    z.avail_out = sizeof out;
    return isal_deflate_stateless(&z) == COMP_OK ? z.total_out : 0;
}

static void measure(const char *name, size_t (*deflate_piece)(const unsigned char *, size_t, int), size_t n,
                    int level) {
    double best = 1e9;
    size_t size = 0;
    for (int i = 0; i < TRIES; i++) {
        double start = now();
        size = 0;
        for (size_t at = 0; at < n; at += PIECE)
            size += deflate_piece(text + at, n - at < PIECE ? n - at : PIECE, level);
        if (now() - start < best) best = now() - start;
    }
    printf("%-10s %d %8.2f ms %9zu bytes\n", name, level, best, size);
}

int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t n = in ? fread(text, 1, sizeof text, in) : 0;
    if (!n) return fprintf(stderr, "usage: deflate FILE\n"), 2;
    measure("igzip", with_igzip, n, 1);
    for (int level = 1; level <= 9; level++) {
        measure("zlib", with_zlib, n, level);
        measure("libdeflate", with_libdeflate, n, level);
    }
    return 0;
}
