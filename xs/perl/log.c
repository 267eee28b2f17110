/* log.c - what the profiler has to say: to standard error, or to the file that the log option names.
 *
 * Written without perl's buffers: there may be no memory for one, and that may be what there is to say. */
#include "perl/glue.h"

#include <fcntl.h>
#include <unistd.h>

static int open_log(const nytp_glue *g) {
    return open(g->options.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* In one piece, for other processes may write to it, too. */
static void put(int fd, const char *line) {
    char text[1024];
    int n = my_snprintf(text, sizeof text, "%.1000s\n", line);
    if (write(fd, text, (size_t)n) < 0) return; /* there is nobody to tell */
}

/* Where the program's own messages go, behind those that it has not written yet. */
static int standard_error(pTHX) {
    PerlIO *f = PerlIO_stderr();
    PerlIO_flush(f);
    return PerlIO_fileno(f);
}

void nytp_log_say(void *self, const char *line) {
    const nytp_glue *g = (const nytp_glue *)self;
    dTHXa(g->perl);
    int saved = errno;
    int log = *g->options.log ? open_log(g) : -1;
    put(log >= 0 ? log : standard_error(aTHX), line);
    if (log >= 0) close(log);
    errno = saved;
}

/* Said once, and what follows goes to standard error. */
void nytp_log_check(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    char line[512];
    int saved = errno, log = open_log(g);
    if (log >= 0) {
        close(log);
    } else {
        my_snprintf(line, sizeof line, "NYTProf: cannot open log '%.400s': %.80s", g->options.log, Strerror(errno));
        put(standard_error(aTHX), line);
        (void)nytp_options_set(&g->options, "log", "", &e); /* without memory it is tried again, in vain */
    }
    errno = saved;
}

void nytp_log_trace(pTHX_ const nytp_glue *g, const char *format, ...) {
    char line[512] = "NYTProf: ";
    size_t prefix = strlen(line);
    va_list arguments;
    if (!g->options.trace) return;
    va_start(arguments, format);
    vsnprintf(line + prefix, sizeof line - prefix, format, arguments);
    va_end(arguments);
    nytp_log_say((void *)(uintptr_t)g, line);
}
