/* SPDX-License-Identifier: MIT */
/* fast.c - libdeflate and igzip, opened at run time. */
#include "base/fast.h"

#if defined NYTP_LIBDEFLATE || defined NYTP_ISAL

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

typedef struct function {
    const char *name;
    void *to; /* a pointer to a function, NULL until it is found */
} function;

/* Finds all functions or none, and leaves errno as it is, which is the program's. */
static void open_library(const char *library, const function *functions, size_t n) {
    int before = errno;
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL), *found = handle;
    for (size_t i = 0; found && i < n; i++) found = dlsym(handle, functions[i].name);
    for (size_t i = 0; found && i < n; i++) {
        void *to = dlsym(handle, functions[i].name);
        memcpy(functions[i].to, &to, sizeof to); /* ISO C has no other way from dlsym's pointer to a function */
    }
    errno = before;
}

#endif

/* ---- igzip ---- */

#ifdef NYTP_ISAL

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

static struct { /* set once, when the program or the module is loaded */
    __typeof__(&isal_deflate_stateless_init) init;
    __typeof__(&isal_deflate_stateless) deflate;
} isal;

__attribute__((constructor)) static void open_isal(void) {
    const function functions[] = {
        {"isal_deflate_stateless_init", &isal.init},
        {"isal_deflate_stateless", &isal.deflate},
    };
    open_library("libisal.so.2", functions, sizeof functions / sizeof *functions);
}

#define QUICK_LEVEL 1

typedef struct quick {
    struct isal_zstream stream;
    uint8_t tables[ISAL_DEF_LVL1_SMALL];
} quick;

/* Returns 0 if it could not. Data that would grow is stored: 5 bytes for each 64 kB, and header and trailer. */
static int deflate_quickly(nytp_buf *out, const void *p, size_t n) {
    size_t most = n + n / 8192 + 64;
    int can = isal.deflate && most <= UINT32_MAX;
    quick *z = can ? calloc(1, sizeof *z) : NULL; /* its init leaves fields unset that it reads */
    unsigned char *to = z ? nytp_buf_room(out, most) : NULL;
    int done = 0;

    if (to) {
        isal.init(&z->stream);
        z->stream.level = QUICK_LEVEL;
        z->stream.level_buf = z->tables;
        z->stream.level_buf_size = sizeof z->tables;
        z->stream.gzip_flag = IGZIP_ZLIB;
        z->stream.end_of_stream = 1;
        z->stream.next_in = (uint8_t *)(uintptr_t)p; /* igzip does not write there */
        z->stream.avail_in = (uint32_t)n;
        z->stream.next_out = to;
        z->stream.avail_out = (uint32_t)most;
        done = isal.deflate(&z->stream) == COMP_OK;
    }
    if (done) out->n += z->stream.total_out;
    free(z);
    return done;
}

#else
#define QUICK_LEVEL (-2) /* no level of zlib's */
static int deflate_quickly(nytp_buf *out, const void *p, size_t n) {
    (void)out, (void)p, (void)n;
    return 0;
}
#endif

/* ---- libdeflate ---- */

#ifdef NYTP_LIBDEFLATE

#include <libdeflate.h>

static struct { /* set once, when the program or the module is loaded */
    __typeof__(&libdeflate_alloc_compressor) compressor;
    __typeof__(&libdeflate_free_compressor) free_compressor;
    __typeof__(&libdeflate_zlib_compress_bound) bound;
    __typeof__(&libdeflate_zlib_compress) compress;
    __typeof__(&libdeflate_alloc_decompressor) decompressor;
    __typeof__(&libdeflate_free_decompressor) free_decompressor;
    __typeof__(&libdeflate_zlib_decompress) decompress;
    __typeof__(&libdeflate_crc32) crc;
} libdeflate;

__attribute__((constructor)) static void open_libdeflate(void) {
    const function functions[] = {
        {"libdeflate_alloc_compressor", &libdeflate.compressor},
        {"libdeflate_free_compressor", &libdeflate.free_compressor},
        {"libdeflate_zlib_compress_bound", &libdeflate.bound},
        {"libdeflate_zlib_compress", &libdeflate.compress},
        {"libdeflate_alloc_decompressor", &libdeflate.decompressor},
        {"libdeflate_free_decompressor", &libdeflate.free_decompressor},
        {"libdeflate_zlib_decompress", &libdeflate.decompress},
        {"libdeflate_crc32", &libdeflate.crc},
    };
    open_library("libdeflate.so.0", functions, sizeof functions / sizeof *functions);
}

static int deflate_well(nytp_buf *out, const void *p, size_t n, int level) {
    int can = libdeflate.compressor && level <= 9;
    struct libdeflate_compressor *z = can ? libdeflate.compressor(level < 0 ? 6 : level) : NULL;
    unsigned char *to = z ? nytp_buf_room(out, libdeflate.bound(z, n)) : NULL;
    size_t size = to ? libdeflate.compress(z, p, n, to, out->cap - out->n) : 0;

    if (z) libdeflate.free_compressor(z);
    out->n += size;
    return size != 0;
}

int nytp_fast_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
    unsigned char *to = libdeflate.decompressor ? nytp_buf_room(out, raw_n) : NULL;
    struct libdeflate_decompressor *z = to ? libdeflate.decompressor() : NULL;

    if (!z) return 0;
    int done = libdeflate.decompress(z, p, n, to, raw_n, NULL) == LIBDEFLATE_SUCCESS;
    libdeflate.free_decompressor(z);
    if (done) out->n += raw_n;
    return done;
}

int nytp_fast_crc(uint32_t *crc, const void *p, size_t n) {
    if (!libdeflate.crc) return 0;
    if (n) *crc = libdeflate.crc(*crc, p, n);
    return 1;
}

#else

static int deflate_well(nytp_buf *out, const void *p, size_t n, int level) {
    (void)out, (void)p, (void)n, (void)level;
    return 0;
}

int nytp_fast_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
    (void)out, (void)p, (void)n, (void)raw_n;
    return 0;
}

int nytp_fast_crc(uint32_t *crc, const void *p, size_t n) {
    (void)crc, (void)p, (void)n;
    return 0;
}

#endif

int nytp_fast_deflate(nytp_buf *out, const void *p, size_t n, int level) {
    if (level == QUICK_LEVEL && deflate_quickly(out, p, n)) return 1;
    return deflate_well(out, p, n, level);
}
