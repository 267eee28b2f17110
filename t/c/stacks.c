/* SPDX-License-Identifier: MIT */
/* stacks.c - call paths as a tree: reading, sorting, cutting and printing it; and the flame graph. */
#include <string.h>

#include "report/colors.h"
#include "report/flame.h"
#include "report/folded.h"
#include "report/page.h"
#include "tap.h"

static nytp_buf out;

static void said(const char *expected, const char *name) {
    nytp_str got = nytp_page_bytes(&out);
    if (!ok(nytp_str_eq(got, nytp_str_c(expected)), "%s", name)) printf("#   got '%.*s'\n", (int)got.n, got.p);
    nytp_buf_clear(&out);
}

static uint32_t read_lines(nytp_stacks *s, const char *text, int reverse) {
    uint32_t bad = 0;
    *s = (nytp_stacks){0};
    if (nytp_folded_read(s, nytp_str_c(text), reverse, &bad)) return UINT32_MAX;
    return bad;
}

static void test_read(void) {
    nytp_stacks s;
    is(read_lines(&s, "a;b 1.5\na;b 2\r\n\n;;a;;c 1\nd e 7\n no number\n5\n1.2.3\nx 99999999999999999999\nx .5\n", 0),
       6,
       "what is no line is counted: empty, without number, without path, with a number that is none");
    is(nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST), NYTP_OK, "sorted");
    nytp_folded_lines(&out, NULL, &s, 0, 0);
    said("d e 7000\na;b 3500\na;c 1000\n", "heaviest first; equal paths are one; blanks may be in names");
    is(s.tree.at[0].total, 11500, "the root has the sum");
    nytp_stacks_free(&s);

    read_lines(&s, "a;b;c 1\nd;c 2\n", 1);
    nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    nytp_folded_lines(&out, NULL, &s, 0, 0);
    said("c;d 2000\nc;b;a 1000\n", "read from the ends");
    nytp_stacks_free(&s);

    is(read_lines(&s, "", 0), 0, "nothing is no error");
    is(nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST), NYTP_OK, "and can be sorted");
    is(nytp_calltree_next(&s.tree, 0), 0, "and walked");
    nytp_stacks_free(&s);
}

/* No more than a piece of the paths is in memory, however many there are. */
static void test_pieces(void) {
    enum { LINES = 5000, LENGTH = 60 };
    nytp_buf text = {0}, rest = {0};
    nytp_stacks s;
    for (uint32_t i = 0; i < LINES; i++) {
        char line[LENGTH + 1];
        int n = snprintf(line, sizeof line, "frame%0*u 1\n", LENGTH - 8, (unsigned)i);
        nytp_buf_bytes(&text, line, (size_t)n);
    }
    nytp_buf_byte(&text, '\0');
    is(read_lines(&s, (const char *)text.p, 0), 0, "five thousand lines");
    is(nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST), NYTP_OK, "sorted");
    nytp_sink *sink = nytp_sink_memory(NULL);
    is(nytp_sink_begin(sink, NYTP_LIT("paths")), NYTP_OK, "a page is begun");
    nytp_folded_lines(&rest, sink, &s, 0, 0);
    ok(rest.n < NYTP_SINK_PIECE, "what is not yet a piece is kept back");
    is(nytp_sink_drain(sink, &rest, 0), NYTP_OK, "until it is asked for");
    is(nytp_sink_end(sink), NYTP_OK, "the page is whole");
    is((int64_t)nytp_sink_page(sink, NYTP_LIT("paths")).n, (int64_t)(text.n - 1 + LINES * 3u), "with every line");
    nytp_sink_close(sink, NULL);
    nytp_stacks_free(&s);
    nytp_buf_free(&rest);
    nytp_buf_free(&text);
}

static void test_order(void) {
    nytp_stacks s;
    read_lines(&s, "m;x;y 1\nm;x 5\nm;z 9\nk 1\nm;x;w 2\n", 0);
    nytp_stacks_sort(&s, NYTP_STACKS_RETURNS);
    nytp_folded_lines(&out, NULL, &s, 0, 0);
    said("m;x 5000\nm;x;y 1000\nm;x;w 2000\nm;z 9000\nk 1000\n", "by first returns: y w x z m k");
    nytp_stacks_free(&s);
}

/* Paths that have a node with many children, each of which is met twice. */
static void test_wide(void) {
    enum { CHILDREN = 100 };
    char text[CHILDREN * 2 * 12 + 1];
    int n = 0;
    for (int i = 0; i < CHILDREN * 2; i++) n += snprintf(text + n, 12, "a;c%d %d\n", i % CHILDREN, i / CHILDREN + 1);
    nytp_stacks s;
    read_lines(&s, text, 0);
    is(s.tree.n, CHILDREN + 2, "a node's child is one however many others it has");
    nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    int fine = 1;
    for (uint32_t i = s.tree.at[s.tree.at[0].child].child; i; i = s.tree.at[i].next)
        fine &= s.tree.at[i].total == 3000;
    ok(fine, "and has the time of both");
    is(s.tree.kept, CHILDREN + 2, "all are linked");
    nytp_stacks_free(&s);
}

static void test_prune(void) {
    nytp_stacks s;
    read_lines(&s, "a;b;c 1\na;b 2\na;d 50\ne 3\n", 0);
    nytp_stacks_prune(&s, 4000.0 / 56000);
    nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    nytp_folded_lines(&out, NULL, &s, 0, 0);
    said("a 3000\na;d 50000\n", "what is below the limit counts for its parent");
    is(s.tree.at[0].total, 56000, "and nothing is lost of the whole");
    nytp_stacks_free(&s);
}

static void test_depth(void) {
    nytp_stacks s = {0};
    uint32_t frame = 0;
    for (int i = 0; i < 5000; i++) frame = nytp_stacks_push(&s, frame, NYTP_LIT("r"));
    is(s.tree.at[frame].depth, NYTP_CALLTREE_DEEPEST, "a path has an end");
    is(nytp_stacks_push(&s, frame, NYTP_LIT("x")), frame, "where all that is deeper counts");
    nytp_stacks_free(&s);
}

static void test_flame(void) {
    nytp_flame flame = nytp_flame_default();
    nytp_flame_link link = {NYTP_LIT("a"), NYTP_LIT("p.html#1&2"), NYTP_LIT("")};
    nytp_stacks s;
    read_lines(&s, "a;<b> 3\n", 0);
    nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
    flame.links = &link;
    flame.links_n = 1;
    flame.factor = 1e-3;
    is(nytp_flame_svg(&out, &s, &flame), NYTP_OK, "a picture");
    nytp_buf_byte(&out, '\0');
    ok(strstr((char *)out.p, "<a tabindex=\"-1\" href=\"p.html#1&amp;2\"><title>a (3 samples, 100.00%)</title>"),
       "a frame that leads somewhere");
    ok(strstr((char *)out.p, ">&lt;b&gt;</text></g>"), "a name that is text");
    ok(!strstr((char *)out.p, "{{"), "every hole of the template is filled");
    nytp_buf_clear(&out);
    nytp_stacks_free(&s);
    is(nytp_flame_svg(&out, &s, &flame), NYTP_OK, "nothing to draw is a picture that says so");
    nytp_buf_clear(&out);
}

static void test_colors(void) {
    static const char *const palettes[] = {"hot", "mem", "io", "red", "green", "blue", "yellow", "purple", "aqua",
                                           "orange", "java", "js"};
    uint32_t hot = nytp_colors_name(NYTP_LIT("hot"), NYTP_LIT("main::f"));
    is(hot, nytp_colors_name(NYTP_LIT("nosuch"), NYTP_LIT("main::f")), "a palette that there is not is the first");
    ok(hot != nytp_colors_name(NYTP_LIT("blue"), NYTP_LIT("main::f")), "others look different");
    is(nytp_colors_name(NYTP_LIT("java"), NYTP_LIT("f_[k]")), nytp_colors_name(NYTP_LIT("orange"), NYTP_LIT("f_[k]")),
       "java: by kind");
    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++) {
        uint32_t c = nytp_colors_name(nytp_str_c(palettes[i]), NYTP_LIT("x"));
        /* approximate luminance: dark text has to be readable on the colour */
        ok((c >> 16) * 30 + (c >> 8 & 255) * 59 + (c & 255) * 11 > 100 * 100, "%s is light", palettes[i]);
    }
    is(nytp_colors_delta(0), 0xEBEBEB, "no difference is grey");
    ok(nytp_colors_delta(1) >> 16 > (nytp_colors_delta(1) & 255), "more is red");
    ok(nytp_colors_delta(-1) >> 16 < (nytp_colors_delta(-1) & 255), "less is blue");
}

int main(void) {
    test_read();
    test_pieces();
    test_wide();
    test_order();
    test_prune();
    test_depth();
    test_flame();
    test_colors();
    nytp_buf_free(&out);
    return done();
}
