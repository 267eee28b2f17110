/* SPDX-License-Identifier: MIT */
/* handle.h - what is behind the pointers of read.h. */
#ifndef NYTP_API_HANDLE_H
#define NYTP_API_HANDLE_H

#include <string.h>

#include "api/read.h"
#include "model/profile.h"

#define NYTP_HANDLE_RANKINGS 3

struct nytprof_profile {
    nytp_profile p;
    uint32_t *ranked[NYTP_HANDLE_RANKINGS], ranked_n[NYTP_HANDLE_RANKINGS]; /* by what subs are ranked; owned */
};

/* Fills a caller's struct, which may be of an older or newer version, with what is known of it. Returns is_there. */
static inline int nytp_handle_give(void *to, size_t size, const void *known, size_t known_size, int is_there) {
    memset(to, 0, size);
    if (is_there) memcpy(to, known, size < known_size ? size : known_size);
    return is_there;
}

static inline nytprof_text nytp_handle_text(nytp_str s) { return (nytprof_text){s.p, s.n}; }

/* The codes are numbered alike. e may be NULL. */
void nytp_handle_error(nytprof_error *e, const nytp_error *why);

#endif
