/* SPDX-License-Identifier: MIT */
/* toy.c - the interpreter: toy PROGRAM. */
#include "toy.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what, const char *which) {
    fprintf(stderr, "toy: %s %s\n", what, which);
    exit(1);
}

/* ---- reading ---- */

static void note_sub(toy *t, const char *line) {
    toy_sub *s = &t->subs[t->sub_n];
    if (sscanf(line, "sub %31s", s->name) == 1) s->first = t->line_n;
    else if (strcmp(line, "end\n") == 0) t->subs[t->sub_n++].last = t->line_n;
}

static void read_program(toy *t, const char *path) {
    char line[200];
    FILE *in = fopen(path, "r");
    if (!in) fail("cannot read", path);
    t->path = path;
    t->sub_n = 1;
    while (t->line_n < TOY_LINES - 1 && t->sub_n < TOY_SUBS && fgets(line, sizeof line, in)) {
        t->lines[++t->line_n] = strdup(line);
        note_sub(t, line);
    }
    fclose(in);
}

static int sub_named(const toy *t, const char *name) {
    for (int i = 1; i < t->sub_n; i++)
        if (strcmp(t->subs[i].name, name) == 0) return i;
    fail("there is no sub", name);
    return 0;
}

/* ---- the stack ---- */

static void push(toy *t, long value) {
    if (t->top == TOY_STACK) fail("too much on", "the stack");
    t->stack[t->top++] = value;
}

static long pop(toy *t) {
    if (!t->top) fail("nothing on", "the stack");
    return t->stack[--t->top];
}

/* ---- calls ---- */

static toy_thread *running(const toy *t) { return t->threads[t->current]; }

static toy_call *call_of(const toy *t) { return &running(t)->calls[running(t)->depth]; }

static void enter(toy *t, int sub, int is_tried) {
    if (running(t)->depth == TOY_DEPTH - 1) fail("too deep:", t->subs[sub].name);
    running(t)->depth++;
    *call_of(t) = (toy_call){.sub = sub, .is_tried = is_tried, .line = t->subs[sub].first + 1};
    if (sub) toy_entered(t);
}

static void change_to(toy *t, int thread) {
    toy_changes(t, t->current, thread);
    t->current = thread;
}

/* Ends the current call. A coroutine without calls continues the thread that resumed it. */
static void leave(toy *t, int by_throw) {
    int is_tried = call_of(t)->is_tried;
    running(t)->depth--;
    toy_left(t);
    if (is_tried) push(t, by_throw);
    if (!running(t)->depth && t->current) change_to(t, running(t)->resumer);
}

static void throw(toy *t) {
    int is_caught = 0;
    while (!is_caught) {
        is_caught = call_of(t)->is_tried;
        if (!call_of(t)->sub) fail("nothing catches", "what was thrown");
        leave(t, 1);
    }
}

static void resume(toy *t, long thread) {
    if (thread <= 0 || thread >= t->thread_n || !t->threads[thread]->depth) fail("cannot resume", "that");
    t->threads[thread]->resumer = t->current;
    change_to(t, (int)thread);
    toy_call *first = call_of(t);
    if (first->line) return;
    first->line = t->subs[first->sub].first + 1;
    toy_entered(t);
}

static void spawn(toy *t, int sub) {
    toy_thread *new = calloc(1, sizeof *new);
    if (!new || t->thread_n == TOY_THREADS) fail("too many", "coroutines");
    new->depth = 1;
    new->calls[1].sub = sub;
    t->threads[t->thread_n] = new;
    push(t, t->thread_n++);
}

static void fork_and_wait(toy *t) {
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child > 0) waitpid(child, NULL, 0);
    push(t, child > 0);
}

/* ---- words ---- */

static int calculate(toy *t, char operator) {
    if (!strchr("+-*<", operator)) return 0;
    long right = pop(t), left = pop(t);
    push(t, operator == '+' ? left + right : operator == '-' ? left - right : operator == '*' ? left * right
                                                                                             : left < right);
    return 1;
}

static void again(toy *t, int lines) {
    if (!pop(t)) return;
    call_of(t)->line -= lines;
    call_of(t)->word = 0;
}

static int takes_name(const char *word) {
    return strcmp(word, "again") == 0 || strcmp(word, "try") == 0 || strcmp(word, "spawn") == 0;
}

static void with_name(toy *t, const char *word, const char *name) {
    if (*word == 'a') again(t, atoi(name));
    else if (*word == 't') enter(t, sub_named(t, name), 1);
    else spawn(t, sub_named(t, name));
}

static void alone(toy *t, const char *word) {
    if (strcmp(word, "dup") == 0) push(t, t->top ? t->stack[t->top - 1] : pop(t));
    else if (strcmp(word, "drop") == 0) pop(t);
    else if (strcmp(word, "print") == 0) printf("%ld\n", pop(t));
    else if (strcmp(word, "throw") == 0) throw(t);
    else if (strcmp(word, "resume") == 0) resume(t, pop(t));
    else if (strcmp(word, "yield") == 0) change_to(t, running(t)->resumer);
    else if (strcmp(word, "fork") == 0) fork_and_wait(t);
    else if (strcmp(word, "raise") == 0) raise((int)pop(t));
    else if (strcmp(word, "profile") == 0) toy_profiles(t, (int)pop(t));
    else enter(t, sub_named(t, word), 0);
}

static void execute(toy *t, const char *word) {
    char *end;
    long number = strtol(word, &end, 10);
    if (!*end) push(t, number);
    else if (word[1] || !calculate(t, *word)) alone(t, word);
}

/* Runs the next word of the current line; the first word begins the statement. */
static void step(toy *t) {
    toy_call *c = call_of(t);
    char word[32], name[32];
    int length, more = 0;
    const char *line = t->lines[c->line] + c->word;
    int words = sscanf(line, "%31s%n %31s%n", word, &length, name, &more);
    if (words < 1 || *word == '%') {
        c->line++;
        c->word = 0;
        return;
    }
    if (!c->word) toy_statement(t, c->line);
    toy_word(t);
    int is_pair = words == 2 && takes_name(word);
    c->word += is_pair ? more : length;
    if (is_pair) with_name(t, word, name);
    else execute(t, word);
}

/* Whether the current call has reached its last line. Skips subs between the lines of the main program. */
static int is_over(const toy *t) {
    toy_call *c = call_of(t);
    for (int i = 1; !c->sub && i < t->sub_n; i++)
        if (t->subs[i].first == c->line) c->line = t->subs[i].last + 1;
    return c->sub ? c->line == t->subs[c->sub].last : c->line > t->line_n;
}

int main(int argc, char **argv) {
    static toy t;
    static toy_thread first;
    if (argc != 2) fail("expected", "one program");
    read_program(&t, argv[1]);
    t.threads[t.thread_n++] = &first;
    toy_starts(&t);
    enter(&t, 0, 0);
    while (t.current || !is_over(&t) || call_of(&t)->sub) {
        if (is_over(&t)) leave(&t, 0);
        else step(&t);
    }
    return 0;
}
