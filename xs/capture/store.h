/* SPDX-License-Identifier: MIT */
/* store.h - the file beside the captures of a job that has the source which its processes have in common, each text
 * once. A capture says by a key which text is a file's.
 *
 * The store is a capture without a process: one chunk for each text, appended by one write(2). So processes need no
 * lock, one that is killed harms no other, and a text that two of them bring at the same time is there twice. Whatever
 * is wrong with the store (a link, another user's file, a full disk) makes it as good as absent: texts then go where
 * they would go without one. */
#ifndef NYTP_CAPTURE_STORE_H
#define NYTP_CAPTURE_STORE_H

#include "base/map.h"
#include "base/str.h"

#define NYTP_STORE_KEY 32          /* bytes */
#define NYTP_STORE_SUFFIX ".sources" /* behind the name that the job's processes were told */

typedef struct nytp_store {
    char *path;     /* NULL: there is none; owned */
    nytp_map keys;  /* the first 8 bytes of each that it has, as a number, to 1 */
    uint64_t seen;  /* bytes of the file that keys are from, ... */
    uint64_t device, inode; /* ... which is that one */
    int32_t level;  /* zlib's */
    int32_t failed; /* 1: nothing is put any more */
} nytp_store; /* all zero is none */

/* The store at path, which is copied; a relative one means what it means now. NYTP_OK or NYTP_NOMEM. */
int nytp_store_open(nytp_store *s, const char *path, int level);

/* The first process of a job makes room: the store at path, NAME.sources, is removed where the directory has no NAME
 * with numbers behind it, such as NAME.PID. A profile that was renamed, or moved away, is not looked for, and loses the
 * source that it left there: merge before renaming. path ends in NYTP_STORE_SUFFIX. */
void nytp_store_renew(const char *path);

/* 1 if it has the text of that key, as far as that was looked up in the file that is there now. */
int nytp_store_has(nytp_store *s, const unsigned char key[NYTP_STORE_KEY]);

/* The same for a text that is given, and is put there if it was not. */
int nytp_store_put(nytp_store *s, const unsigned char key[NYTP_STORE_KEY], nytp_str text);

/* The name without its directory. */
nytp_str nytp_store_name(const nytp_store *s);

/* A key as a number, for maps. 0 if it is none. */
uint64_t nytp_store_number(nytp_str key);

void nytp_store_close(nytp_store *s); /* takes an all-zero one */

#endif
