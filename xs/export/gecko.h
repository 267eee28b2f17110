/* SPDX-License-Identifier: MIT */
/* gecko.h - the tables of a profile for Firefox's profiler: strings, sources, functions, frames and stacks. A table is
 * an object of columns, arrays of one length. */
#ifndef NYTP_EXPORT_GECKO_H
#define NYTP_EXPORT_GECKO_H

#include "base/table.h"
#include "export/spots.h"
#include "report/json.h"

typedef struct nytp_gecko_function {
    uint32_t sub, file, name; /* name: the index of a string */
    uint32_t category;        /* enum nytp_gecko_category */
} nytp_gecko_function;

typedef struct nytp_gecko_frame { /* a spot */
    uint32_t function, line;
} nytp_gecko_frame;

typedef struct nytp_gecko_stack { /* a node of the tree with time */
    int64_t self, cpu;        /* cpu: of self; 0 without has_cpu */
    uint32_t frame;
    uint32_t ahead; /* how many stacks ahead that of the caller is; 0: there is none */
} nytp_gecko_stack;

/* Functions, frames and stacks are in the order of first use, so those of a thread are one after the other. */
typedef struct nytp_gecko {
    const nytp_profile *p;
    int32_t has_source; /* 1: with the text of files */
    int32_t has_cpu;    /* 1: the program was sampled, with its CPU time */
    nytp_json json;
    nytp_spots spots;
    nytp_arena arena;
    nytp_table strings;
    uint32_t *of_spot, *of_function; /* per spot and function of spots: 1 + index of frame or function; 0: none */
    uint32_t *source, *of_source;  /* per file: 1 + index of a source; 0: none; and back */
    uint32_t *ends;                /* per thread: the stacks up to its end */
    uint32_t *sample;              /* stacks with own time of the thread that is written */
    int64_t *cpu;                  /* per node of the tree, if has_cpu */
    nytp_gecko_function *function;
    nytp_gecko_frame *frame;
    nytp_gecko_stack *stack;
    nytp_str *string; /* borrowed from the profile */
    uint32_t frames_n, stacks_n, functions_n, sources_n, strings_n, strings_room, samples_n;
    uint32_t threads_n;
    int64_t at;       /* of the thread that is written: ns since the start of the first process */
    uint64_t start;   /* that, in ns since the epoch */
} nytp_gecko;

enum nytp_gecko_category { NYTP_GECKO_OTHER, NYTP_GECKO_PERL, NYTP_GECKO_LUA, NYTP_GECKO_RUBY, NYTP_GECKO_C,
                           NYTP_GECKO_OPCODE, NYTP_GECKO_COMPILE, NYTP_GECKO_CATEGORIES };

/* Makes and numbers everything, but for the fields that are of a thread. Returns an nytp_code; to be freed in any
 * case. */
int nytp_gecko_prepare(nytp_gecko *g, const nytp_selection *selection);

/* Writes a cell: the value of a column for i. */
typedef struct nytp_gecko_column {
    const char *key; /* NULL ends a table's columns */
    void (*put)(nytp_gecko *g, uint32_t i);
} nytp_gecko_column;

/* Writes a table of n rows. The first leaves it open for values that are no columns. */
void nytp_gecko_columns(nytp_gecko *g, const char *name, const nytp_gecko_column *columns, uint32_t n);
void nytp_gecko_table(nytp_gecko *g, const char *name, const nytp_gecko_column *columns, uint32_t n);

/* Writes the tables that all threads share. */
void nytp_gecko_shared(nytp_gecko *g);

void nytp_gecko_free(nytp_gecko *g);

#endif
