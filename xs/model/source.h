/* SPDX-License-Identifier: MIT */
/* source.h - the text of sources, kept at four bytes a line besides the text; what a capture does not hold is read from
 * the disk. */
#ifndef NYTP_MODEL_SOURCE_H
#define NYTP_MODEL_SOURCE_H

#include "model/profile.h"

/* What line says, its newline kept; valid until the next line is added. p is NULL where there is no such line. */
nytp_str nytp_source_line(const nytp_profile *p, const nytp_file *f, uint32_t line);

/* Keeps the text as that line, which is behind the file's last one, or one that is missing, unless the profile has too
 * many lines: then a note says so. line > 0. Returns NYTP_OK or NYTP_NOMEM. */
int nytp_source_add(nytp_profile *p, nytp_file *f, uint32_t line, nytp_str text);

/* Lets a file without source have the lines of another one. Returns NYTP_OK or NYTP_NOMEM. */
int nytp_source_share(nytp_profile *p, nytp_file *to, const nytp_file *from);

/* Gives every plain file that has something to show and no stored source the lines of the file of that name, as far as
 * it can be read; such files are marked `from_disk`. Returns NYTP_OK or NYTP_NOMEM. */
int nytp_source_find(nytp_profile *p);

#endif
