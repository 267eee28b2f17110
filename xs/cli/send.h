/* SPDX-License-Identifier: MIT */
/* send.h - sends a delta to a server, and tells whether it has been taken. */
#ifndef NYTP_CLI_SEND_H
#define NYTP_CLI_SEND_H

#include "cli/http.h"
#include "cli/receivers.h"

typedef struct nytp_send {
    const char *text;         /* the URL as the user gave it, for messages */
    nytp_url url;
    const nytp_receiver *to;
    const char *header;       /* as in nytp_post */
    double seconds;           /* that a request may take */
} nytp_send;

enum nytp_sent {
    NYTP_SENT,         /* the server has taken it */
    NYTP_SENT_REFUSED, /* it never will */
    NYTP_SENT_LATER    /* it may another time: there is no reply, or one that says so */
};

/* e is set for all but NYTP_SENT: one line with the URL and the reason. */
enum nytp_sent nytp_send_delta(const nytp_send *s, const nytp_delta *d, nytp_error *e);

#endif
