/* SPDX-License-Identifier: MIT */
/* embedded.h - which Lua a program has built in or links, and how to profile it. */
#ifndef NYTP_CLI_EMBEDDED_H
#define NYTP_CLI_EMBEDDED_H

/* Looks into the executable at path, and warns if it contains a Lua that this run does not profile. */
void nytp_embedded_say(const char *path, const char *name, int is_preloading);

#endif
