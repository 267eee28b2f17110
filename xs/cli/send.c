/* SPDX-License-Identifier: MIT */
/* send.c - a request by the receiver's row, and what the status of the reply means. */
#include "cli/send.h"

/* 408 and 429: the server is slow or busy. */
static enum nytp_sent meaning(int status) {
    if (status >= 200 && status < 300) return NYTP_SENT;
    return status >= 500 || status == 408 || status == 429 ? NYTP_SENT_LATER : NYTP_SENT_REFUSED;
}

enum nytp_sent nytp_send_delta(const nytp_send *s, const nytp_delta *d, nytp_error *e) {
    nytp_buf target = {0}, body = {0};
    nytp_reply reply;
    nytp_receivers_target(&target, s->to, s->url.target, d);
    s->to->put_body(&body, d);
    int is_made = !target.failed && !body.failed;
    nytp_post post = {.target = (const char *)target.p, .type = s->to->type, .header = s->header,
                      .body = {(const char *)body.p, body.n}, .seconds = s->seconds};
    enum nytp_sent sent = NYTP_SENT_LATER;
    if (!is_made) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else if (!nytp_http_post(&s->url, &post, &reply, e)) sent = meaning(reply.status);
    if (!e->code && sent != NYTP_SENT) nytp_error_set(e, NYTP_IO, "%s: %s", s->text, reply.text);
    nytp_buf_free(&target);
    nytp_buf_free(&body);
    return sent;
}
