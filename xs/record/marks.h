/* SPDX-License-Identifier: MIT */
/* marks.h - the lines of files on which statements begin, whether they run or not. */
#ifndef NYTP_RECORD_MARKS_H
#define NYTP_RECORD_MARKS_H

#include "record/recorder.h"

/* Marks a line, for the next window. Line 0, and lines too far down to be real, are ignored; and so is any when memory
 * is short. */
void nytp_marks_add(nytp_recorder *r, nytp_live_file *f, uint32_t line);

/* How many lines this output does not have. */
uint64_t nytp_marks_left(const nytp_recorder *r);

/* Writes the lines that this output does not have. */
void nytp_marks_write(nytp_recorder *r);

#endif
