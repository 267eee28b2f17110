/* SPDX-License-Identifier: MIT */
/* language.c - what a process's front end calls things, as its capture has it. */
#include "model/language.h"

#include <stddef.h>
#include <string.h>

void nytp_language_tell(nytp_process *process, nytp_str key, nytp_str value) {
    static const struct {
        const char *key;
        size_t offset;
    } rows[] = {
        {"root", offsetof(nytp_terms, root)},
        {"comment", offsetof(nytp_terms, comment)},
        {"words", offsetof(nytp_terms, words)},
        {"packages", offsetof(nytp_terms, packages)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (nytp_str_eq(key, nytp_str_c(rows[i].key)))
            *(nytp_str *)(void *)((char *)&process->language + rows[i].offset) = value;
}

const nytp_process *nytp_language_process(const nytp_profile *p, uint32_t process) {
    return process && process <= p->processes_n ? &p->processes[process - 1] : NULL;
}

int nytp_language_same(const nytp_process *a, const nytp_process *b) {
    return a->id.front_end == b->id.front_end && nytp_str_eq(a->language.words, b->language.words);
}

/* A Lua state has no main program: its host calls its chunks. */
nytp_str nytp_language_root(const nytp_process *process) {
    if (process && process->language.root.n) return process->language.root;
    return process && process->id.front_end == NYTP_FRONT_LUA ? NYTP_LIT("(host)") : NYTP_LIT("main::RUNTIME");
}

/* In "block in Set#each" with the separators "#." it is Set. A name such as <top (required)> x.rb has none. */
static nytp_str package_by(nytp_str name, nytp_str separators) {
    size_t cut = 0, begin = 0;
    if (name.n && name.p[0] == '<') return (nytp_str){name.p, 0};
    for (size_t i = 0; i < name.n; i++)
        if (memchr(separators.p, name.p[i], separators.n)) cut = i;
    for (size_t i = 0; i < cut; i++)
        if (name.p[i] == ' ') begin = i + 1;
    return (nytp_str){name.p + begin, cut - begin};
}

nytp_str nytp_language_package(const nytp_process *process, nytp_str name) {
    nytp_str separators = process ? process->language.packages : (nytp_str){"", 0};
    return separators.n ? package_by(name, separators) : nytp_format_package(name);
}
