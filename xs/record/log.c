/* SPDX-License-Identifier: MIT */
/* log.c - lines to the log file or to standard error. */
#include "record/log.h"

#include "capture/append.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int open_log(const nytp_options *o) {
    return open(o->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void nytp_log_to(int fd, const char *line) {
    char text[1024];
    int saved = errno, n = snprintf(text, sizeof text, "%.1000s\n", line);
    (void)nytp_append_quietly(fd, text, (size_t)n); /* a failure could only be written to the same file */
    errno = saved;
}

int nytp_log_to_file(const nytp_options *o, const char *line) {
    int saved = errno, log = *o->log ? open_log(o) : -1;
    if (log >= 0) {
        nytp_log_to(log, line);
        close(log);
    }
    errno = saved;
    return log >= 0;
}

void nytp_log_line(const nytp_options *o, const char *line) {
    if (!nytp_log_to_file(o, line)) nytp_log_to(STDERR_FILENO, line);
}

int nytp_log_can_open(const nytp_options *o) {
    int log = open_log(o);
    if (log >= 0) close(log);
    return log >= 0;
}
