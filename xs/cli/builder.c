/* SPDX-License-Identifier: MIT */
/* builder.c - the capture of a build, and the environment by which its programs write to it. */
#include "cli/builder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/job.h"
#include "capture/outfile.h"
#include "capture/reader.h"
#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/launch.h"

/* ---- the file ---- */

static void put(nytp_buf *b, const char *text) { nytp_buf_bytes(b, text, strlen(text)); }

static void random_run(unsigned char run[16]) {
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, run, 16);
    uint64_t now = nytp_guest_now();
    if (fd >= 0) close(fd);
    if (n != 16) memcpy(run, &now, sizeof now);
}

static void make_absolute(nytp_buf *path, const nytp_buf *name, nytp_error *e) {
    char here[PATH_MAX] = "";
    if (name->p[0] != '/' && !getcwd(here, sizeof here)) nytp_error_sys(e, "make: no current directory");
    if (name->p[0] != '/') put(path, here), put(path, "/");
    nytp_buf_bytes(path, name->p, name->n);
    nytp_buf_byte(path, 0);
}

/* The lines that head(1) shows. */
static void write_text(const nytp_builder *b) {
    nytp_buf text = {0};
    char process[96];
    nytp_job_describe(process, sizeof process, b->guest.stream.process_start);
    put(&text, NYTP_FORMAT_FIRST_LINE ":program=");
    nytp_buf_escaped(&text, nytp_str_c(b->command[0]), NYTP_FORMAT_LINE_MAX / 2);
    put(&text, "\n:process=");
    put(&text, process);
    put(&text, "\n:interpreter=");
    put(&text, b->guest.recorder);
    put(&text, "\n");
    if (!text.failed && write(b->fd, text.p, text.n) < 0) text.failed = 1; /* readers need none of it */
    nytp_buf_free(&text);
}

/* The process of another build, maybe on another host, that this one is part of; 0: none. */
static uint64_t parent(void) {
    nytp_guest above;
    if (!nytp_guest_begin(&above, getenv(NYTP_GUEST_VARIABLE))) return 0;
    if (above.has_mask) nytp_mask_end(&above.mask);
    return above.parent;
}

/* All programs of the build add to the file, and it is read at the end: no device will do. */
static enum nytp_code open_file(nytp_builder *b, nytp_error *e) {
    nytp_buf used = {0};
    struct stat st;
    b->fd = nytp_outfile_open(b->file, 0, &used, e);
    if (b->fd >= 0 && (fstat(b->fd, &st) || !S_ISREG(st.st_mode)))
        nytp_error_set(e, NYTP_IO, "make: %s is a device, expected the name of a file", b->file);
    if (b->fd >= 0) make_absolute(&b->path, &used, e);
    if (used.failed || b->path.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    nytp_buf_free(&used);
    if (e->code) return e->code;
    b->guest.parent = parent();
    random_run(b->guest.stream.run);
    b->guest.file = (const char *)b->path.p;
    b->guest.program = b->command[0];
    b->guest.recorder = "launcher " NYTP_VERSION;
    b->guest.hides = b->hides;
    b->guest.has_mask = b->secret != NULL;
    if (b->secret) b->guest.mask = b->secret->mask;
    nytp_guest_renew(&b->guest);
    write_text(b);
    return NYTP_OK;
}

/* ---- the environment ---- */

/* The file of that name in the directory of what records builds; blanks and colons in its path would divide it. */
static enum nytp_code find(char path[PATH_MAX], const char *name, const char *divides, nytp_error *e) {
    nytp_launch l = {0};
    nytp_launch_locate(&l);
    int n = snprintf(path, PATH_MAX, "%s%s/%s", l.top, l.is_installed ? "/lib/nytprof" : "/build/builds", name);
    if (!l.is_located || n < 0 || n >= PATH_MAX || access(path, R_OK))
        return nytp_error_set(e, NYTP_IO, "make: %s is not there, expected it beside this command", name);
    if (path[strcspn(path, divides)])
        return nytp_error_set(e, NYTP_IO, "make: %s: a blank, colon or dollar in this path keeps it from use", path);
    return NYTP_OK;
}

/* Make passes on variables that are set in MAKEFLAGS, to all levels, and sets them in the environment of each recipe;
 * this one's value is expanded for each target. */
static void set_makeflags(const char *shell, nytp_error *e) {
    const char *flags = nytp_environment_get("MAKEFLAGS", "", "");
    nytp_environment_set(e, "MAKEFLAGS", "%s%s" NYTP_GUEST_TARGET "=$$@%s%s", flags, *flags ? " " : "",
                         *shell ? " SHELL=" : "", shell);
}

static enum nytp_code set_environment(nytp_builder *b, nytp_error *e) {
    char variable[NYTP_GUEST_ROOM], path[PATH_MAX] = "";
    int preloads = b->method == NYTP_BUILDER_PRELOAD;
    const char *loaded = nytp_environment_get("LD_PRELOAD", "", "");
    nytp_guest limited = b->guest; /* our own records are few */
    limited.limit = b->limit;
    if (!nytp_guest_spell(variable, &limited, b->start))
        return nytp_error_set(e, NYTP_USAGE, "make: %s: the name is too long", b->file);
    if (find(path, preloads ? "libnytprof-build.so" : "sh", preloads ? " :" : " \t:$#", e)) return e->code;
    if (b->secret) nytp_environment_set(e, NYTP_GUEST_MASK, "%s", (const char *)b->secret->expression.p);
    nytp_environment_set(e, NYTP_GUEST_VARIABLE, "%s", strchr(variable, '=') + 1);
    if (preloads) nytp_environment_set(e, "LD_PRELOAD", "%s%s%s", loaded, *loaded ? ":" : "", path);
    set_makeflags(preloads ? "" : path, e);
    return e->code;
}

enum nytp_code nytp_builder_open(nytp_builder *b, nytp_error *e) {
    b->start = nytp_guest_now();
    return open_file(b, e) ? e->code : set_environment(b, e);
}

/* ---- its records ---- */

void nytp_builder_begun(void *context, uint64_t pid) {
    nytp_builder *b = context;
    char *const *argv = (char *const *)(uintptr_t)b->command;
    b->pid = pid;
    nytp_guest_began(&b->guest, &(nytp_guest_process){.pid = pid, .start = b->start, .argv = argv});
}

/* What orphans of the build have used is part of it. */
void nytp_builder_ended(nytp_builder *b, int status) {
    struct rusage used = {0};
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    getrusage(RUSAGE_CHILDREN, &used);
    nytp_guest_ended(&b->guest, b->pid, b->start, status, &used, 1);
}

uint64_t nytp_builder_count(nytp_builder *b, nytp_error *e) {
    nytp_reader *reader = nytp_reader_open(b->guest.file, e);
    nytp_record r;
    uint64_t n = 0;
    while (reader && nytp_reader_next(reader, &r) > 0) {
        n += r.kind == NYTP_REC_PROCESS;
        if (r.kind == NYTP_REC_DAMAGE && !b->guest.lost) b->guest.lost = EIO;
    }
    nytp_reader_close(reader);
    return n;
}

int nytp_builder_is_full(const nytp_builder *b) {
    struct stat st;
    uint64_t most = b->limit << 20;
    return most && fstat(b->fd, &st) == 0 && (uint64_t)st.st_size > most - most / 8 - NYTP_GUEST_CHUNK;
}

void nytp_builder_close(nytp_builder *b) {
    if (b->fd >= 0) close(b->fd);
    nytp_buf_free(&b->path);
}
