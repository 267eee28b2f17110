/* SPDX-License-Identifier: MIT */
/* source.h - the text of sources, kept at four bytes a line besides the text; source that is not in the capture is read
 * from the disk. */
#ifndef NYTP_MODEL_SOURCE_H
#define NYTP_MODEL_SOURCE_H

#include "model/profile.h"

/* The line's text with its newline; valid until the next line is added. p is NULL where there is no such line. */
nytp_str nytp_source_line(const nytp_profile *p, const nytp_file *f, uint32_t line);

/* The same without blanks at either end, nor the newline. */
nytp_str nytp_source_text(const nytp_profile *p, const nytp_file *f, uint32_t line);

/* Stores the text of a line that has none yet, unless the profile has too many lines: then there is a note. line > 0.
 * Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_source_add(nytp_profile *p, nytp_file *f, uint32_t line, nytp_str text);

/* Lets a file without source have the lines of another one. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_source_share(nytp_profile *p, nytp_file *to, const nytp_file *from);

/* Which files of the disk are read. A capture may name any of them, and its report is shown to others. */
typedef struct nytp_source_from {
    const char *root; /* files are looked for in this directory only, by ever shorter ends of their names; or NULL */
    int32_t all;      /* 1: without root also the files that captures of other users or hosts name */
} nytp_source_from;

/* Gives every plain file that has something to show and no stored source the lines of the file of that name, if it may
 * be read (by default if the process was the user's own, nytp_process.is_own); such files are marked `from_disk`. There
 * is a note of those that may not. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_source_find(nytp_profile *p, const nytp_source_from *from);

#endif
