/* SPDX-License-Identifier: MIT */
/* guest.c - a stream that is written inside another program. */
#include "capture/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/crc.h"
#include "capture/fields.h"
#include "capture/head.h"

#define DIRECTORY_MAX PATH_MAX
#define COMMAND_MAX 8192u
#define OTHER_MAX 1024u            /* bytes of any other text */
#define RECORD_MAX (16u << 10)     /* more than the longest record has */
#define CHUNK_MAX (RECORD_MAX + 4096u) /* that, and what begins a stream */

/* A chunk in memory of its own: its buffers never grow, as no record is longer than its room. */
typedef struct sheet {
    uint64_t most; /* bytes that the file may have then; 0: any number */
    unsigned char bytes[NYTP_FORMAT_CHUNK_HEAD + CHUNK_MAX], fields[RECORD_MAX];
    nytp_buf chunk;
} sheet;

/* ---- clocks ---- */

static uint64_t read_clock(clockid_t id) {
    struct timespec t = {0};
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t nytp_guest_now(void) { return read_clock(CLOCK_MONOTONIC); }

/* ---- the variable: 1:RUN:START:SETTINGS:FILE, settings being hides, twice the limit, and MASKS ---- */

#define MASKS (UINT64_C(1) << 40) /* together with hides: for a reader that does not know masks, or has none */

extern char **environ;

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decimal digits and a colon; returns the address behind them, NULL for anything else. */
static const char *read_number(const char *p, uint64_t *number) {
    const char *begin = p;
    for (*number = 0; p && *p >= '0' && *p <= '9' && p - begin < 19; p++) *number = 10 * *number + (uint64_t)(*p - '0');
    return p && p > begin && *p == ':' ? p + 1 : NULL;
}

static const char *read_run(const char *p, unsigned char run[16]) {
    for (int i = 0; p && i < 16; i++, p += 2) {
        if (digit_of(p[0]) < 0 || digit_of(p[1]) < 0) return NULL;
        run[i] = (unsigned char)(digit_of(p[0]) << 4 | digit_of(p[1]));
    }
    return p && *p == ':' ? p + 1 : NULL;
}

void nytp_guest_renew(nytp_guest *g) {
    g->stream.process_start = read_clock(CLOCK_REALTIME);
    g->stream.pid = (uint32_t)getpid();
    g->stream.front_end = NYTP_FRONT_BUILD;
    g->chunks = 0;
}

char *const *nytp_guest_find(char *const *environment, const char *name) {
    static char *const none[] = {NULL};
    size_t n = strlen(name);
    char *const *at = environment ? environment : none;
    while (*at && (strncmp(*at, name, n) != 0 || (*at)[n] != '=')) at++;
    return at;
}

static const char *value_of(char *const *environment, const char *name) {
    char *const *at = nytp_guest_find(environment, name);
    return *at ? *at + strlen(name) + 1 : "";
}

static int begin_mask(nytp_guest *g) {
    const char *text = value_of(environ, NYTP_GUEST_MASK);
    return *text && nytp_mask_begin(&g->mask, text);
}

int nytp_guest_begin(nytp_guest *g, const char *value) {
    uint64_t version, settings;
    *g = (nytp_guest){.program = "", .recorder = ""};
    const char *p = read_number(value, &version);
    if (!p || version != 1) return 0;
    p = read_run(p, g->stream.run);
    p = read_number(p, &g->parent);
    p = read_number(p, &settings);
    if (!p || *p != '/' || strlen(p) >= PATH_MAX) return 0;
    g->has_mask = settings & MASKS && begin_mask(g);
    g->hides = settings % 2 && !g->has_mask;
    g->limit = settings % MASKS >> 1;
    g->file = p;
    nytp_guest_renew(g);
    return 1;
}

static char *put_text(char *to, const char *text) {
    size_t n = strlen(text);
    memcpy(to, text, n + 1);
    return to + n;
}

static char *put_number(char *to, uint64_t number) {
    char digits[24], *p = digits + sizeof digits - 1;
    *p = 0;
    do *--p = (char)('0' + number % 10);
    while (number /= 10);
    return put_text(to, p);
}

int nytp_guest_spell(char *to, const nytp_guest *g, uint64_t start) {
    if (strlen(g->file) >= PATH_MAX) return 0;
    to = put_text(to, NYTP_GUEST_VARIABLE "=1:");
    for (int i = 0; i < 16; i++) {
        *to++ = "0123456789abcdef"[g->stream.run[i] >> 4];
        *to++ = "0123456789abcdef"[g->stream.run[i] & 15];
    }
    *to++ = ':';
    to = put_number(to, start);
    *to++ = ':';
    to = put_number(to, 2 * g->limit + (g->has_mask ? MASKS + 1 : g->hides != 0));
    *to++ = ':';
    put_text(to, g->file);
    return 1;
}

/* ---- chunks ---- */

static nytp_str cut(const char *text, size_t most) { return (nytp_str){text, strnlen(text, most)}; }

static void begin_sheet(sheet *s, const nytp_guest *g) {
    s->most = g->limit << 20;
    s->chunk = (nytp_buf){.p = s->bytes, .cap = sizeof s->bytes, .n = NYTP_FORMAT_CHUNK_HEAD};
}

static void put(sheet *s, uint32_t kind, const void *record) {
    nytp_buf fields = {.p = s->fields, .cap = sizeof s->fields};
    uint64_t before[NYTP_FORMAT_FIELDS] = {0};
    nytp_fields_put(&fields, nytp_format_row(kind), record, before);
    nytp_buf_u(&s->chunk, kind);
    nytp_buf_str(&s->chunk, (nytp_str){(const char *)fields.p, fields.n});
}

/* Whether the limits for the size permit so many bytes more: beyond the process's own a signal ends the program. */
static int has_room(int fd, size_t n, uint64_t most) {
    struct rlimit limit;
    struct stat st;
    if (getrlimit(RLIMIT_FSIZE, &limit)) limit.rlim_cur = RLIM_INFINITY;
    if (limit.rlim_cur == RLIM_INFINITY && !most) return 1;
    if (fstat(fd, &st)) return 0;
    return (uint64_t)st.st_size + n <= limit.rlim_cur && (!most || (uint64_t)st.st_size + n <= most);
}

/* Opens the file only for this one write: a program's descriptors are its own. */
static void append(nytp_guest *g, const unsigned char *p, size_t n, uint64_t most) {
    ssize_t written = -1;
    int fd = open(g->file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    errno = fd < 0 ? errno : has_room(fd, n, most) ? 0 : EFBIG;
    while (!errno && (written = write(fd, p, n)) < 0 && errno == EINTR) errno = 0;
    if (written != (ssize_t)n) g->lost = errno ? errno : ENOSPC;
    if (fd >= 0) close(fd);
}

static void write_sheet(sheet *s, nytp_guest *g, uint64_t start) {
    uint32_t n = (uint32_t)(s->chunk.n - NYTP_FORMAT_CHUNK_HEAD);
    nytp_chunk_info c = {.stream = g->stream, .number = ++g->chunks, .start = (int64_t)start,
                         .end = (int64_t)nytp_guest_now(), .stored = n, .raw = n, .version = NYTP_FORMAT_VERSION};
    nytp_buf head = {.p = s->bytes, .cap = NYTP_FORMAT_CHUNK_HEAD};
    nytp_head_put(&head, &c);
    nytp_head_sign(s->bytes, nytp_crc_add(0, s->bytes + NYTP_HEAD_SUMMED, s->chunk.n - NYTP_HEAD_SUMMED));
    append(g, s->bytes, s->chunk.n, s->most);
}

static void begin_stream(sheet *s, const nytp_guest *g) {
    struct utsname system = {0};
    begin_sheet(s, g);
    if (g->chunks) return;
    nytp_rec_process_start start = {
        .parent_pid = (uint64_t)getppid(), .start = read_clock(CLOCK_REALTIME),
        .start_ticks = (int64_t)nytp_guest_now(), .ticks_per_second = 1000000000, .resolution = 1,
        .clock_id = CLOCK_MONOTONIC, .clock_name = NYTP_LIT("monotonic"), .program = cut(g->program, OTHER_MAX),
        .interpreter = cut(g->recorder, OTHER_MAX)};
    char digits[24];
    uname(&system);
    put_number(digits, g->parent);
    nytp_rec_pair host = {NYTP_LIT("host"), cut(system.nodename, OTHER_MAX)};
    nytp_rec_pair build = {NYTP_LIT("build"), nytp_str_c(digits)};
    put(s, NYTP_REC_PROCESS_START, &start);
    put(s, NYTP_REC_PROPERTY, &host);
    if (g->parent) put(s, NYTP_REC_PROPERTY, &build);
}

/* ---- records ---- */

static uint64_t level_of(char *const *environment) {
    uint64_t level = 0;
    for (const char *p = value_of(environment, "MAKELEVEL"); *p >= '0' && *p <= '9' && level < 100000; p++)
        level = 10 * level + (uint64_t)(*p - '0');
    return level;
}

/* All of an argument is left out where the C library fails. */
static size_t put_masked(const nytp_guest *g, char *to, size_t room, const char *argument) {
    const size_t all = sizeof NYTP_MASK_TEXT;
    size_t n = nytp_mask_put(&g->mask, to, room, argument);
    if (!n) memcpy(to, NYTP_MASK_TEXT, room < all ? room : all);
    return n ? n : all;
}

/* Arguments in a row, each with its NUL, as many bytes as there is room for. */
static void gather(nytp_rec_process *r, char *const *argv, const nytp_guest *g, char *to) {
    size_t n = 0;
    for (; argv && argv[r->words]; r->words++) {
        const char *argument = argv[r->words];
        size_t room = g->hides && r->words ? 0 : COMMAND_MAX - n;
        size_t length = g->has_mask ? put_masked(g, to + n, room, argument) : strlen(argument) + 1;
        size_t fits = length < room ? length : room;
        if (!g->has_mask) memcpy(to + n, argument, fits);
        n += fits;
        r->cut += length - fits;
    }
    r->command = (nytp_str){to, n};
}

void nytp_guest_began(nytp_guest *g, const nytp_guest_process *p) {
    int saved = errno;
    sheet s;
    char directory[DIRECTORY_MAX], command[COMMAND_MAX];
    nytp_rec_process r = {.pid = p->pid, .start = p->start, .parent = g->parent, .level = level_of(p->environment)};
    begin_stream(&s, g);
    if (getcwd(directory, sizeof directory)) r.directory = cut(directory, sizeof directory);
    r.target = cut(value_of(p->environment, NYTP_GUEST_TARGET), OTHER_MAX);
    gather(&r, p->argv, g, command);
    put(&s, NYTP_REC_PROCESS, &r);
    s.most -= s.most / 8; /* the rest is for ends of those that run */
    write_sheet(&s, g, p->start);
    errno = saved;
}

static uint64_t microseconds(struct timeval t) { return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_usec; }

nytp_rec_exit nytp_guest_exit(uint64_t pid, uint64_t start, int status, const struct rusage *used) {
    nytp_rec_exit r = {.pid = pid, .start = start, .end = nytp_guest_now(), .status = (uint64_t)WEXITSTATUS(status)};
    if (WIFSIGNALED(status))
        r.status = (uint64_t)WTERMSIG(status) + NYTP_STATUS_SIGNAL + (WCOREDUMP(status) ? NYTP_STATUS_CORE : 0u);
    r.user_us = microseconds(used->ru_utime);
    r.system_us = microseconds(used->ru_stime);
    r.max_rss_kb = (uint64_t)used->ru_maxrss;
    r.minor_faults = (uint64_t)used->ru_minflt;
    r.major_faults = (uint64_t)used->ru_majflt;
    r.blocks_in = (uint64_t)used->ru_inblock;
    r.blocks_out = (uint64_t)used->ru_oublock;
    r.switches = (uint64_t)used->ru_nvcsw;
    r.forced_switches = (uint64_t)used->ru_nivcsw;
    return r;
}

void nytp_guest_ended(nytp_guest *g, uint64_t pid, uint64_t start, int status, const struct rusage *used,
                      int is_last) {
    int saved = errno;
    sheet s;
    nytp_rec_exit r = nytp_guest_exit(pid, start, status, used);
    nytp_rec_end end = {NYTP_END_FINISHED, g->chunks + 1};
    begin_stream(&s, g);
    put(&s, NYTP_REC_EXIT, &r);
    if (is_last) put(&s, NYTP_REC_END, &end);
    write_sheet(&s, g, r.end);
    errno = saved;
}

void nytp_guest_open(nytp_guest *g) {
    int saved = errno;
    sheet s;
    begin_stream(&s, g);
    write_sheet(&s, g, nytp_guest_now());
    errno = saved;
}

void nytp_guest_end(nytp_guest *g, uint64_t how) {
    int saved = errno;
    sheet s;
    nytp_rec_end r = {how, g->chunks + 1};
    if (!g->chunks) return;
    begin_sheet(&s, g);
    put(&s, NYTP_REC_END, &r);
    write_sheet(&s, g, nytp_guest_now());
    errno = saved;
}
