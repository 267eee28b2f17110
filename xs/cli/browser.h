/* SPDX-License-Identifier: MIT */
/* browser.h - shows a page in a web browser. */
#ifndef NYTP_CLI_BROWSER_H
#define NYTP_CLI_BROWSER_H

/* Tries what the environment variable BROWSER names (commands with : between, %s for the page, else it is put behind),
 * then what desktops offer, until one succeeds. No shell is involved. Where none does, standard error says so. */
void nytp_cli_browser_open(const char *page);

#endif
