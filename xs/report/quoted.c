/* SPDX-License-Identifier: MIT */
/* quoted.c - words as a shell reads them. */
#include "report/quoted.h"

#include <string.h>

#include "report/escape.h"
#include "report/page.h"
#include "report/text.h"

static int is_plain(nytp_str word) {
    for (size_t i = 0; i < word.n; i++) {
        int c = (unsigned char)word.p[i];
        int is_letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (!is_letter && !(c >= '0' && c <= '9') && !(c && strchr("-_./:,=+@%", c))) return 0;
    }
    return word.n != 0;
}

void nytp_quoted_word(nytp_buf *out, nytp_str word) {
    if (is_plain(word)) {
        nytp_text_str(out, word);
        return;
    }
    nytp_buf_byte(out, '\'');
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '\'') nytp_text_put(out, "'\\'");
        nytp_buf_byte(out, (unsigned char)word.p[i]);
    }
    nytp_buf_byte(out, '\'');
}

void nytp_quoted_html(nytp_buf *out, nytp_str word) {
    nytp_buf text = {0};
    nytp_quoted_word(&text, word);
    nytp_escape_html(out, nytp_page_bytes(&text));
    nytp_buf_done(&text, out);
}

void nytp_quoted_command(nytp_buf *out, nytp_str command) {
    for (size_t i = 0, n; i < command.n; i += n + 1) {
        const char *end = memchr(command.p + i, 0, command.n - i);
        n = end ? (size_t)(end - command.p) - i : command.n - i;
        if (i) nytp_buf_byte(out, ' ');
        nytp_quoted_word(out, (nytp_str){command.p + i, n});
    }
}
