/* SPDX-License-Identifier: MIT */
/* names.h - names of files and subs in reports, and of their pages. All append to out, unescaped; memory that is short
 * leaves it failed. */
#ifndef NYTP_REPORT_NAMES_H
#define NYTP_REPORT_NAMES_H

#include "base/buf.h"
#include "model/profile.h"

/* The file's name without the @INC directory it was found in, for people: "PPI/Node.pm", "(eval 3)[PPI/Node.pm:17]". */
void nytp_names_file(nytp_buf *out, const nytp_profile *p, const nytp_file *f);

/* The sub's name, shortened likewise: "main::__ANON__[PPI/Node.pm:651]". */
void nytp_names_sub(nytp_buf *out, const nytp_profile *p, const nytp_sub *s);

/* The same as the whole content of text, whose bytes it returns; empty if memory is short. */
nytp_str nytp_names_shown(nytp_buf *text, const nytp_profile *p, const nytp_sub *s);

/* A name with the paths in it that begin with `old`, beginning with `new`: [lib/A.pm:17], <lib/a.lua:17>, compiling
 * lib/a.pl. As it is where old is empty. */
typedef struct nytp_renamed {
    nytp_str old, new;
} nytp_renamed;

void nytp_names_renamed(nytp_buf *out, nytp_str name, const nytp_renamed *renamed);

/* "main.pl (process 4711, thread 2: main::work)"; the first thread has no number. */
void nytp_names_process(nytp_buf *out, const nytp_process *process);
void nytp_names_threads(nytp_buf *out, const nytp_process *process); /* ", thread 3"; of the first nothing */

/* This program: "Devel::NYTProf 7.00". */
void nytp_names_maker(nytp_buf *out, const char *version);

/* The sub's whole name as one frame of a folded stack: semicolons, control characters, and blanks at its ends or before
 * a last word that is a number are ?; numbers of evals are 0, so that the evals of one line are one frame. */
void nytp_names_frame(nytp_buf *out, const nytp_sub *s);

/* A page's name without its suffix: NAME-FID-LEVEL, as Devel::NYTProf's users know it. Over 50 bytes NAME loses its
 * directories, and becomes TOOLONG if that is not enough. */
void nytp_names_page(nytp_buf *out, const nytp_profile *p, uint32_t file, const char *level);

/* The same from letters, digits, - and _ only: a name valid in every file system and link. */
void nytp_names_plain_page(nytp_buf *out, const nytp_profile *p, uint32_t file, const char *level);

/* The id that a sub without source has on its page: its name with _ for everything that is no letter, digit or _, and
 * its number behind where two names could become one. */
void nytp_names_anchor(nytp_buf *out, const nytp_profile *p, uint32_t sub);

#endif
