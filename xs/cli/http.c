/* SPDX-License-Identifier: MIT */
/* http.c - one request: look up the host, connect, send, read the reply, each until the same deadline. */
#include "cli/http.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/ticks.h"

#define LONGEST_REPLY 16384u /* bytes of it that are read */
#define MOST_SECONDS 86400

/* ---- the address ---- */

static enum nytp_code refuse(const char *text, nytp_error *e) {
    return nytp_error_set(e, NYTP_USAGE, "expected http://HOST:PORT/PATH, got '%s'", text);
}

static enum nytp_code take_port(nytp_url *u, const char *at, size_t n, const char *text, nytp_error *e) {
    snprintf(u->port, sizeof u->port, "%.*s", (int)n, at);
    int is_number = n && n < sizeof u->port && strspn(u->port, "0123456789") == n;
    return is_number && atoi(u->port) > 0 && atoi(u->port) < 65536 ? NYTP_OK : refuse(text, e);
}

static int is_safe(const char *text) {
    for (; *text; text++)
        if (*text <= ' ' || *text > '~') return 0;
    return 1;
}

enum nytp_code nytp_http_parse(nytp_url *u, const char *text, nytp_error *e) {
    *u = (nytp_url){.port = "80"};
    if (strncmp(text, "https://", 8) == 0)
        return nytp_error_set(e, NYTP_USAGE, "%s: there is no TLS here: send to a collector on this host, or a file of "
                              "`nytprof pprof` by curl --data-binary", text);
    if (strncmp(text, "http://", 7) != 0 || !is_safe(text)) return refuse(text, e);
    const char *host = text + 7, *end = host + strcspn(host, "/?#");
    u->is_address = *host == '[';
    const char *stop = memchr(host, u->is_address ? ']' : ':', (size_t)(end - host));
    if (u->is_address && !stop) return refuse(text, e);
    if (u->is_address) host++;
    size_t n = (size_t)((stop ? stop : end) - host);
    if (!n || n >= sizeof u->host || memchr(host, '@', n)) return refuse(text, e);
    memcpy(u->host, host, n);
    u->target = end;
    if (stop && u->is_address) stop++;
    if (!stop || stop == end) return NYTP_OK;
    return *stop == ':' ? take_port(u, stop + 1, (size_t)(end - stop - 1), text, e) : refuse(text, e);
}

/* ---- the connection ---- */

typedef struct connection {
    const nytp_url *url;
    int fd;
    double deadline; /* by now() */
    nytp_error *e;
} connection;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / NYTP_NANOSECONDS;
}

static enum nytp_code fail(const connection *c, const char *why) {
    return nytp_error_set(c->e, NYTP_IO, "http://%s:%s: %s", c->url->host, c->url->port, why);
}

/* 1 when the socket is ready, 0 at the deadline. */
static int is_ready(const connection *c, short events) {
    struct pollfd p = {.fd = c->fd, .events = events};
    for (;;) {
        double left = c->deadline - now();
        if (left <= 0) return 0;
        int n = poll(&p, 1, (int)(left * 1000) + 1);
        if (n > 0) return 1;
        if (n < 0 && errno != EINTR) return 0;
    }
}

/* Returns an errno; 0: connected. */
static int begin_and_wait(const connection *c, const struct addrinfo *to) {
    int why = 0;
    socklen_t n = sizeof why;
    if (fcntl(c->fd, F_SETFD, FD_CLOEXEC) || fcntl(c->fd, F_SETFL, O_NONBLOCK)) return errno;
    if (!connect(c->fd, to->ai_addr, to->ai_addrlen)) return 0;
    if (errno != EINPROGRESS) return errno;
    if (!is_ready(c, POLLOUT)) return ETIMEDOUT;
    return getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &why, &n) ? errno : why;
}

static int connect_to(connection *c, const struct addrinfo *to) {
    c->fd = socket(to->ai_family, to->ai_socktype, to->ai_protocol);
    if (c->fd < 0) return errno;
    int why = begin_and_wait(c, to);
    if (why) close(c->fd);
    return why;
}

static enum nytp_code open_connection(connection *c, double seconds) {
    struct addrinfo like = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int code = getaddrinfo(c->url->host, c->url->port, &like, &found), why = ENOENT;
    c->deadline = now() + (seconds < MOST_SECONDS ? seconds : MOST_SECONDS);
    if (code) return fail(c, gai_strerror(code));
    for (const struct addrinfo *to = found; to && why; to = to->ai_next) why = connect_to(c, to);
    freeaddrinfo(found);
    return why ? fail(c, strerror(why)) : NYTP_OK;
}

/* ---- the request ---- */

static void put(nytp_buf *out, const char *text) { nytp_buf_bytes(out, text, strlen(text)); }

static void put_head(nytp_buf *out, const nytp_url *u, const nytp_post *post) {
    char length[64];
    snprintf(length, sizeof length, "\r\nContent-Length: %zu\r\n", post->body.n);
    put(out, "POST ");
    put(out, post->target);
    put(out, u->is_address ? " HTTP/1.1\r\nHost: [" : " HTTP/1.1\r\nHost: ");
    put(out, u->host);
    put(out, u->is_address ? "]:" : ":");
    put(out, u->port);
    put(out, "\r\nUser-Agent: nytprof\r\nConnection: close\r\nContent-Type: ");
    put(out, post->type);
    put(out, length);
    if (post->header) put(out, post->header);
    put(out, post->header ? "\r\n\r\n" : "\r\n");
}

/* A server that does not read all may have replied: then its reply says why. */
static void send_all(const connection *c, const unsigned char *p, size_t n) {
    while (n && is_ready(c, POLLOUT)) {
        ssize_t sent = send(c->fd, p, n, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return;
        if (sent > 0) p += sent, n -= (size_t)sent;
    }
}

/* ---- the reply ---- */

/* Behind the head; NULL: it has not ended. */
static const char *body_of(const nytp_buf *in) {
    const char *p = (const char *)in->p;
    for (size_t i = 0; i + 3 < in->n; i++)
        if (memcmp(p + i, "\r\n\r\n", 4) == 0) return p + i + 4;
    return NULL;
}

static int status_of(const nytp_buf *in) {
    const char *p = (const char *)in->p;
    int is_http = in->n >= 12 && memcmp(p, "HTTP/1.", 7) == 0 && p[8] == ' ' && p[9] >= '1' && p[9] <= '5' &&
                  p[10] >= '0' && p[10] <= '9' && p[11] >= '0' && p[11] <= '9';
    return is_http ? (p[9] - '0') * 100 + (p[10] - '0') * 10 + (p[11] - '0') : 0;
}

/* A server may say more than once that it is at work before its reply. */
static void skip_interim(nytp_buf *in) {
    const char *body;
    while (status_of(in) / 100 == 1 && (body = body_of(in))) {
        size_t n = (size_t)(body - (const char *)in->p);
        in->n -= n;
        memmove(in->p, in->p + n, in->n);
    }
}

/* 1 when no more is needed: of a reply that takes the profile the head, of another one what fits a message. */
static int is_enough(const nytp_buf *in) {
    const char *body = body_of(in);
    int status = status_of(in);
    return body && ((status >= 200 && status < 300) || (const char *)in->p + in->n - body >= 160);
}

/* Up to the end of the connection, which the server may not know to be one; a NUL stands behind what is read. */
static void receive(const connection *c, nytp_buf *in) {
    while (!in->failed && in->n < LONGEST_REPLY && !is_enough(in) && is_ready(c, POLLIN)) {
        unsigned char *room = nytp_buf_room(in, 4096);
        ssize_t n = room ? recv(c->fd, room, 4095, 0) : 0;
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (n <= 0) break;
        in->n += (size_t)n;
        skip_interim(in);
    }
    nytp_buf_byte(in, 0);
    if (!in->failed) in->n--;
}

/* Up to the end of the line, or of the text. */
static int line_length(const char *p) { return (int)strcspn(p, "\r\n"); }

/* Where a redirecting server sends its clients; NULL: it does not say. */
static const char *location_of(const nytp_buf *in, const char *body) {
    const char *at = (const char *)in->p;
    while (body && (at = strstr(at, "\r\n")) && (at += 2) < body)
        if (strncasecmp(at, "location:", 9) == 0) return at + 9 + strspn(at + 9, " ");
    return NULL;
}

/* Behind the status line what says more: the first line of the body, or another address. */
static void quote(nytp_reply *reply, const nytp_buf *in) {
    const char *first = (const char *)in->p + 9, *body = reply->status >= 300 ? body_of(in) : NULL;
    const char *elsewhere = reply->status < 400 ? location_of(in, body) : NULL, *more = elsewhere ? elsewhere : body;
    const char *before = elsewhere ? ", it is at " : more && *more ? ": " : "";
    snprintf(reply->text, sizeof reply->text, "%.*s%s%.*s", line_length(first), first, before,
             more ? line_length(more) : 0, more ? more : "");
}

static enum nytp_code understand(const connection *c, const nytp_buf *in, nytp_reply *reply) {
    const char *p = (const char *)in->p;
    if (in->failed) return nytp_error_set(c->e, NYTP_NOMEM, "out of memory");
    if (!in->n && now() >= c->deadline) return fail(c, "no reply in time");
    if (!in->n) return fail(c, "the server has closed the connection without a reply");
    reply->status = status_of(in);
    if (!reply->status)
        return nytp_error_set(c->e, NYTP_FORMAT, "http://%s:%s: the reply is no HTTP: \"%.*s\"", c->url->host,
                              c->url->port, line_length(p) < 60 ? line_length(p) : 60, p);
    quote(reply, in);
    return NYTP_OK;
}

enum nytp_code nytp_http_post(const nytp_url *u, const nytp_post *post, nytp_reply *reply, nytp_error *e) {
    connection c = {.url = u, .e = e};
    nytp_buf head = {0}, in = {0};
    *reply = (nytp_reply){0};
    put_head(&head, u, post);
    if (head.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code && !open_connection(&c, post->seconds)) {
        send_all(&c, head.p, head.n);
        send_all(&c, (const unsigned char *)post->body.p, post->body.n);
        receive(&c, &in);
        close(c.fd);
        understand(&c, &in, reply);
    }
    nytp_buf_free(&head);
    nytp_buf_free(&in);
    return e->code;
}
