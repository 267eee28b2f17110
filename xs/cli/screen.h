/* SPDX-License-Identifier: MIT */
/* screen.h - the terminal that standard output may be: its size and colours, and a pager for text that is longer. */
#ifndef NYTP_CLI_SCREEN_H
#define NYTP_CLI_SCREEN_H

#include <stdint.h>

#define NYTP_SCREEN_WIDTH 80 /* without a terminal */

uint32_t nytp_screen_width(void);
uint32_t nytp_screen_height(void); /* 0: standard output is no terminal */

/* Whether standard input and output are a terminal on which text can be put anywhere. */
int nytp_screen_can_draw(void);

/* Whether standard output is to have colours: it is a terminal that knows them, and NO_COLOR is not set. */
int nytp_screen_has_color(void);

/* If standard output is a terminal: from now on text is shown by the pager (PAGER, else less) if it is longer than the
 * screen. To be called before anything is printed, and ended before a message to standard error and before the end of
 * the process. Both do nothing where there is nothing to do. */
void nytp_screen_begin(void);
void nytp_screen_end(void); /* waits until the user has quit the pager */

/* A reader that closes standard output, as head does, must neither end this process by a signal, which would leave
 * files behind, nor be an error; and a limit of the size of files (ulimit -f) is an error of its writes. Programs that
 * take the place of this one get the signals again. */
void nytp_screen_outlive_reader(void);
int nytp_screen_has_reader(void); /* 0: standard output is a pipe without a reader */

#endif
