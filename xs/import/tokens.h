/* SPDX-License-Identifier: MIT */
/* tokens.h - a reader of JSON in memory, token by token, with a limit of depth. */
#ifndef NYTP_IMPORT_TOKENS_H
#define NYTP_IMPORT_TOKENS_H

#include "base/buf.h"

#define NYTP_TOKENS_DEEPEST 60

enum nytp_token {
    NYTP_TOKEN_END, /* of the text */
    NYTP_TOKEN_WRONG,
    NYTP_TOKEN_OBJECT,
    NYTP_TOKEN_ARRAY,
    NYTP_TOKEN_CLOSED, /* the latest object or array that is open */
    NYTP_TOKEN_NAME,   /* of a member of an object, whose value is next */
    NYTP_TOKEN_STRING,
    NYTP_TOKEN_NUMBER,
    NYTP_TOKEN_WORD    /* true, false, null */
};

typedef struct nytp_tokens {
    nytp_str rest;     /* of the text; borrowed */
    uint64_t line;     /* of its beginning, from 1 */
    const char *wrong; /* behind NYTP_TOKEN_WRONG: what was expected */
    nytp_str value;    /* of a name, string, number or word, until the next call */
    uint32_t depth;

    /* Private to tokens.c. */
    uint8_t is_object[NYTP_TOKENS_DEEPEST + 1], state[NYTP_TOKENS_DEEPEST + 1];
    nytp_buf text;     /* of a string with escapes */
} nytp_tokens;

nytp_tokens nytp_tokens_begin(nytp_str text);

enum nytp_token nytp_tokens_next(nytp_tokens *t);

/* Passes over the rest of a value that began with this token. Returns its last token, or NYTP_TOKEN_WRONG. */
enum nytp_token nytp_tokens_skip(nytp_tokens *t, enum nytp_token first);

/* A number times a thousand; 0 if it has an exponent, or is too large. */
int nytp_tokens_thousandths(nytp_str number, int64_t *n);

void nytp_tokens_free(nytp_tokens *t);

#endif
