/* SPDX-License-Identifier: MIT */
/* error.h - what can go wrong, as a code and one line of text.
 *
 * An error is sticky: the first failure is kept, later ones are ignored, so a caller may check once, when it closes the
 * handle. Nothing here prints. */
#ifndef NYTP_BASE_ERROR_H
#define NYTP_BASE_ERROR_H

#include <stdint.h>

enum nytp_code {
    NYTP_OK = 0,
    NYTP_NOMEM,  /* out of memory */
    NYTP_IO,     /* the operating system refused; error.sys is the errno */
    NYTP_FORMAT, /* bytes that are no capture, or a damaged one */
    NYTP_USAGE   /* a value the caller gave makes no sense */
};

#define NYTP_ERROR_TEXT 512

typedef struct nytp_error {
    enum nytp_code code;
    int32_t sys;                /* errno of an NYTP_IO, else 0 */
    char text[NYTP_ERROR_TEXT]; /* one line without control characters; long texts are cut */
} nytp_error;

#if defined(__GNUC__)
#define NYTP_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define NYTP_PRINTF(text, values)
#endif

/* Both keep an earlier error and return the code of the error that is kept. nytp_error_sys is for NYTP_IO: it remembers
 * errno and ends the text with its meaning. */
enum nytp_code nytp_error_set(nytp_error *e, int code, const char *format, ...) NYTP_PRINTF(3, 4);
enum nytp_code nytp_error_sys(nytp_error *e, const char *format, ...) NYTP_PRINTF(2, 3);

#endif
