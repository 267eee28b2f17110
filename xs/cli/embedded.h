/* SPDX-License-Identifier: MIT */
/* embedded.h - which Lua a program has in it, and what can be done to profile that. */
#ifndef NYTP_CLI_EMBEDDED_H
#define NYTP_CLI_EMBEDDED_H

/* Looks into the executable at path; if it has a Lua in it that a run like this does not profile, says so. */
void nytp_embedded_say(const char *path, const char *name, int is_preloading);

#endif
