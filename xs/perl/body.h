/* SPDX-License-Identifier: MIT */
/* body.h - what perl has compiled: the bodies of subs, and the string evals they were in.
 *
 * perl would tell the names and lines of subs and evals to a debugger, by bits of $^P: at the price of a glob for every
 * anonymous sub and of other names in what the program sees of itself. So they are noted here instead, while perl
 * compiles: a body is known by its root op, an eval by perl's number for it. Both go when perl frees the code. */
#ifndef NYTP_PERL_BODY_H
#define NYTP_PERL_BODY_H

#include "perl/glue.h"

/* A string eval, from its beginning until the last op that was compiled in it is freed. */
struct nytp_eval {
    nytp_link link;          /* its number is the key */
    struct nytp_eval *outer; /* while it is compiled: the one whose compilation it interrupts */
    const char *native;      /* where on the C stack the op is that compiles it */
    struct nytp_eval *by;    /* the eval that runs it, counted, ... */
    struct nytp_unit *by_file; /* ... or the file whose code does */
    nytp_live_file *file;         /* once it was met */
    nytp_str text;           /* until then, and longer if it has #line directives; allocated */
    U32 by_line;             /* 0: not known */
    U32 holders;             /* bodies, evals run by it, and its compilation */
    U32 directives;          /* 1: it has some, and is in the list of those */
    struct nytp_eval *earlier, *later; /* of that list */
};

/* A file, by the name that perl has for it. */
typedef struct nytp_unit {
    nytp_link link;    /* the name's hash is the key; two names with the same one would be taken for one */
    U32 last_line;     /* that was compiled, as far as that is known */
    U32 complete;      /* 1: all of it was compiled */
    U32 looked_for;    /* its text was, on the disk, for that output of the recorder (see its generation) */
    U32 kept;          /* 1: perl may keep its text */
    U32 filtered;      /* 1: from a line on perl has read what a source filter made of it, and keeps that */
    U32 on_disk;       /* 1: there was a plain file of that name when it was met, which was ... */
    Stat_t identity;
    nytp_live_file *file;   /* whose text was taken then; NULL: of none */
    U32 has_key;       /* 1: other processes of the job know its text by ... */
    unsigned char key[NYTP_STORE_KEY];
    nytp_buf text;     /* that it had then, until it is written; empty: not taken */
    char name[1];      /* as long as it is */
} nytp_unit;

enum nytp_body_flag {
    NYTP_BODY_CALLED = 1,  /* the recorder knows it by its name */
    NYTP_BODY_ANON = 2,
    NYTP_BODY_RENAMED = 4, /* compiled in an eval, but `#line` gave its lines another file's name */
    NYTP_BODY_NO_SUB = 8,  /* top-level code of an eval, a format: it only holds the eval; no name, no lines */
    NYTP_BODY_HIDDEN = 16, /* of package DB: its lines are in nobody's list */
    NYTP_BODY_UTF8 = 32    /* its name is */
};

typedef struct nytp_body {
    nytp_link link;   /* the root op's address is the key; of one that is gone, its name's hash */
    nytp_unit *file;  /* NULL: it has the lines of its eval */
    nytp_eval *eval;  /* that it was compiled in, counted; NULL: none */
    U32 first, last;  /* lines */
    U32 flags;        /* enum nytp_body_flag */
    U32 number;       /* counts compilations */
    nytp_str name;    /* PACKAGE::NAME, of anonymous subs PACKAGE::__ANON__; allocated; empty: not known */
} nytp_body;

/* body.c */
void nytp_body_begin(pTHX_ nytp_glue *g); /* takes over what perl had told a debugger so far */
void nytp_body_end(nytp_glue *g);         /* forgets everything */
nytp_body *nytp_body_find(const nytp_glue *g, const OP *root); /* NULL: compiled before our hooks were there */
nytp_body *nytp_body_called(pTHX_ nytp_glue *g, const OP *root); /* the same; it has its name by now */
nytp_live_file *nytp_body_file(pTHX_ nytp_glue *g, const nytp_body *b, U32 via); /* as nytp_file_of */

SV *nytp_perl_name_of_cv(pTHX_ const CV *cv); /* name.c: PACKAGE::NAME, mortal */

/* Bodies that were never called, freed ones too if their file is kept: earliest first. A list of n to be freed; NULL
 * when there are none or memory is short. */
nytp_body **nytp_body_uncalled(pTHX_ nytp_glue *g, U32 *n);

nytp_unit *nytp_body_unit(nytp_glue *g, nytp_str name); /* made if need be; NULL when memory is short */

int nytp_perl_source_has_lines(pTHX_ const char *name); /* perl keeps some */
/* A filter may have been added; is_complete: the file is compiled. */
void nytp_perl_source_watch(pTHX_ nytp_glue *g, int is_complete);

/* disk.c */
void nytp_perl_disk_take(nytp_glue *g, nytp_live_file *file, nytp_unit *u); /* the text of a new file */
void nytp_perl_disk_tell(nytp_glue *g, const nytp_unit *u); /* the recorder, that it can be written, if it can */
/* That text, or as it is on the disk. */
int nytp_perl_disk_read(const nytp_live_file *file, const nytp_unit *u, nytp_buf *text);
/* The same, held no longer; text is empty. */
int nytp_perl_disk_give(const nytp_live_file *file, nytp_unit *u, nytp_buf *text);

/* eval.c */
nytp_eval *nytp_eval_numbered(const nytp_glue *g, const char *name); /* "(eval 7)...": the 7th; NULL: gone, or none */
nytp_live_file *nytp_eval_file(pTHX_ nytp_glue *g, nytp_eval *e, U32 via); /* as nytp_file_of */
nytp_eval *nytp_eval_hold(nytp_eval *e); /* e may be NULL */
void nytp_eval_release(nytp_glue *g, nytp_eval *e);
void nytp_eval_stop(nytp_glue *g); /* nothing is being compiled any more */

/* What an eval has under `# line N "name"`, from that line on. 1 if there is one. */
int nytp_eval_directed(const nytp_glue *g, const char *name, nytp_buf *text);

/* virtual.c: what files on the disk have */
int nytp_virtual_text(pTHX_ nytp_glue *g, const nytp_unit *u, nytp_buf *text);
void nytp_virtual_keep(nytp_glue *g, const nytp_live_file *file, const nytp_unit *u,
                       nytp_str text); /* file may go soon */
void nytp_virtual_end(nytp_glue *g); /* forgets everything */

#endif
