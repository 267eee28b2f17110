/* SPDX-License-Identifier: MIT */
/* input.c - an input of the fuzzer as a file, and a capture made readable again. */
#define _GNU_SOURCE
#include "input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/chunk.h"

int input_memory(const char *name) {
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0) abort();
    return fd;
}

void input_fill(int fd, const uint8_t *data, size_t size) {
    if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size || lseek(fd, 0, SEEK_SET)) abort();
}

void input_spew(const char *name, const uint8_t *data, size_t size) {
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
    close(fd);
}

nytp_bytes input_bytes(const uint8_t *data, size_t size) {
    nytp_bytes b = {.fd = -1, .eof = 1, .path = strdup("in")};
    nytp_buf_bytes(&b.buf, data, size);
    return b;
}

void input_directory(void) {
    static char dir[300];
    const char *where = getenv("TMPDIR");
    snprintf(dir, sizeof dir, "%.280s/fuzz.XXXXXX", where ? where : "/tmp");
    if (!mkdtemp(dir) || chdir(dir)) abort();
}

static void put_le32(uint8_t *to, uint32_t v) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(v >> 8 * i);
}

static size_t find_sync(const uint8_t *data, size_t from, size_t size) {
    const uint8_t *at = from < size ? memmem(data + from, size - from, NYTP_FORMAT_SYNC, 8) : NULL;
    return at ? (size_t)(at - data) : size;
}

void input_repair(uint8_t *data, size_t size) {
    for (size_t at = find_sync(data, 0, size), end; at < size; at = end) {
        end = find_sync(data, at + 8, size);
        if (end - at < NYTP_FORMAT_CHUNK_HEAD) continue;
        uint32_t stored = (uint32_t)(end - at - NYTP_FORMAT_CHUNK_HEAD);
        put_le32(data + at + 12, stored);
        if (!(data[at + 21] & 1)) put_le32(data + at + 16, stored);
        put_le32(data + at + 8, nytp_chunk_crc(data + at, end - at));
    }
}
