/* log.c - what the profiler has to say: to standard error, or to the file that the log option names. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "lua/glue.h"

void nytp_log_line(const nytp_options *o, const char *line) {
    char text[1024];
    int saved = errno;
    int log = *o->log ? open(o->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    int n = snprintf(text, sizeof text, "%.1000s\n", line);
    ssize_t written = write(log >= 0 ? log : STDERR_FILENO, text, (size_t)n);
    (void)written; /* there is nobody to tell */
    if (log >= 0) close(log);
    errno = saved;
}
