/* SPDX-License-Identifier: MIT */
/* body.h - compiled code: the bodies of subs, and the string evals they were compiled in.
 *
 * perl can record names and lines of subs and evals for a debugger, by bits of $^P: but that makes a glob for every
 * anonymous sub and changes names that the program sees. So they are noted here while perl compiles: a body is known by
 * its root op, an eval by perl's number for it. Both are forgotten when perl frees the code. */
#ifndef NYTP_PERL_BODY_H
#define NYTP_PERL_BODY_H

#include "perl/glue.h"

/* A string eval, from its beginning until the last op that was compiled in it is freed. */
struct nytp_eval {
    nytp_link link;          /* its number is the key */
    struct nytp_eval *outer; /* while it is compiled: the eval in whose compilation it is nested */
    const char *native;      /* C stack address of the op that compiles it */
    struct nytp_eval *by;    /* the eval that runs it, reference-counted */
    struct nytp_unit *by_file; /* or the file that runs it */
    nytp_live_file *file;         /* once it is known to the recorder */
    nytp_str text;           /* until `file` is set, longer with #line directives; allocated */
    U32 by_line;             /* 0: not known */
    U32 holders;             /* references: bodies, evals run by it, its compilation */
    U32 directives;          /* 1: it has #line directives, and is in the list of such evals */
    U32 last_line;           /* compiled under its own name; 0: it is still being compiled */
    struct nytp_eval *earlier, *later; /* in that list */
};

/* A file, by the name that perl has for it. */
typedef struct nytp_unit {
    nytp_link link;    /* the name's hash is the key */
    U32 last_line;     /* the last line compiled, as far as known */
    U32 complete;      /* 1: all of it was compiled */
    U32 looked_for;    /* its text was looked for on the disk, for the output of this generation of the recorder */
    U32 kept;          /* 1: perl may keep its text */
    U32 elsewhere;     /* 1: another thread of the process has written its text to the thread's first output */
    U32 filtered;      /* 1: from some line on perl has read and keeps the output of a source filter */
    U32 on_disk;       /* 1: there was a plain file of that name when it was met, with this identity: */
    Stat_t identity;
    nytp_live_file *file;   /* the file with the text read then; NULL: none */
    U32 has_key;       /* 1: other processes of the job have its text under this key: */
    unsigned char key[NYTP_STORE_KEY];
    nytp_buf text;     /* its text then, until written; empty: not read */
    char name[1];      /* variable length */
} nytp_unit;

enum nytp_body_flag {
    NYTP_BODY_CALLED = 1,  /* the recorder knows it by its name */
    NYTP_BODY_ANON = 2,
    NYTP_BODY_RENAMED = 4, /* compiled in an eval, but `#line` gave its lines another file's name */
    NYTP_BODY_NO_SUB = 8,  /* top-level code of an eval, a format: it only holds the eval; no name, no lines */
    NYTP_BODY_HIDDEN = 16, /* of package DB: in no list of lines */
    NYTP_BODY_UTF8 = 32    /* its name is */
};

typedef struct nytp_body {
    nytp_link link;   /* the root op's address is the key; of a freed body, its name's hash */
    nytp_unit *file;  /* NULL: it has the lines of its eval */
    nytp_eval *eval;  /* that it was compiled in, reference-counted; NULL: none */
    U32 first, last;  /* lines */
    U32 flags;        /* enum nytp_body_flag */
    U32 number;       /* counts compilations */
    nytp_str name;    /* PACKAGE::NAME, of anonymous subs PACKAGE::__ANON__; allocated; empty: not known */
} nytp_body;

/* body.c */
void nytp_body_begin(pTHX_ nytp_glue *g); /* takes over perl's data for a debugger */
void nytp_body_end(nytp_glue *g);         /* forgets everything */
nytp_body *nytp_body_called(pTHX_ nytp_glue *g, const OP *root); /* the same; its name is complete by now */
/* The root op of a body that was not freed, as far as that is known; NULL: of another. */
const OP *nytp_body_root(const nytp_glue *g, const nytp_body *b);
nytp_live_file *nytp_body_file(pTHX_ nytp_glue *g, const nytp_body *b, U32 via); /* as nytp_file_of */

/* fullname.c: PACKAGE::NAME, mortal */
SV *nytp_fullname_of_cv(pTHX_ const CV *cv);
SV *nytp_fullname_of_gv(pTHX_ const GV *gv);
SV *nytp_fullname_in(pTHX_ HV *package, SV *name);

/* A copy of b for a thread's state; file and eval are that state's. 0 when memory is short. */
int nytp_body_inherit(nytp_glue *g, const nytp_body *b, nytp_unit *file, nytp_eval *eval);

/* Bodies that were never called, freed ones too if their file is kept: earliest first. A list of n to be freed; NULL
 * when there are none or memory is short. */
nytp_body **nytp_body_uncalled(pTHX_ nytp_glue *g, U32 *n);

/* unit.c */
nytp_unit *nytp_unit_known(const nytp_glue *g, nytp_str name); /* NULL: not met */
nytp_unit *nytp_unit_of(nytp_glue *g, nytp_str name); /* made if new; NULL when memory is short */
/* 1: another thread has written the file's text to the output that g has. */
int nytp_unit_is_elsewhere(const nytp_glue *g, const nytp_unit *u);
void nytp_unit_free_all(nytp_glue *g);

int nytp_perl_source_has_lines(pTHX_ const char *name); /* perl keeps some lines */
/* A filter may have been added; is_complete: the file is compiled. */
void nytp_perl_source_watch(pTHX_ nytp_glue *g, int is_complete);

nytp_live_file *nytp_file_of_eval(pTHX_ nytp_glue *g, nytp_eval *e, U32 via); /* as nytp_file_of */

/* disk.c */
void nytp_perl_disk_take(nytp_glue *g, nytp_live_file *file, nytp_unit *u); /* the text of a new file */
void nytp_perl_disk_tell(nytp_glue *g, const nytp_unit *u); /* lets the recorder write it, if it is complete */
/* That text, or the text on the disk. */
int nytp_perl_disk_read(const nytp_live_file *file, const nytp_unit *u, nytp_buf *text);
/* The same, and frees it; text is empty before. */
int nytp_perl_disk_give(const nytp_live_file *file, nytp_unit *u, nytp_buf *text);

/* eval.c */
nytp_eval *nytp_eval_numbered(const nytp_glue *g, const char *name); /* "(eval 7)...": the 7th; NULL: none */
nytp_eval *nytp_eval_hold(nytp_eval *e); /* e may be NULL */
void nytp_eval_release(nytp_glue *g, nytp_eval *e);
void nytp_eval_forget_text(nytp_eval *e);
/* A copy of e without holders, and without the code that ran it; NULL when memory is short. */
nytp_eval *nytp_eval_inherit(nytp_glue *g, const nytp_eval *e);
void nytp_eval_stop(nytp_glue *g); /* no eval is being compiled any more */

/* The text of an eval under `# line N "name"`, from that line on. 1 if there is one. */
int nytp_eval_directed(const nytp_glue *g, const char *name, nytp_buf *text);

/* virtual.c: the same in files on the disk */
int nytp_virtual_text(pTHX_ nytp_glue *g, const nytp_unit *u, nytp_buf *text);
void nytp_virtual_keep(nytp_glue *g, const nytp_live_file *file, const nytp_unit *u,
                       nytp_str text); /* file may be freed soon */
void nytp_virtual_end(nytp_glue *g); /* forgets everything */

#endif
