/* SPDX-License-Identifier: MIT */
/* browser.h - shows a page in a web browser. */
#ifndef NYTP_CLI_BROWSER_H
#define NYTP_CLI_BROWSER_H

/* Tries the commands in the environment variable BROWSER (separated by colons; %s is the page, which is appended if
 * there is no %s), then those of desktops, until one succeeds. No shell is involved. A line on standard error says if
 * none does. */
void nytp_cli_browser_open(const char *page);

#endif
