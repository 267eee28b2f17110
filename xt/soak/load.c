/* SPDX-License-Identifier: MIT
 *
 * Sends requests to a server on this host over connections that are kept alive, one request at a time on each, and
 * compares every answer:
 *
 *     load PORT REQUESTS CONNECTIONS PATH=BODY...
 *
 * The paths are asked for in turn. Prints one line: answers that were as expected, others, connections, and the time
 * from a request to its whole answer in microseconds, as median and 99th percentile. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 64, MOST_PATHS = 16, MOST_ANSWER = 4096, SILENCE = 60000 /* ms */ };

typedef struct {
    int fd;
    int path;         /* that was asked for, -1 without a request */
    int answered;     /* requests on this connection */
    uint64_t since;
    size_t got;
    char answer[MOST_ANSWER];
} connection;

typedef struct {
    const char *port, *path[MOST_PATHS], *body[MOST_PATHS];
    int paths, epoll, connections;
    long wanted, asked, good, bad, opened;
    uint32_t *took; /* nanoseconds, of each request */
} load;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void open_connection(load *l, connection *c)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(l->port))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof to) != 0) fail(l->port);
    int yes = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &event) != 0) fail("epoll_ctl");
    c->answered = 0;
    l->opened++;
}

static void send_request(load *l, connection *c)
{
    char request[256];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", l->path[c->path]);
    c->got = 0;
    c->since = now();
    if (send(c->fd, request, (size_t)length, MSG_NOSIGNAL) != length && errno != EPIPE && errno != ECONNRESET)
        fail("send");
}

static void ask(load *l, connection *c)
{
    c->path = -1;
    if (l->asked == l->wanted) return;
    c->path = (int)(l->asked++ % l->paths);
    send_request(l, c);
}

static void take(load *l, connection *c, bool good)
{
    l->took[l->good + l->bad] = (uint32_t)(now() - c->since);
    if (good)
        l->good++;
    else if (l->bad++ == 0)
        fprintf(stderr, "load: %s has this answer:\n%s\n", l->path[c->path], c->answer);
    c->answered++;
    c->path = -1;
}

/* A header's value, NULL if the answer has no such header. */
static const char *header(const char *answer, const char *name)
{
    for (const char *line = strstr(answer, "\r\n"); line && line[2] != '\r'; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, strlen(name)) == 0) return line + 2 + strlen(name);
    return NULL;
}

/* Takes the answer if it is complete, and asks for the next one. */
static bool look(load *l, connection *c)
{
    const char *end = strstr(c->answer, "\r\n\r\n");
    if (!end) return true;
    const char *length = header(c->answer, "Content-Length:");
    size_t wanted = length ? strtoul(length, NULL, 10) : 0;
    size_t body = c->got - (size_t)(end + 4 - c->answer);
    if (body < wanted) return true;
    take(l, c, strncmp(c->answer, "HTTP/1.1 200 ", 13) == 0 && body == strlen(l->body[c->path]) &&
               memcmp(end + 4, l->body[c->path], body) == 0);
    const char *connection_is = header(c->answer, "Connection:");
    if (connection_is && strncasecmp(connection_is, " close", 6) == 0) return false;
    ask(l, c);
    return true;
}

/* A server may close a connection that was idle just when the next request is on its way: it is sent again. */
static void reopen(load *l, connection *c)
{
    close(c->fd);
    if (c->path >= 0 && c->got == 0 && c->answered > 0) {
        open_connection(l, c);
        send_request(l, c);
        return;
    }
    if (c->path >= 0) take(l, c, false);
    if (l->asked == l->wanted) return;
    open_connection(l, c);
    ask(l, c);
}

static void hear(load *l, connection *c)
{
    ssize_t got = recv(c->fd, c->answer + c->got, sizeof c->answer - 1 - c->got, 0);
    if (got <= 0 || c->path < 0) {
        reopen(l, c);
        return;
    }
    c->got += (size_t)got;
    c->answer[c->got] = '\0';
    if (!look(l, c)) reopen(l, c);
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print(load *l, double seconds)
{
    long done = l->good + l->bad;
    qsort(l->took, (size_t)done, sizeof *l->took, by_size);
    printf("good=%ld bad=%ld connections=%ld seconds=%.3f p50=%.1f p99=%.1f\n", l->good, l->bad, l->opened, seconds,
           l->took[done / 2] / 1e3, l->took[done - 1 - done / 100] / 1e3);
}

int main(int argc, char **argv)
{
    static connection connections[MOST_CONNECTIONS];
    if (argc < 5 || argc - 4 > MOST_PATHS || atoi(argv[3]) > MOST_CONNECTIONS) {
        fprintf(stderr, "usage: load PORT REQUESTS CONNECTIONS PATH=BODY...\n");
        return 2;
    }
    load l = {.port = argv[1], .wanted = atol(argv[2]), .connections = atoi(argv[3]), .epoll = epoll_create1(0)};
    for (; l.paths < argc - 4; l.paths++) {
        char *equals = strchr(argv[4 + l.paths], '=');
        if (!equals) return 2;
        *equals = '\0';
        l.path[l.paths] = argv[4 + l.paths];
        l.body[l.paths] = equals + 1;
    }
    l.took = calloc((size_t)l.wanted + 1, sizeof *l.took);
    if (!l.took) fail("memory");
    uint64_t start = now();
    for (int i = 0; i < l.connections; i++) {
        open_connection(&l, &connections[i]);
        ask(&l, &connections[i]);
    }
    while (l.good + l.bad < l.wanted) {
        struct epoll_event events[MOST_CONNECTIONS];
        int ready = epoll_wait(l.epoll, events, MOST_CONNECTIONS, SILENCE);
        if (ready == 0) errno = ETIMEDOUT;
        if (ready <= 0) fail("no answer");
        for (int i = 0; i < ready; i++) hear(&l, events[i].data.ptr);
    }
    print(&l, (double)(now() - start) / 1e9);
    return l.bad ? 1 : 0;
}
