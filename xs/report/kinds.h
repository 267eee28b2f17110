/* SPDX-License-Identifier: MIT */
/* kinds.h - what kind of code a sub is: pictures have a colour for each kind, and findings sum some of them up. */
#ifndef NYTP_REPORT_KINDS_H
#define NYTP_REPORT_KINDS_H

#include "model/profile.h"

/* pages/icicle.c has their names, html/app.css their colours. Built-ins are those of an interpreter, and functions in C
 * that do the same. */
enum nytp_code_kind {
    NYTP_KIND_OWN,     /* in the program, or below the directory that it was started in */
    NYTP_KIND_LIBRARY,
    NYTP_KIND_LOADING, /* compiling the program or a module */
    NYTP_KIND_EVAL,    /* in the text of a string eval */
    NYTP_KIND_IN_C,
    NYTP_KIND_REGEX,   /* built-ins that match */
    NYTP_KIND_IO,      /* built-ins that read, write, or ask for files */
    NYTP_KIND_SORT,    /* built-ins that sort */
    NYTP_KIND_WAITING, /* built-ins that wait; waiting for clients */
    NYTP_KIND_BUILTIN, /* the other ones */
    NYTP_KINDS
};

/* That of code in a file: OWN, LIBRARY or EVAL. It looks for properties of the profile, so ask once for each file. */
enum nytp_code_kind nytp_kinds_of_file(const nytp_profile *p, const nytp_file *f);

/* of_file: the kind of its file, or of the file where it is at home. */
enum nytp_code_kind nytp_kinds_of_sub(const nytp_sub *s, enum nytp_code_kind of_file);

/* The kind of a built-in; NYTP_KIND_IN_C for other subs in C, and NYTP_KIND_OWN for all subs that are not in C. */
enum nytp_code_kind nytp_kinds_builtin(const nytp_sub *s);

/* 1: a built-in that may wait for other processes. In a profile of several that is their work. */
int nytp_kinds_waits_for_others(const nytp_sub *s);

/* 1: BEGIN blocks, of which use statements are some, and compiling the program, or a file that is required. */
int nytp_kinds_is_loading(const nytp_sub *s);

#endif
