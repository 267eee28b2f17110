/* SPDX-License-Identifier: MIT */
/* toy.h - a small interpreter: a stack machine with subs, exceptions, coroutines and forks.
 *
 * A program has a statement in each line: words, which work on one stack of numbers.
 *
 *   5  + - * <      push a number; take two and push the result
 *   dup drop print  duplicate, remove or print the number on top
 *   NAME            call a sub
 *   sub NAME / end  its first and last line
 *   again N         take a number, and go back N lines unless it is 0
 *   throw           leave subs up to the one that was called by try
 *   try NAME        call it; push 0 if it returns, 1 if it is left by throw
 *   spawn NAME      push the number of a new coroutine
 *   resume          take the number of a coroutine, and run it until it yields or ends; a coroutine keeps its calls
 *   yield           continue the thread that resumed this one
 *   % text          a comment
 *   fork            push 0 in a child process, 1 in its parent, which waits for the child */
#ifndef TOY_H
#define TOY_H

enum { TOY_LINES = 1000, TOY_SUBS = 100, TOY_DEPTH = 200, TOY_THREADS = 100, TOY_STACK = 1000 };

typedef struct toy_sub {
    char name[32];
    int first, last; /* lines */
} toy_sub;

typedef struct toy_call {
    int sub, is_tried;
    int line, word; /* the next to be executed; line 0: the call has ended */
} toy_call;

typedef struct toy_thread {
    toy_call calls[TOY_DEPTH]; /* from 1 on */
    int depth, resumer;
} toy_thread;

typedef struct toy {
    const char *path;
    char *lines[TOY_LINES];
    toy_sub subs[TOY_SUBS];
    toy_thread *threads[TOY_THREADS];
    int line_n, sub_n, thread_n, current;
    long stack[TOY_STACK];
    int top;
} toy;

/* The profiler's functions (glue.c), called before a statement and before each of its words, after the beginning and
 * the end of a call, when another coroutine continues, and when the program switches profiling on or off. */
void toy_starts(const toy *t);
void toy_statement(const toy *t, int line);
void toy_word(const toy *t);
void toy_entered(const toy *t);
void toy_left(const toy *t);
void toy_changes(const toy *t, int from, int to);
void toy_profiles(const toy *t, int on);

#endif
