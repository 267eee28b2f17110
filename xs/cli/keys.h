/* SPDX-License-Identifier: MIT */
/* keys.h - keys pressed at the terminal, one by one, while a screen of text is shown. */
#ifndef NYTP_CLI_KEYS_H
#define NYTP_CLI_KEYS_H

enum nytp_key { /* beside characters, which are their own codes */
    NYTP_KEY_NONE = 0, NYTP_KEY_CTRL_C = 3, NYTP_KEY_BACKSPACE = 8, NYTP_KEY_RETURN = 13, NYTP_KEY_ESCAPE = 27,
    NYTP_KEY_UP = 256, NYTP_KEY_DOWN, NYTP_KEY_PAGE_UP, NYTP_KEY_PAGE_DOWN, NYTP_KEY_HOME, NYTP_KEY_END,
    NYTP_KEY_GONE /* the terminal is closed, or a signal ends the process */
};

/* Takes the terminal: another screen is shown until the end, which cuts lines at its edge, keys are not echoed, and the
 * cursor is hidden. 0: standard input or output is none, or no screen can be drawn on it. */
int nytp_keys_begin(void);

/* Gives the terminal back as it was; to be called in any case. */
void nytp_keys_end(void);

/* The next key; NYTP_KEY_NONE if none comes within so many milliseconds, or if the screen has another size now. */
int nytp_keys_wait(int ms);

#endif
