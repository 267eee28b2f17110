/* SPDX-License-Identifier: MIT */
/* life.c - from `require "nytprof"` to the end of the file: the profiled threads, start and end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/calibrate.h"
#include "record/log.h"
#include "record/target.h"
#include "record/settings.h"
#include "ruby/glue.h"

/* State of the process: fork and exit handlers have no argument, and all threads write to one file. Guarded by Ruby's
 * lock: only the main Ractor, in which the profiler was started, has events. */
static struct {
    nytp_session session; /* the model for all threads' sessions */
    nytp_ruby *all;
    nytp_outlet outlet;
    VALUE program; /* until the program has begun; else 0 */
    VALUE text;    /* of the option -e, or nil */
    VALUE kept;    /* a hash: paths of callees */
    VALUE freed;   /* a finalizer */
    uint32_t on, starts;
} process = {.outlet = NYTP_OUTLET_NONE, .text = Qnil, .starts = 1}; /* 0: a stack not begun */

/* The state of this thread, valid during the start of the profiler that made it: stop frees those of all threads. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    nytp_ruby *state;
    uint32_t start;
} here;

static nytp_ruby *mine(void) { return NYTP_LIKELY(here.start == process.starts) ? here.state : NULL; }

static nytp_ruby *make_mine(nytp_ruby *g) {
    here.state = g;
    here.start = process.starts;
    return g;
}

uint32_t nytp_ruby_life_starts(void) { return process.starts; }

/* ---- objects of Ruby ---- */

VALUE nytp_ruby_life_by_identity(void) {
    VALUE hash = rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0);
    rb_gc_register_mark_object(hash);
    return hash;
}

void nytp_ruby_life_keep(VALUE path) { rb_hash_aset(process.kept, path, Qtrue); }

/* Runs before the address can be another object's. */
static VALUE forget_classes(RB_BLOCK_CALL_FUNC_ARGLIST(id, none)) {
    (void)id, (void)none, (void)argc, (void)argv, (void)blockarg;
    for (nytp_ruby *g = process.all; g; g = g->next) nytp_callee_freed(g);
    return Qnil;
}

/* A frozen class takes no finalizer. */
void nytp_ruby_life_watch(VALUE klass) {
    if (!NIL_P(klass) && !OBJ_FROZEN(klass)) rb_define_finalizer(klass, process.freed);
}

nytp_str nytp_ruby_life_text(void) {
    VALUE text = process.text;
    return NIL_P(text) ? NYTP_LIT("") : (nytp_str){RSTRING_PTR(text), (size_t)RSTRING_LEN(text)};
}

/* ---- threads ---- */

static void end(nytp_ruby *g) {
    nytp_callee_free(g);
    nytp_session_stop(&g->s);
    free(g);
}

/* NULL when memory is short. */
static nytp_ruby *make(void) {
    nytp_ruby_stack *stack = nytp_ruby_hook_stack();
    nytp_ruby *g = stack ? calloc(1, sizeof *g) : NULL;
    if (g) g->stack = stack;
    return g;
}

static nytp_ruby *begin(nytp_error *e) {
    nytp_ruby *g = make();
    if (!g) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return NULL;
    }
    if (nytp_session_start_thread(&g->s, &process.session, e)) {
        end(g);
        return NULL;
    }
    g->next = process.all;
    return process.all = make_mine(g);
}

void nytp_ruby_life_leave(void) {
    nytp_ruby **at = &process.all, *g = mine();
    if (!g) return;
    while (*at && *at != g) at = &(*at)->next;
    if (*at) *at = g->next;
    make_mine(NULL);
    end(g);
}

/* Loaded by -r, profiling begins with the program: with a line of the file in $0. */
static int has_begun(rb_trace_arg_t *arg) {
    if (!process.program) return 1;
    VALUE path = rb_tracearg_path(arg);
    if (NIL_P(path) || FIX2INT(rb_tracearg_lineno(arg)) == 0 || !RTEST(rb_str_equal(path, process.program))) return 0;
    if (strcmp(RSTRING_PTR(path), "-e") == 0) process.text = nytp_ruby_name_text_of_option();
    process.program = 0;
    return 1;
}

/* A thread that cannot begin is the last to try; those that are recorded go on. */
NYTP_COLD nytp_ruby *arrive(rb_trace_arg_t *arg) {
    nytp_error e = {0};
    char line[NYTP_ERROR_TEXT + 64];
    if (!process.on || !has_begun(arg)) return NULL;
    nytp_ruby *g = begin(&e);
    if (g) return g;
    process.on = 0;
    snprintf(line, sizeof line, "NYTProf: not profiled: %s", e.text);
    nytp_log_line(&process.session.options, line);
    return NULL;
}

nytp_ruby *nytp_ruby_life_here(rb_trace_arg_t *arg) {
    nytp_ruby *g = mine();
    return NYTP_LIKELY(g != NULL) ? g : arrive(arg);
}

/* Ruby runs one thread after another in the same of the system's, and tells no end of one that is killed. */
void nytp_ruby_life_enter(rb_trace_arg_t *arg) {
    nytp_ruby_life_leave();
    nytp_ruby *g = arrive(arg);
    if (g) g->ends_with = g->stack;
}

/* ---- the end of processes, and new ones ---- */

void nytp_ruby_life_end_role(int how) {
    for (nytp_ruby *g = process.all; g; g = g->next) nytp_session_sum_up(&g->s.r, how);
}

/* In a forked child only this thread exists. Data of the others belongs to the parent: it is neither written nor
 * freed. */
static void in_child(void *self) {
    (void)self;
    process.all = mine();
    if (process.all) process.all->next = NULL;
}

/* Also where no thread can be recorded any more. */
static void stop(void) {
    if (!process.session.options.file) return;
    nytp_ruby_hook_set(0, 0);
    process.on = 0;
    process.program = 0;
    process.starts++;
    for (nytp_ruby *g; (g = process.all) != NULL;) {
        process.all = g->next;
        end(g);
    }
    nytp_session_stop(&process.session);
}

static void at_end(VALUE none) {
    (void)none;
    stop();
}

/* ---- start ---- */

nytp_ruby *nytp_ruby_life_borrow(void) {
    process.starts++;
    nytp_error e = {0};
    nytp_ruby *g = make();
    if (g && nytp_session_rehearse(&g->s, &process.session, &e)) {
        end(g);
        g = NULL;
    }
    return make_mine(g);
}

void nytp_ruby_life_give_back(nytp_ruby *g) {
    process.starts++;
    end(g);
}

/* Threads of a child that is not profiled are not profiled, either. */
static void stopped(void *self) {
    (void)self;
    process.on = 0;
}

#define WORDS \
    "sub=method;subs=methods;Sub=Method;Subs=Methods;call=method call;calls=method calls;" \
    "statement=line run;statements=lines run;Statements=Lines run;unit=line;" \
    "eval=eval;evals=evals;Eval=An eval;Evals=Evals;in_c=method in C;no_source=Without Ruby source: methods in C;" \
    "no_file=Methods in C, by class, with their callers.;" \
    "package=class;packages=classes;Package=Class;no_package=No class"

static int open_session(nytp_error *e) {
    char interpreter[64];
    int is_redacted = (process.session.options.redact & NYTP_REDACT_COMMANDS) != 0; /* a program puts more into $0 */
    VALUE name = is_redacted ? rb_argv0 : rb_gv_get("$0");
    const char *options = getenv("RUBYOPT"); /* for all Rubies started from here */
    snprintf(interpreter, sizeof interpreter, "Ruby %s", ruby_version);
    const nytp_front front = {.program = nytp_str_c(RB_TYPE_P(name, T_STRING) ? StringValueCStr(name) : "ruby"),
                              .interpreter = nytp_str_c(interpreter), .root = NYTP_LIT("<main>"),
                              .comment = NYTP_LIT("#"), .words = NYTP_LIT(WORDS), .packages = NYTP_LIT("#."),
                              .outlet = &process.outlet, .stopped = stopped, .in_child = in_child,
                              .shares_name = options && strstr(options, "nytprof")};
    nytp_target_leave_elsewhere(&process.outlet);
    return nytp_session_open(&process.session, &front, e);
}

/* The session has the options already. On an error nothing is started. */
static int start(VALUE program, nytp_error *e) {
    if (!open_session(e)) {
        if (nytp_calibrate_is_wanted(&process.session.r)) nytp_ruby_calibrate(nytp_front_prices(&process.session.r));
        process.program = program;
        process.on = 1;
        if (process.session.options.start == NYTP_START_NO) return NYTP_OK;
        if (!program) begin(e);
    }
    if (e->code) stop();
    else nytp_ruby_hook_set(1, process.session.options.stmts != 0);
    return e->code;
}

static int set_pair(VALUE name, VALUE value, VALUE error) {
    nytp_error *e = (nytp_error *)error;
    VALUE key = rb_obj_as_string(name);
    VALUE text = rb_obj_as_string(value == Qtrue ? INT2FIX(1) : value == Qfalse ? INT2FIX(0) : value);
    int code = nytp_settings_set(&process.session.options, StringValueCStr(key), StringValueCStr(text), e);
    return code ? ST_STOP : ST_CONTINUE;
}

static int read_options(VALUE more, nytp_error *e) {
    nytp_options *o = &process.session.options;
    int code = NIL_P(more) ? nytp_settings_begin(o, e) : nytp_settings_begin_now(o, e);
    if (!code && !NIL_P(more)) rb_hash_foreach(more, set_pair, (VALUE)e);
    if (!e->code) return 0;
    nytp_options_free(o);
    memset(o, 0, sizeof *o);
    return e->code;
}

/* ---- methods for Ruby code ---- */

static VALUE start_profile(int argc, VALUE *argv, VALUE self) {
    VALUE options = Qnil;
    (void)self;
    rb_scan_args(argc, argv, "01", &options);
    if (NIL_P(options)) options = rb_hash_new();
    Check_Type(options, T_HASH);
    stop();
    nytp_error e = {0};
    if (read_options(options, &e)) rb_raise(rb_eArgError, "NYTProf: %s", e.text);
    if (start(0, &e)) rb_raise(rb_eRuntimeError, "NYTProf: %s", e.text);
    return Qnil;
}

static VALUE stop_profile(VALUE self) {
    (void)self;
    stop();
    return Qnil;
}

__attribute__((visibility("default"))) void Init_nytprof(void);

/* Loaded by -r or RUBYOPT it starts with the program. */
void Init_nytprof(void) {
    VALUE module = rb_define_module("NYTProf");
    nytp_ruby_name_init();
    nytp_ruby_hook_init();
    rb_define_singleton_method(module, "start", start_profile, -1);
    rb_define_singleton_method(module, "stop", stop_profile, 0);
    rb_set_end_proc(at_end, Qnil);
    rb_gc_register_address(&process.program);
    rb_gc_register_address(&process.text);
    process.kept = nytp_ruby_life_by_identity();
    process.freed = rb_proc_new(forget_classes, Qnil);
    rb_gc_register_mark_object(process.freed);
    int is_before = !nytp_ruby_name_is_in_program();
    nytp_error e = {0};
    if (!is_before && !getenv("NYTPROF")) return;
    if (read_options(Qnil, &e) || start(is_before ? rb_gv_get("$0") : 0, &e))
        fprintf(stderr, "NYTProf: not profiled: %s\n", e.text);
}
