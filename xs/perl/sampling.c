/* SPDX-License-Identifier: MIT */
/* sampling.c - samples by a thread instead of hooks: what an interpreter tells its ticker, and when that runs.
 *
 * Nothing in the interpreter is changed for it, no bit of $^P and no op but exec, which ends it. The ticker reads
 * memory only, so what its file is to say of perl is collected here, in perl's own thread, before the ticker runs. */
#include "perl/describe.h"
#include "perl/sampling.h"

#include "sample/ticker.h"
#include "sample/toggle.h"

struct nytp_sampling {
    nytp_ticker *ticker;
    const nytp_glue *g;
    nytp_buf opening; /* pairs that open a capture, each with the kind of its record */
};

/* ---- what opens a capture ---- */

static void collect(void *self, const nytp_record *r, nytp_error *e) {
    nytp_buf *to = (nytp_buf *)self;
    nytp_buf_u(to, r->kind);
    nytp_buf_str(to, r->u.pair.key);
    nytp_buf_str(to, r->u.pair.value);
    if (to->failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
}

static void nothing(void *self, nytp_error *e) {
    PERL_UNUSED_VAR(self);
    PERL_UNUSED_VAR(e);
}

static int collect_opening(pTHX_ const nytp_glue *g, nytp_buf *to) {
    nytp_stream_id none = {0};
    nytp_writer_outlet outlet = {collect, nothing, nothing, to};
    nytp_writer *w = nytp_writer_open_outlet(&outlet, &none);
    if (!w) return 0;
    nytp_describe_perl(aTHX_ g, w);
    nytp_writer_close(w);
    return !to->failed;
}

static void describe(void *self, nytp_writer *w) {
    const struct nytp_sampling *s = (const struct nytp_sampling *)self;
    nytp_cursor at = {s->opening.p, s->opening.p + s->opening.n, 0};
    while (at.p < at.end && !at.failed) {
        enum nytp_kind kind = (enum nytp_kind)nytp_cursor_u(&at);
        nytp_str key = nytp_cursor_str(&at), value = nytp_cursor_str(&at);
        nytp_writer_pair(w, kind, key, value);
    }
    nytp_describe_clock(&nytp_ticker_sampler(s->ticker)->session.r, w);
}

/* ---- the ticker ---- */

static int is_here(void *self) {
#ifdef PERL_IMPLICIT_CONTEXT
    return PERL_GET_CONTEXT == ((const struct nytp_sampling *)self)->g->perl;
#else
    PERL_UNUSED_VAR(self);
    return 1;
#endif
}

/* In no code, as the interpreters that mod_perl has made for requests to come. */
static int is_free(void *self) {
#ifdef PERL_IMPLICIT_CONTEXT
    dTHXa((PerlInterpreter *)(uintptr_t)((const struct nytp_sampling *)self)->g->perl);
    return PL_curcop == &PL_compiling && !PL_parser && PL_curstackinfo->si_type == PERLSI_MAIN && cxstack_ix < 0;
#else
    PERL_UNUSED_VAR(self);
    return 0;
#endif
}

static nytp_ticker_front front_of(pTHX_ nytp_glue *g, struct nytp_sampling *s, nytp_outlet *outlet) {
    nytp_ticker_front all = {0};
    all.front.self = s;
    all.front.number = NYTP_FRONT_PERL;
    all.front.interpreter = nytp_str_c(g->interpreter);
    all.front.program = nytp_describe_program(aTHX_ g);
    all.front.shares_name = (uint32_t)nytp_describe_is_for_all();
    all.front.outlet = outlet;
    all.front.describe = describe;
    all.is_here = is_here;
    all.is_free = is_free;
    all.lock = nytp_interp_lock;
    all.unlock = nytp_interp_unlock;
    all.perl = nytp_structs_here(aTHX);
    all.layout = nytp_structs_layout(aTHX);
    return all;
}

static void forget(nytp_glue *g) {
    if (!g->sampling) return;
    nytp_buf_free(&g->sampling->opening);
    free(g->sampling);
    g->sampling = NULL;
}

static struct nytp_sampling *make(pTHX_ nytp_glue *g, uint32_t number, nytp_outlet *outlet, nytp_error *e) {
    struct nytp_sampling *s = (struct nytp_sampling *)calloc(1, sizeof *s);
    g->sampling = s;
    if (!s || !collect_opening(aTHX_ g, &s->opening)) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
    } else {
        s->g = g;
        nytp_ticker_front front = front_of(aTHX_ g, s, outlet);
        s->ticker = nytp_ticker_make(&front, &g->options, g->is_thread ? number : 0, e);
    }
    if (e->code) forget(g);
    return g->sampling;
}

/* As where an exact profile cannot begin: a program profiled by itself dies, others go on. */
static void fail(pTHX_ const nytp_glue *g, const nytp_error *e) {
    if (!g->is_thread && !nytp_describe_is_for_all()) {
        errno = (int)e->sys;
        croak("NYTProf: sample=%ld: %s", (long)g->options.sample, e->text);
    }
    SV *line = sv_2mortal(newSVpvf("NYTProf: sample=%ld: %s; pid %ld is not sampled", (long)g->options.sample, e->text,
                                  (long)getpid()));
    nytp_perl_log_say((void *)(uintptr_t)g, SvPV_nolen(line));
}

static int begin(pTHX_ nytp_glue *g, uint32_t number, nytp_outlet *outlet) {
    nytp_error e = {0};
    int saved = errno;
    struct nytp_sampling *s = g->sampling ? g->sampling : make(aTHX_ g, number, outlet, &e);
    if (s) nytp_ticker_on(s->ticker, &e);
    if (e.code) fail(aTHX_ g, &e);
    errno = saved;
    return !e.code;
}

/* For a signal a ticker is made before it is to run: only perl's own thread may do so. */
static int take_signal(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    if (!*g->options.sigtoggle) return 1;
    if (g->sampling || make(aTHX_ g, 0, NULL, &e)) nytp_toggle_take(&g->options, &e);
    if (e.code) fail(aTHX_ g, &e);
    return !e.code;
}

/* ---- what the program calls ---- */

static int is_on(const nytp_glue *g) { return g->sampling && nytp_ticker_is_on(g->sampling->ticker); }

nytp_recorder *nytp_sampling_recorder(const nytp_glue *g) {
    return is_on(g) ? &nytp_ticker_sampler(g->sampling->ticker)->session.r : NULL;
}

int nytp_sampling_init(pTHX_ nytp_glue *g) {
    if (g->perl != THIS_PERL || !g->options.sample) return 0;
    if (g->options.format == NYTP_OUTPUT_V5) croak("NYTProf: sample=%d needs format=1", (int)g->options.sample);
    if (g->options.memory) {
        char line[100];
        my_snprintf(line, sizeof line, "NYTProf: sample=%d: option memory is for counting, and ignored",
                    (int)g->options.sample);
        nytp_perl_log_say(g, line);
    }
    g->samples = 1;
    return (g->options.start == NYTP_START_NO || begin(aTHX_ g, 0, NULL)) && take_signal(aTHX_ g);
}

int nytp_sampling_enable(pTHX_ nytp_glue *g, const char *file) {
    nytp_error e = {0};
    int was_on = is_on(g);
    if (file && strNE(file, g->options.file)) {
        nytp_sampling_finish(g);
        if (nytp_options_set(&g->options, "file", file, &e) < 0) croak("NYTProf: %s", e.text);
    }
    if (!is_on(g)) begin(aTHX_ g, 0, NULL);
    return was_on;
}

int nytp_sampling_disable(nytp_glue *g) {
    int saved = errno, was_on = is_on(g);
    if (was_on) nytp_ticker_off(g->sampling->ticker);
    errno = saved;
    return was_on;
}

void nytp_sampling_finish(nytp_glue *g) {
    int saved = errno;
    if (g->sampling) nytp_ticker_end(g->sampling->ticker);
    forget(g);
    errno = saved;
}

void nytp_sampling_before_exec(void) {
    int saved = errno;
    nytp_ticker_before_exec();
    errno = saved;
}

/* ---- threads ---- */

/* perl is still making the clone, and another thread will run it. */
void nytp_sampling_clone(pTHX_ nytp_glue *g, nytp_glue *from, uint32_t number, nytp_outlet *outlet) {
    nytp_error e = {0};
    int is_sampled = is_on(from);
    g->samples = 1;
    if (!is_sampled && !(from->sampling && *g->options.sigtoggle)) return;
    nytp_ticker_share(from->sampling->ticker, outlet);
    if (is_sampled) begin(aTHX_ g, number, outlet);
    else if (!make(aTHX_ g, number, outlet, &e)) fail(aTHX_ g, &e);
}
