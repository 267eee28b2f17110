/* SPDX-License-Identifier: MIT */
/* crc.h - the CRC-32 of zlib, PNG and Ethernet by a small table: for programs without zlib, and in signal handlers. */
#ifndef NYTP_BASE_CRC_H
#define NYTP_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of the bytes so far, and p[0..n) behind them; begins with 0. */
uint32_t nytp_crc_add(uint32_t crc, const void *p, size_t n);

#endif
