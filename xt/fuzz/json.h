/* SPDX-License-Identifier: MIT */
/* json.h - whether bytes are one JSON value, in strict UTF-8. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

/* The offset of the first byte that is wrong; n if none is. */
size_t json_wrong(const char *p, size_t n);

#endif
