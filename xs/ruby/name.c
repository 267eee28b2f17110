/* SPDX-License-Identifier: MIT */
/* name.c - names of callees in Ruby's terms: Set#each, Set.new, block in Set#each, <class:Set>. */
#include <stdio.h>
#include <string.h>

#include "ruby/glue.h"

typedef struct name {
    char text[256];
} name;

/* A class without a name has its address as name, which differs between runs. */
static name name_of_class(VALUE klass) {
    VALUE path = rb_class_path(klass);
    const char *text = RSTRING_PTR(path), *address = strstr(text, ":0x");
    name n;
    snprintf(n.text, sizeof n.text, "%.*s%s", address ? (int)(address - text) : 200, text, address ? ">" : "");
    return n;
}

/* The owner of a singleton class: self, or a class that self inherits from; nil if the owner is no class. */
static VALUE owner_of(VALUE singleton, VALUE self) {
    for (; RB_TYPE_P(self, T_CLASS) || RB_TYPE_P(self, T_MODULE); self = rb_class_superclass(self)) {
        if (RBASIC_CLASS(self) == singleton) return self;
        if (RB_TYPE_P(self, T_MODULE)) break;
    }
    return Qnil;
}

static name name_of_method(rb_trace_arg_t *arg, VALUE id) {
    VALUE klass = rb_tracearg_defined_class(arg), self = rb_tracearg_self(arg), owner = Qnil;
    int is_singleton = !NIL_P(klass) && RB_TYPE_P(klass, T_CLASS) && RB_FL_TEST(klass, RUBY_FL_SINGLETON);
    if (is_singleton) owner = owner_of(klass, self);
    if (is_singleton && NIL_P(owner)) klass = rb_obj_class(self);
    name n = {""};
    if (!NIL_P(klass)) n = name_of_class(NIL_P(owner) ? klass : owner);
    const char *text = SYMBOL_P(id) ? rb_id2name(SYM2ID(id)) : NULL;
    size_t used = strlen(n.text);
    snprintf(n.text + used, sizeof n.text - used, "%s%s", NIL_P(owner) ? "#" : ".", text ? text : "?");
    return n;
}

/* ---- Ruby's own methods ---- */

/* Taken at the start, as the program may define its own in their place, which must not run: if it had done so before,
 * there is none. Methods of objects are the unbound method's bind_call, which takes the object. */
enum own { LOCATIONS, LABEL, FILE_NAME, EVAL_TEXT, EVAL_CODE, PATH, SYNTAX, LINES, OWN_N };
static VALUE own[OWN_N];

static int is_rubys(VALUE method) {
    VALUE where = rb_funcall(method, rb_intern("source_location"), 0);
    VALUE file = NIL_P(where) ? Qnil : rb_ary_entry(where, 0);
    return NIL_P(file) || strncmp(RSTRING_PTR(file), "<internal:", 10) == 0;
}

static VALUE take(const char *klass, const char *method) {
    VALUE of = rb_path2class(klass);
    if (!rb_method_boundp(of, rb_intern(method), 0)) return Qnil; /* not in this version */
    VALUE unbound = rb_funcall(of, rb_intern("instance_method"), 1, ID2SYM(rb_intern(method)));
    return is_rubys(unbound) ? rb_obj_method(unbound, ID2SYM(rb_intern("bind_call"))) : Qnil;
}

static VALUE take_singleton(const char *klass, const char *method) {
    VALUE bound = rb_obj_method(rb_path2class(klass), ID2SYM(rb_intern(method)));
    return is_rubys(bound) ? bound : Qnil;
}

void nytp_ruby_name_init(void) {
    own[LOCATIONS] = take("Kernel", "caller_locations");
    own[LABEL] = take("Thread::Backtrace::Location", "label");
    own[FILE_NAME] = take("Thread::Backtrace::Location", "path");
    own[EVAL_TEXT] = take("TracePoint", "eval_script");
    own[EVAL_CODE] = take("TracePoint", "instruction_sequence");
    own[PATH] = take("RubyVM::InstructionSequence", "path");
    own[SYNTAX] = take_singleton("RubyVM::AbstractSyntaxTree", "of");
    own[LINES] = take("RubyVM::AbstractSyntaxTree::Node", "script_lines");
    for (int i = 0; i < OWN_N; i++) rb_gc_register_mark_object(own[i]);
}

static VALUE ask(enum own what, VALUE object) {
    return NIL_P(own[what]) || NIL_P(object) ? Qnil : rb_method_call(1, &object, own[what]);
}

/* The innermost n running calls; n nil: all. The first is the one of bind_call. */
static VALUE calls(VALUE n) {
    const VALUE innermost[] = {Qnil, INT2FIX(1), n};
    VALUE all = NIL_P(own[LOCATIONS]) ? Qnil : rb_method_call(NIL_P(n) ? 2 : 3, innermost, own[LOCATIONS]);
    return NIL_P(all) ? rb_ary_new() : all;
}

static const char *label_at(VALUE locations, long i) {
    VALUE label = ask(LABEL, rb_ary_entry(locations, i));
    return NIL_P(label) ? "?" : RSTRING_PTR(label);
}

static const char *label_of_what_runs(void) { return label_at(calls(INT2FIX(1)), 0); }

int nytp_ruby_name_is_block(void) { return strncmp(label_of_what_runs(), "block ", 6) == 0; }

int nytp_ruby_name_is_in_program(void) {
    VALUE all = calls(Qnil);
    for (long i = 0; i < RARRAY_LEN(all); i++)
        if (strcmp(label_at(all, i), "<main>") == 0) return 1;
    return 0;
}

VALUE nytp_ruby_name_eval(VALUE event) {
    VALUE text = ask(EVAL_TEXT, event), path = NIL_P(text) ? Qnil : ask(PATH, ask(EVAL_CODE, event));
    return !NIL_P(path) && nytp_ruby_is_of_eval(path) ? text : Qnil;
}

static VALUE text_around(VALUE location) {
    VALUE options = rb_hash_new();
    rb_hash_aset(options, ID2SYM(rb_intern("keep_script_lines")), Qtrue);
    const VALUE arguments[] = {location, options};
    VALUE lines = ask(LINES, rb_method_call_kw(2, arguments, own[SYNTAX], RB_PASS_KEYWORDS));
    return NIL_P(lines) ? Qnil : rb_ary_join(lines, Qnil);
}

static int is_in_option(VALUE location) {
    VALUE path = ask(FILE_NAME, location);
    return !NIL_P(path) && strcmp(RSTRING_PTR(path), "-e") == 0;
}

VALUE nytp_ruby_name_text_of_option(void) {
    VALUE all = calls(Qnil);
    long i = 0;
    int failed = 0;
    while (i < RARRAY_LEN(all) && !is_in_option(rb_ary_entry(all, i))) i++;
    if (NIL_P(own[SYNTAX]) || NIL_P(own[LINES]) || i == RARRAY_LEN(all)) return Qnil;
    VALUE text = rb_protect(text_around, rb_ary_entry(all, i), &failed);
    if (failed) rb_set_errinfo(Qnil);
    return failed ? Qnil : text;
}

/* ---- names ---- */

/* Before 3.4 Ruby says "block in each", without the class. */
static name qualified_label(rb_trace_arg_t *arg) {
    const char *label = label_of_what_runs(), *in = strstr(label, " in ");
    VALUE id = rb_tracearg_method_id(arg);
    int is_whole = NIL_P(id) || *label == '<' || strpbrk(label, "#.");
    name n, method = {""};
    if (!is_whole) method = name_of_method(arg, id);
    snprintf(n.text, sizeof n.text, "%.*s%.200s", is_whole ? 250 : in ? (int)(in + 4 - label) : 0, label, method.text);
    return n;
}

/* The label of a file's text is "<top (required)>" everywhere; that of an eval's text is the label around it. */
static name name_of_text(rb_trace_arg_t *arg, const char *path) {
    const char *slash = strrchr(path, '/');
    name n, label = qualified_label(arg);
    int is_file = strncmp(label.text, "<top", 4) == 0;
    if (is_file) snprintf(n.text, sizeof n.text, "%.50s %.200s", label.text, slash ? slash + 1 : path);
    else snprintf(n.text, sizeof n.text, "eval in %.240s", label.text);
    return n;
}

const char *nytp_ruby_name_of(rb_trace_arg_t *arg, enum nytp_callee_kind kind, const char *path) {
    static _Thread_local name n;
    if (kind == NYTP_CALLEE_TEXT) n = name_of_text(arg, path);
    else if (kind == NYTP_CALLEE_METHOD) n = name_of_method(arg, rb_tracearg_method_id(arg));
    else if (kind == NYTP_CALLEE_C) n = name_of_method(arg, rb_tracearg_callee_id(arg));
    else n = qualified_label(arg);
    return n.text;
}
