/* SPDX-License-Identifier: MIT */
/* Preloaded: what is read of the process's memory cannot be read (UNLIKE=closed), or is another Lua's the second time
 * (UNLIKE=changing). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t pread(int fd, void *to, size_t n, off_t at) {
    static int prototypes;
    ssize_t (*real)(int, void *, size_t, off_t);
    *(void **)&real = dlsym(RTLD_NEXT, "pread");
    const char *how = getenv("UNLIKE");
    if (how && strcmp(how, "closed") == 0) return -1;
    ssize_t got = real(fd, to, n, at);
    if (how && strcmp(how, "changing") == 0 && got == 120 && ++prototypes > 1) memmove(to, (char *)to + 8, 112);
    return got;
}
