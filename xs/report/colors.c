/* SPDX-License-Identifier: MIT */
/* colors.c - colours from names: the hash picks a hue within the palette's range, so pictures can be compared. */
#include "report/colors.h"

#include <string.h>

typedef struct hues {
    const char *palette;
    unsigned first, last; /* degrees of the colour circle */
} hues;

static const hues palettes[] = {
    {"hot", 18, 56},     {"mem", 95, 165},    {"io", 205, 250},      {"red", 0, 14},    {"green", 92, 142},
    {"blue", 200, 228},  {"yellow", 48, 60},  {"purple", 272, 300},  {"aqua", 168, 190}, {"orange", 24, 42},
    {"java", 0, 0},      {"js", 0, 0},
};

#define PALETTES (sizeof palettes / sizeof *palettes)

static const hues *find(nytp_str palette) {
    for (size_t i = 0; i < PALETTES; i++)
        if (nytp_str_eq(palette, nytp_str_c(palettes[i].palette))) return &palettes[i];
    return &palettes[0];
}

static int contains(nytp_str s, const char *part) {
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.p + i, part, n) == 0) return 1;
    return 0;
}

/* Compiled code is green, the kernel orange, C++ yellow, the rest of the machine red. */
static const char *kind_of(nytp_str name, int is_js) {
    if (nytp_str_ends(name, NYTP_LIT("_[k]"))) return "orange";
    if (nytp_str_ends(name, NYTP_LIT("_[j]"))) return "green";
    if (nytp_str_ends(name, NYTP_LIT("_[i]"))) return "aqua";
    if (contains(name, "::")) return "yellow";
    if (is_js) return contains(name, ":") ? "aqua" : contains(name, "/") ? "green" : "red";
    return contains(name, "/") || contains(name, ".") ? "green" : "red";
}

/* One of red, green and blue of a fully known colour: n is 0, 8 or 4. (The usual formula for hue, saturation and
 * lightness, all but the hue from 0 to 1.) */
static uint32_t channel(int n, double hue, double saturation, double lightness) {
    double k = n + hue / 30, a = saturation * (lightness < 0.5 ? lightness : 1 - lightness);
    while (k >= 12) k -= 12;
    double peak = k - 3 < 9 - k ? k - 3 : 9 - k;
    if (peak > 1) peak = 1;
    if (peak < -1) peak = -1;
    return (uint32_t)((lightness - a * peak) * 255 + 0.5);
}

static uint32_t rgb(double hue, double saturation, double lightness) {
    return channel(0, hue, saturation, lightness) << 16 | channel(8, hue, saturation, lightness) << 8 |
           channel(4, hue, saturation, lightness);
}

uint32_t nytp_colors_name(nytp_str palette, nytp_str name) {
    const hues *h = find(palette);
    if (!h->last) h = find(nytp_str_c(kind_of(name, strcmp(h->palette, "js") == 0)));
    uint64_t hash = nytp_str_hash(name);
    return rgb(h->first + (double)(hash % 97) / 96 * (h->last - h->first), 0.85, 0.68 + (double)(hash / 97 % 9) / 100);
}

uint32_t nytp_colors_delta(double share) {
    double size = share < 0 ? -share : share;
    return size > 0 ? rgb(share > 0 ? 6 : 212, 0.9, 0.94 - 0.3 * (size < 1 ? size : 1)) : rgb(0, 0, 0.92);
}
