/* SPDX-License-Identifier: MIT */
/* log.c - messages of the profiler, behind the program's output on standard error. */
#include "perl/glue.h"

#include "record/log.h"

/* Writes to perl's standard error, behind buffered output of the program. */
static int standard_error(pTHX) {
    PerlIO *f = PerlIO_stderr();
    PerlIO_flush(f);
    return PerlIO_fileno(f);
}

void nytp_perl_log_say(void *self, const char *line) {
    const nytp_glue *g = (const nytp_glue *)self;
    dTHXa(g->perl);
    int saved = errno;
    if (!nytp_log_to_file(&g->options, line)) nytp_log_to(standard_error(aTHX), line);
    errno = saved;
}

/* Reports it once; later messages go to standard error. */
void nytp_perl_log_check(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    char line[512];
    int saved = errno;
    if (!nytp_log_can_open(&g->options)) {
        my_snprintf(line, sizeof line, "NYTProf: cannot open log '%.400s': %.80s", g->options.log, Strerror(errno));
        nytp_log_to(standard_error(aTHX), line);
        (void)nytp_options_set(&g->options, "log", "", &e); /* without memory the log is tried again */
    }
    errno = saved;
}

void nytp_perl_log_trace(pTHX_ const nytp_glue *g, const char *format, ...) {
    char line[512] = "NYTProf: ";
    size_t prefix = strlen(line);
    va_list arguments;
    if (!g->options.trace) return;
    va_start(arguments, format);
    vsnprintf(line + prefix, sizeof line - prefix, format, arguments);
    va_end(arguments);
    nytp_perl_log_say((void *)(uintptr_t)g, line);
}
