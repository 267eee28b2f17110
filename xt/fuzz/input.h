/* SPDX-License-Identifier: MIT */
/* input.h - an input of the fuzzer as a file, and a capture that a mutation has broken made readable again. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "capture/bytes.h"

/* What libFuzzer calls, and what it offers. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory, open for reading and writing; ends the program where there is none. */
int input_memory(const char *name);

/* Makes the bytes the contents of such a file, to be read from its beginning. */
void input_fill(int fd, const uint8_t *data, size_t size);

/* The same as a file of that name in the directory in use. */
void input_spew(const char *name, const uint8_t *data, size_t size);

/* An open file whose bytes are all in memory already. */
nytp_bytes input_bytes(const uint8_t *data, size_t size);

/* A directory of its own, in TMPDIR, becomes the one in use. */
void input_directory(void);

/* Chunks reach to the next sync mark, as if they were written so, and have a right CRC. */
void input_repair(uint8_t *data, size_t size);

#endif
