/* SPDX-License-Identifier: MIT */
/* json.h - a writer of JSON for reports: commas, nesting and escapes are its own.
 *
 * The key of a value is a literal, and NULL within an array. The text goes into a buffer, and from there in pieces to a
 * sink, so that it need not fit into memory. It is always valid UTF-8, and numbers have no locale. Memory that is short
 * leaves the buffer failed. */
#ifndef NYTP_REPORT_JSON_H
#define NYTP_REPORT_JSON_H

#include "base/buf.h"
#include "report/sink.h"

#define NYTP_JSON_DEEPEST 31

typedef struct nytp_json {
    nytp_buf *out;  /* borrowed: what the sink has not got yet */
    nytp_sink *sink; /* borrowed, with a begun page; NULL: all text stays in out */
    uint32_t lines; /* values down to this depth begin a line each; 0: all are on one line */
    uint32_t depth; /* objects and arrays that are open */
    uint8_t is_object[NYTP_JSON_DEEPEST + 1], has_values[NYTP_JSON_DEEPEST + 1]; /* by depth; [0]: the whole text */
} nytp_json; /* all zero but out: nothing is written yet */

/* Each is ended by nytp_json_end. */
void nytp_json_object(nytp_json *j, const char *key);
void nytp_json_array(nytp_json *j, const char *key);
void nytp_json_end(nytp_json *j);

/* Ends the text, whose value must be complete, with a newline, and drains the buffer. */
void nytp_json_finish(nytp_json *j);

/* Data: a reader gets the same characters. Bytes that are not UTF-8 become visible text, \xHH. */
void nytp_json_string(nytp_json *j, const char *key, nytp_str s);
void nytp_json_text(nytp_json *j, const char *key, const char *text);

/* A name for people, in one line: what other reports show by visible escapes is shown so here, too (escape.h). */
void nytp_json_name(nytp_json *j, const char *key, nytp_str s);

/* The name of this program and its version. */
void nytp_json_program(nytp_json *j, const char *key, const char *version);

void nytp_json_number(nytp_json *j, const char *key, uint64_t n);
void nytp_json_signed(nytp_json *j, const char *key, int64_t n);
void nytp_json_bool(nytp_json *j, const char *key, int is_true);
void nytp_json_null(nytp_json *j, const char *key);

/* n / 10^places, exactly: 1500 with 3 places is 1.5. At most 9 places. */
void nytp_json_decimal(nytp_json *j, const char *key, int64_t n, int places);

#endif
