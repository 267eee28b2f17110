/* SPDX-License-Identifier: MIT */
/* names.c - names of files and subs in reports, and of their pages. */
#include "report/names.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "model/origin.h"
#include "report/text.h"

#define NAME_MAX_SHOWN 50 /* bytes of a page's NAME, Devel::NYTProf's figure */

/* Appends the rest of a name from `at` on, without @INC directories in the parts that name files of evals or anonymous
 * subs. */
static void put_shortened(nytp_buf *out, const nytp_profile *p, nytp_str s, size_t at) {
    nytp_str defined_at = NYTP_LIT(" defined at ");
    size_t begin = at; /* of the part not appended yet */
    while (at < s.n) {
        nytp_str rest = {s.p + at, s.n - at};
        size_t mark = *rest.p == '[' ? 1 : *rest.p == ' ' && nytp_str_starts(rest, defined_at) ? defined_at.n : 0;
        at += mark ? mark : 1;
        if (!mark) continue;
        nytp_buf_bytes(out, s.p + begin, at - begin);
        begin = at += nytp_origin_prefix(p, (nytp_str){s.p + at, s.n - at});
    }
    nytp_buf_bytes(out, s.p + begin, s.n - begin);
}

void nytp_names_file(nytp_buf *out, const nytp_profile *p, const nytp_file *f) {
    put_shortened(out, p, f->name, nytp_origin_prefix(p, f->name));
}

void nytp_names_sub(nytp_buf *out, const nytp_profile *p, const nytp_sub *s) {
    put_shortened(out, p, s->name, 0);
}

nytp_str nytp_names_shown(nytp_buf *text, const nytp_profile *p, const nytp_sub *s) {
    nytp_buf_rewind(text);
    nytp_names_sub(text, p, s);
    return text->failed ? (nytp_str){NULL, 0} : (nytp_str){(const char *)text->p, text->n};
}

void nytp_names_renamed(nytp_buf *out, nytp_str name, const nytp_renamed *renamed) {
    size_t begin = 0; /* of the part not appended yet */
    for (size_t i = 1; i < name.n && renamed->old.n; i++) {
        nytp_str rest = {name.p + i, name.n - i};
        if (!memchr("[< ", name.p[i - 1], 3) || !nytp_str_starts(rest, renamed->old)) continue;
        nytp_buf_bytes(out, name.p + begin, i - begin);
        nytp_text_str(out, renamed->new);
        begin = i + renamed->old.n;
        i = begin;
    }
    nytp_buf_bytes(out, name.p + begin, name.n - begin);
}

void nytp_names_threads(nytp_buf *out, const nytp_process *process) {
    int are_more = process->threads > 1;
    if (!process->id.thread) return;
    nytp_text_around(out, are_more ? ", threads " : ", thread ", process->id.thread, "");
    if (are_more) nytp_text_around(out, " and ", process->threads - 1, " more");
}

void nytp_names_process(nytp_buf *out, const nytp_process *process) {
    nytp_text_str(out, process->program);
    nytp_text_around(out, " (process ", process->id.pid, "");
    nytp_names_threads(out, process);
    if (process->start_sub.n) nytp_text_put(out, ": ");
    nytp_text_str(out, process->start_sub);
    nytp_buf_byte(out, ')');
}

void nytp_names_maker(nytp_buf *out, const char *version) {
    nytp_text_put(out, "Devel::NYTProf ");
    nytp_text_put(out, version);
}

/* The digits of "(eval 17)", where rest begins so. */
static size_t eval_digits(nytp_str rest) {
    nytp_str begin = NYTP_LIT("(eval ");
    size_t i = begin.n;
    if (!nytp_str_starts(rest, begin)) return 0;
    while (i < rest.n && rest.p[i] >= '0' && rest.p[i] <= '9') i++;
    return i < rest.n && rest.p[i] == ')' ? i - begin.n : 0;
}

/* The offset of a last word that readers of stacks would take for a number, or that is empty; s.n if there is none. */
static size_t number_at_end(nytp_str s) {
    size_t at = s.n;
    while (at && ((s.p[at - 1] >= '0' && s.p[at - 1] <= '9') || s.p[at - 1] == '.')) at--;
    return at && s.p[at - 1] == ' ' ? at : s.n;
}

void nytp_names_frame(nytp_buf *out, const nytp_sub *s) {
    size_t number = number_at_end(s->name);
    for (size_t i = 0; i < s->name.n; i++) {
        unsigned char c = (unsigned char)s->name.p[i];
        size_t digits = eval_digits((nytp_str){s->name.p + i, s->name.n - i});
        int is_kept = c == ' ' ? i && i + 1 != number && i + 1 < s->name.n : c > ' ' && c != ';' && c != 0x7F;
        nytp_buf_byte(out, is_kept ? c : '?');
        if (!digits) continue;
        nytp_text_put(out, "eval 0");
        i += strlen("eval ") + digits;
    }
}

/* From the first slash to the last becomes "/.../". */
static void drop_directories(nytp_buf *name) {
    unsigned char *first = name->n ? memchr(name->p, '/', name->n) : NULL, *last = first;
    if (!first) return;
    for (unsigned char *c = first; c < name->p + name->n; c++)
        if (*c == '/') last = c;
    nytp_buf shorter = {0};
    nytp_buf_bytes(&shorter, name->p, (size_t)(first - name->p));
    nytp_text_put(&shorter, "/...");
    nytp_buf_bytes(&shorter, last, (size_t)(name->p + name->n - last));
    nytp_buf_done(name, &shorter);
    *name = shorter;
}

/* Runs of characters that are unfit for file names, or for a terminal that lists them, become one dash; a dash at
 * either end is removed. */
static void put_safe(nytp_buf *out, nytp_str s, int only_plain) {
    size_t begin = out->n;
    for (size_t i = 0, length; i < s.n; i += length) {
        uint32_t c = (unsigned char)s.p[i];
        length = nytp_utf8_decode(s.p + i, s.n - i, &c);
        if (!length) length = 1;
        int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        int marks = c < 0x80 && memchr("-/\\:*?\"'<>|.", (int)c, 12);
        if (!nytp_utf8_is_hidden(c) && !marks && (plain || !only_plain)) nytp_buf_bytes(out, s.p + i, length);
        else if (out->n > begin && out->p[out->n - 1] != '-') nytp_buf_byte(out, '-');
    }
    if (out->n > begin && out->p[out->n - 1] == '-') out->n--;
}

static void put_page(nytp_buf *out, const nytp_profile *p, uint32_t file, const char *level, int only_plain) {
    nytp_buf name = {0};
    nytp_names_file(&name, p, &p->files[file]);
    if (name.n > NAME_MAX_SHOWN) drop_directories(&name);
    if (name.n > NAME_MAX_SHOWN) put_safe(out, NYTP_LIT("TOOLONG"), only_plain);
    else put_safe(out, (nytp_str){(const char *)name.p, name.n}, only_plain);
    nytp_text_format(out, "-%" PRIu32 "-%s", p->files[file].fid, level);
    nytp_buf_done(&name, out);
}

void nytp_names_page(nytp_buf *out, const nytp_profile *p, uint32_t file, const char *level) {
    put_page(out, p, file, level, 0);
}

void nytp_names_plain_page(nytp_buf *out, const nytp_profile *p, uint32_t file, const char *level) {
    put_page(out, p, file, level, 1);
}

void nytp_names_anchor(nytp_buf *out, const nytp_profile *p, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    int unique = s->ordinal < 2 && !s->alias.n;
    for (size_t i = 0; i < s->name.n; i++) {
        char c = s->name.p[i];
        int word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if ((!word && c != ':') || (c == '_' && i && s->name.p[i - 1] == '_')) unique = 0;
        nytp_buf_byte(out, word ? (unsigned char)c : '_');
    }
    if (!unique) nytp_text_format(out, "-%" PRIu32, sub);
}
