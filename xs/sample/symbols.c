/* SPDX-License-Identifier: MIT */
/* symbols.c - where variables are in the memory of another process.
 *
 * A file may be anything: every offset in it is checked before it is used. */
#include "sample/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if UINTPTR_MAX > UINT32_MAX
#define CLASS ELFCLASS64
typedef Elf64_Ehdr header;
typedef Elf64_Phdr segment;
typedef Elf64_Shdr section;
typedef Elf64_Sym entry;
#else
#define CLASS ELFCLASS32
typedef Elf32_Ehdr header;
typedef Elf32_Phdr segment;
typedef Elf32_Shdr section;
typedef Elf32_Sym entry;
#endif

typedef struct image { /* a file, and where the process has mapped it */
    const unsigned char *p;
    size_t n;
    uint64_t start, offset; /* of its first mapping, in memory and in the file */
} image;

/* ---- the file ---- */

static const void *at(const image *f, uint64_t offset, uint64_t n) {
    return offset <= f->n && n <= f->n - offset ? f->p + offset : NULL;
}

/* n structs of that size. */
static const void *all_at(const image *f, uint64_t offset, uint64_t n, size_t size) {
    return n <= f->n / size && offset % 4 == 0 ? at(f, offset, n * size) : NULL;
}

static const header *header_of(const image *f) {
    const header *h = at(f, 0, sizeof *h);
    int is_ours = h && memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 && h->e_ident[EI_CLASS] == CLASS;
    return is_ours && (h->e_type == ET_EXEC || h->e_type == ET_DYN) ? h : NULL;
}

/* What is to be added to addresses in the file. 0 is returned if no segment fits the mapping. */
static int bias_of(const image *f, const header *h, uint64_t *bias) {
    const segment *s = all_at(f, h->e_phoff, h->e_phnum, sizeof *s);
    for (uint32_t i = 0; s && i < h->e_phnum; i++) {
        if (s[i].p_type != PT_LOAD || f->offset > s[i].p_offset || s[i].p_offset - f->offset > 65535) continue;
        *bias = f->start - (s[i].p_vaddr - (s[i].p_offset - f->offset));
        return 1;
    }
    return 0;
}

static int is_named(const image *f, const section *names, uint32_t offset, const char *name) {
    size_t n = strlen(name) + 1;
    uint64_t end = (uint64_t)offset + n;
    const char *text = end <= names->sh_size ? at(f, names->sh_offset + offset, n) : NULL;
    return text && memcmp(text, name, n) == 0;
}

static void look_up(const image *f, const section *table, const section *names, uint64_t bias, nytp_symbol *symbols,
                    size_t n) {
    uint64_t entries = table->sh_size / sizeof(entry);
    const entry *e = all_at(f, table->sh_offset, entries, sizeof *e);
    for (uint64_t i = 0; e && i < entries; i++) {
        for (size_t k = 0; e[i].st_shndx && k < n; k++)
            if (is_named(f, names, e[i].st_name, symbols[k].name)) symbols[k].at = e[i].st_value + bias;
    }
}

static void look(const image *f, nytp_symbol *symbols, size_t n) {
    const header *h = header_of(f);
    const section *s = h ? all_at(f, h->e_shoff, h->e_shnum, sizeof *s) : NULL;
    uint64_t bias;
    if (!s || !bias_of(f, h, &bias)) return;
    for (uint32_t i = 0; i < h->e_shnum; i++)
        if (s[i].sh_type == SHT_DYNSYM && s[i].sh_link < h->e_shnum)
            look_up(f, &s[i], &s[s[i].sh_link], bias, symbols, n);
}

static void look_in_file(image *f, const char *path, nytp_symbol *symbols, size_t n) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *p = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0) close(fd);
    if (p == MAP_FAILED) return;
    f->p = p;
    f->n = (size_t)st.st_size;
    look(f, symbols, n);
    munmap(p, f->n);
}

/* ---- the process ---- */

typedef struct mapping {
    uint64_t start, offset;
    char path[PATH_MAX]; /* empty: no file */
} mapping;

/* Reads the next line of /proc/PID/maps; 0 at the end. */
static int next_mapping(FILE *maps, mapping *m) {
    char line[PATH_MAX + 128];
    int path = 0;
    m->path[0] = '\0';
    if (!fgets(line, sizeof line, maps)) return 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*s %n", &m->start, &m->offset, &path) < 2) return 1;
    if (path && line[path] == '/') snprintf(m->path, sizeof m->path, "%.*s", PATH_MAX - 1, line + path);
    return 1;
}

static int begins_with(const char *path, const char *library) {
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, library, strlen(library)) == 0;
}

/* The program itself is found through its link, even if its file has been deleted. */
static void look_at(pid_t pid, const mapping *m, int is_program, nytp_symbol *symbols, size_t n) {
    char path[PATH_MAX + 32];
    image f = {.start = m->start, .offset = m->offset};
    if (is_program) snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
    else snprintf(path, sizeof path, "/proc/%ld/root%s", (long)pid, m->path);
    look_in_file(&f, path, symbols, n);
}

/* The path of the program; 0, with errno: it cannot be looked at. */
static int program_of(pid_t pid, char path[PATH_MAX]) {
    char link[32];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    if (n < 0) return 0;
    path[n] = '\0';
    return 1;
}

/* Only the first mapping of a file is looked at. */
static int search(FILE *maps, pid_t pid, const char *library, const char *program, nytp_symbol *symbols, size_t n,
                  char path[PATH_MAX]) {
    mapping m;
    char before[PATH_MAX] = "";
    while (!symbols[0].at && next_mapping(maps, &m)) {
        int is_program = !library && strcmp(m.path, program) == 0;
        if (!m.path[0] || strcmp(m.path, before) == 0) continue;
        if (!is_program && !(library && begins_with(m.path, library))) continue;
        memcpy(before, m.path, sizeof before);
        look_at(pid, &m, is_program, symbols, n);
        memcpy(path, m.path, sizeof m.path);
    }
    return symbols[0].at != 0;
}

enum nytp_code nytp_symbols_find(pid_t pid, const char *library, nytp_symbol *symbols, size_t n,
                                 char path[PATH_MAX], nytp_error *e) {
    char name[32], program[PATH_MAX];
    snprintf(name, sizeof name, "/proc/%ld/maps", (long)pid);
    FILE *maps = program_of(pid, program) ? fopen(name, "re") : NULL;
    if (!maps) return nytp_error_sys(e, "%s", name);
    for (size_t i = 0; i < n; i++) symbols[i].at = 0;
    int found = search(maps, pid, NULL, program, symbols, n, path);
    rewind(maps);
    if (!found) found = search(maps, pid, library, program, symbols, n, path);
    fclose(maps);
    if (found) return NYTP_OK;
    return nytp_error_set(e, NYTP_FORMAT, "there is no %s in process %ld: its program is %s", symbols[0].name,
                          (long)pid, program);
}
