/* SPDX-License-Identifier: MIT */
/* render.h - a picture of a graph, by graphviz's program dot. */
#ifndef NYTP_CLI_RENDER_H
#define NYTP_CLI_RENDER_H

#include "base/error.h"
#include "base/str.h"

/* Writes the picture of a graph to out, or to standard output for "-"; format is one of dot's. If there is no graphviz
 * the text is written, to a file that ends with .dot in place of the format, with a message: that is no error. mode has
 * the file's permissions. Returns an nytp_code with e set. */
enum nytp_code nytp_cli_render(nytp_str graph, const char *format, const char *out, uint32_t mode, nytp_error *e);

#endif
