/* SPDX-License-Identifier: MIT */
/* utf8.h - characters of UTF-8, and which of them a terminal would obey instead of showing. Nothing here takes
 * memory. */
#ifndef NYTP_BASE_UTF8_H
#define NYTP_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the character at p, of n bytes, and its code point; 0, and no code, if there is none. Overlong forms
 * and surrogates are none. */
size_t nytp_utf8_decode(const char *p, size_t n, uint32_t *code);

/* How many bytes at the end begin a character that the next bytes may complete. */
size_t nytp_utf8_cut(const char *p, size_t n);

/* Whether a character is a control, C1 controls too, or invisible, or changes the order of others. */
int nytp_utf8_is_hidden(uint32_t code);

/* Spells a hidden character, ended by NUL: \n, \x1B, \u{202E}. */
#define NYTP_UTF8_SPELLED 16
void nytp_utf8_spell(char to[NYTP_UTF8_SPELLED], uint32_t code);

/* Replaces in place every byte of hidden characters, and those that are a control outside UTF-8, by a question mark. */
void nytp_utf8_mask(char *text);

#endif
