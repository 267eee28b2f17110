/* SPDX-License-Identifier: MIT */
/* directive.h - what `# line N "name"` makes of a program's text: pure functions of it, nothing is looked up. */
#ifndef NYTP_PERL_DIRECTIVE_H
#define NYTP_PERL_DIRECTIVE_H

#include "base/buf.h"

/* Takes the first line of rest with its newline, or what there is of it. */
nytp_str nytp_directive_cut_line(nytp_str *rest);

/* Lines in a row that have one file's name; all is borrowed from the text. */
typedef struct nytp_region {
    nytp_str name, text;
    uint64_t line;  /* the number of the first */
    uint32_t lines;
} nytp_region;

typedef struct nytp_regions {
    nytp_region *list; /* owned; in the order of the text, all of it */
    uint32_t n, room;
} nytp_regions; /* all zero is none */

/* 1 if there is a directive in text, as far as its line tells. */
int nytp_directive_is_in(nytp_str text);

/* The text up to its first directive has the name own. Directives are where perl's lexer begins a line, in POD too but
 * not in here-documents; those in other strings of several lines are taken for some. 0 when memory is short. */
int nytp_directive_regions(nytp_str text, nytp_str own, nytp_regions *regions);
void nytp_directive_forget(nytp_regions *regions); /* takes an all-zero one, too */

/* Appends the lines of that name, each at its number; of several with one number the last, as perl -d has it. Where
 * there is none an empty line stands, or, if all is 1, what stands there in the text and is another file's. Lines far
 * behind what there is of text are left out. Returns how many there are now, 0 if none has that name. */
uint32_t nytp_directive_lines(const nytp_regions *regions, nytp_str name, int all, nytp_buf *to);

/* 1 if a line of that name has that number, or comes just before one that would. */
int nytp_directive_has(const nytp_regions *regions, nytp_str name, uint32_t line);

/* How many lines there are up to the one that ends the program, __END__ or __DATA__, of which *bytes is the end. At
 * least last, if there are so many. */
uint32_t nytp_directive_end(nytp_str text, uint32_t last, size_t *bytes);

#endif
