/* SPDX-License-Identifier: MIT */
/* whence.c - where a profile comes from. */
#include "record/whence.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "record/output.h"

#define COMMAND 4096 /* bytes of a command that are kept */

static void put(nytp_recorder *r, const char *key, nytp_str value) {
    nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, nytp_str_c(key), value);
}

/* The command as the kernel has it: its words, each with a 0 behind it. A program that has given itself another name
 * may have written it over them. Without Linux's /proc there is none. */
static void put_command(nytp_recorder *r) {
    char path[64], words[COMMAND];
    snprintf(path, sizeof path, "/proc/%u/cmdline", (unsigned)nytp_output_pid(r));
    int fd = r->options->redact & NYTP_REDACT_COMMANDS ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, words, sizeof words);
    if (fd >= 0) close(fd);
    if (n > 0) put(r, "command", (nytp_str){words, (size_t)n});
}

void nytp_whence_put(nytp_recorder *r, char host[NYTP_WHENCE_HOST]) {
    char cwd[4096];
    *host = 0;
    if (gethostname(host, NYTP_WHENCE_HOST) != 0) *host = 0;
    host[NYTP_WHENCE_HOST - 1] = 0;
    put(r, "host", nytp_str_c(host));
    if (!getcwd(cwd, sizeof cwd)) *cwd = 0;
    put(r, "cwd", nytp_str_c(cwd));
    put_command(r);
}
