/* SPDX-License-Identifier: MIT */
/* symbols.h - where variables are in the memory of another process, by the dynamic symbols of files it has mapped. */
#ifndef NYTP_SAMPLE_SYMBOLS_H
#define NYTP_SAMPLE_SYMBOLS_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

typedef struct nytp_symbol {
    const char *name;
    uint64_t at; /* 0: there is none of that name */
} nytp_symbol;

/* Looks for the first symbol in the program itself and then in mapped files whose names begin with `library`, and for
 * the others in the file that has it, of which the path is set, as the process sees it. Files are found through
 * /proc/PID/root, so the process may be in a container. Returns an nytp_code with e set: NYTP_IO if the process cannot
 * be looked at, with the system's number in e->sys; NYTP_FORMAT if no file has the first symbol. */
enum nytp_code nytp_symbols_find(pid_t pid, const char *library, nytp_symbol *symbols, size_t n, char path[PATH_MAX],
                                 nytp_error *e);

#endif
