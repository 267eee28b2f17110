/* SPDX-License-Identifier: MIT */
/* directive.h - lines of a text renumbered and renamed by `# line N "name"`: pure functions of the text. */
#ifndef NYTP_PERL_DIRECTIVE_H
#define NYTP_PERL_DIRECTIVE_H

#include "base/buf.h"

/* Takes the first line of rest, with its newline if there is one. */
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
} nytp_regions; /* all zero: none */

/* 1 if a line of the text looks like a directive. */
int nytp_directive_is_in(nytp_str text);

/* The text up to its first directive has the name own. Directives are where perl's lexer begins a line, in POD too but
 * not in here-documents; lines in other multi-line strings count, too. 0 when memory is short. */
int nytp_directive_regions(nytp_str text, nytp_str own, nytp_regions *regions);
void nytp_directive_forget(nytp_regions *regions); /* takes an all-zero one, too */

/* Appends the lines of that name, each at its number; of several with one number the last, as with perl -d. Missing
 * lines are empty, or, if all is 1, those of the text for other names. Lines far beyond the text are dropped. Returns
 * the number of lines, 0 if none has that name. */
uint32_t nytp_directive_lines(const nytp_regions *regions, nytp_str name, int all, nytp_buf *to);

/* The number of lines up to __END__ or __DATA__, with their end in *bytes. At least `last`, if there are that many. */
uint32_t nytp_directive_end(nytp_str text, uint32_t last, size_t *bytes);

/* Puts the text into the empty buffer moved, with renumbered lines at their new numbers; 0 if it has no directives. A
 * result without last, the last line compiled under the text's own name (0: not known), had only strings that look like
 * them. */
int nytp_directive_renumber(nytp_str text, nytp_str own, uint32_t last, nytp_buf *moved);

#endif
