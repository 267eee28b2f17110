/* SPDX-License-Identifier: MIT */
/* root.h - the main programs of a profile. Private to load.
 *
 * Node NYTP_ROOT is the main program of the first process that tells what it calls it, and of all that call theirs by
 * the same name or, as their first chunk is lost, by none. A main program of another name, as one in another language
 * has, is a node below it with a sub that is a phase: its time is apart, and its paths begin with it. With option
 * keep_processes every process but the first has a main program of its own, even of the same name; nytp_sub.process
 * tells whose it is. */
#ifndef NYTP_MODEL_ROOT_H
#define NYTP_MODEL_ROOT_H

#include "model/loader.h"

/* Makes id 0 of the stream's nodes that of its main program, once the properties are known. Returns NYTP_OK, or what
 * nytp_loader_no_memory returns. */
enum nytp_code nytp_root_learn(nytp_loader *l, nytp_stream *s);

/* Whether a record of a sub means the stream's main program, which Perl lists among its subs. */
int nytp_root_is_meant(const nytp_loader *l, const nytp_stream *s, const nytp_rec_sub *r);

/* Perl's main program. */
nytp_node *nytp_root_of_perl(nytp_profile *p);

/* Names the main program of the first process, once all are loaded. */
void nytp_root_name(const nytp_loader *l);

#endif
