/* SPDX-License-Identifier: MIT */
/* embedded.c - looks for marks of a Lua in an executable: the name of a shared library that it needs, or the line with
 * which every Lua names itself. */
#include "cli/embedded.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/print.h"

/* The address behind the first occurrence of mark; NULL if there is none. */
static const char *behind(const char *at, const char *end, const char *mark) {
    size_t n = strlen(mark);
    while (at < end && (at = memchr(at, *mark, (size_t)(end - at)))) {
        if ((size_t)(end - at) > n + 16 && memcmp(at, mark, n) == 0) return at + n;
        at++;
    }
    return NULL;
}

/* The minor version in "Lua 5.4.4 Copyright", or 0, as other texts may contain "Lua 5.", too. `behind` leaves at least
 * 16 bytes after a mark, enough for the comparison. */
static int built_in(const char *at, const char *end) {
    while ((at = behind(at, end, "Lua 5."))) {
        const char *p = memchr(at, ' ', 5);
        if (p && memcmp(p + 1 + (p[1] == ' '), "Copyright", 9) == 0) return *at;
    }
    return 0;
}

static void say(const char *name, int version, int is_shared, int is_preloading) {
    int is_right = version == '4' || version == '3';
    if (is_shared && is_preloading) return; /* the preloaded library profiles a shared Lua */
    nytp_print_message("run: %s has Lua 5.%c in it, which %s", name, version,
                       !is_right   ? "cannot be profiled, expected Lua 5.4 or 5.3"
                       : is_shared ? "is profiled with --preload"
                                   : "can be profiled only by itself, with nytprof.h");
}

static void look(const char *at, const char *end, const char *name, int is_preloading) {
    const char *shared = behind(at, end, "liblua5.");
    int version = shared ? *shared : built_in(at, end);
    if (version >= '1' && version <= '9') say(name, version, shared != NULL, is_preloading);
    else if (behind(at, end, "libluajit-") || behind(at, end, "LuaJIT 2."))
        nytp_print_message("run: %s has LuaJIT in it, which cannot be profiled, expected Lua 5.4 or 5.3", name);
}

/* This command has the marks in it. */
static int is_this_command(const struct stat *st) {
    struct stat own;
    return stat("/proc/self/exe", &own) == 0 && own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

void nytp_embedded_say(const char *path, const char *name, int is_preloading) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 64 && !is_this_command(&st)) {
        char *text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (text != MAP_FAILED && memcmp(text, "\177ELF", 4) == 0) look(text, text + st.st_size, name, is_preloading);
        if (text != MAP_FAILED) munmap(text, (size_t)st.st_size);
    }
    close(fd);
}
