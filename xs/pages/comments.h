/* SPDX-License-Identifier: MIT */
/* comments.h - finds the lines of a source that are comments or documentation. */
#ifndef NYTP_PAGES_COMMENTS_H
#define NYTP_PAGES_COMMENTS_H

#include "model/profile.h"

enum nytp_comment { NYTP_COMMENT_NONE, NYTP_COMMENT_LINE, NYTP_COMMENT_DOCUMENTATION };

/* One enum nytp_comment for each of the file's source lines, to be freed; NULL when memory is short. */
unsigned char *nytp_comments_find(const nytp_profile *p, const nytp_file *f);

#endif
