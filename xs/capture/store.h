/* SPDX-License-Identifier: MIT */
/* store.h - the file beside the captures of a job that has the source which its processes have in common, each text
 * once. A capture says by a key which text is a file's.
 *
 * The store is a capture without a process: one chunk for each text, appended by one write(2). So processes need no
 * lock, one that is killed harms no other, and a text that two of them bring at the same time is there twice. A store
 * that cannot be used (a link, another user's file, a full disk) counts as absent: texts then go into the captures. */
#ifndef NYTP_CAPTURE_STORE_H
#define NYTP_CAPTURE_STORE_H

#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

#define NYTP_STORE_KEY 32          /* bytes */
#define NYTP_STORE_SUFFIX ".sources" /* appended to the job's file name */

typedef struct nytp_store {
    char *path;     /* NULL: there is none; owned */
    nytp_map keys;  /* first 8 bytes of each key in the file, as a number, to 1 */
    uint64_t seen;  /* bytes of the file that have been read for keys */
    uint64_t device, inode; /* identity of that file */
    int32_t level;  /* zlib's */
    int32_t failed; /* 1: nothing is written any more */
} nytp_store; /* all zero: no store */

/* Opens the store at path, which is copied and made absolute. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_store_open(nytp_store *s, const char *path, int level);

/* To be called by a job's first process: the store at path, NAME.sources, is removed where the directory has no NAME
 * with numbers behind it, such as NAME.PID. A profile that was renamed, or moved away, is not looked for, and loses the
 * source that it left there: merge before renaming. path ends in NYTP_STORE_SUFFIX. */
void nytp_store_renew(const char *path);

/* 1 if the store has the text of that key, as of the latest look at the file. */
int nytp_store_has(nytp_store *s, const unsigned char key[NYTP_STORE_KEY]);

/* The same, after appending the text if the store does not have it. */
int nytp_store_put(nytp_store *s, const unsigned char key[NYTP_STORE_KEY], nytp_str text);

/* The name without its directory. */
nytp_str nytp_store_name(const nytp_store *s);

/* A key as a number, for maps. 0 if it is no key. */
uint64_t nytp_store_number(nytp_str key);

void nytp_store_close(nytp_store *s); /* takes an all-zero store */

#endif
