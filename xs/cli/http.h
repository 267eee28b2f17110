/* SPDX-License-Identifier: MIT */
/* http.h - sends a body to a server by HTTP/1.1, over a connection of its own. There is no TLS. */
#ifndef NYTP_CLI_HTTP_H
#define NYTP_CLI_HTTP_H

#include "base/buf.h"
#include "base/error.h"

typedef struct nytp_url {
    char host[256], port[6];
    int32_t is_address;  /* 1: the host is an IPv6 address, which has brackets in the request */
    const char *target;  /* path and query, from the text that was parsed; may be empty */
} nytp_url;

typedef struct nytp_post {
    const char *target;  /* path and query */
    const char *type;    /* of the body */
    const char *header;  /* one more line of the head, "Name: value"; or NULL */
    nytp_str body;
    double seconds;      /* how long it may take, but for looking up the host's name */
} nytp_post;

typedef struct nytp_reply {
    int32_t status;   /* 200 to 299: the server has taken it */
    char text[240];   /* the status with the server's reason, and how its body begins if it has refused; one line */
} nytp_reply;

/* Parses http://HOST[:PORT][/PATH]. Returns NYTP_OK or NYTP_USAGE with e set, as for https. */
enum nytp_code nytp_http_parse(nytp_url *u, const char *text, nytp_error *e);

/* Sends, and reads the reply. Returns NYTP_OK when there is one, whatever its status; else, with e set, NYTP_IO (no
 * connection, or too late), NYTP_FORMAT (what came is no HTTP) or NYTP_NOMEM. */
enum nytp_code nytp_http_post(const nytp_url *u, const nytp_post *post, nytp_reply *reply, nytp_error *e);

#endif
