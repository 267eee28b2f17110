/* SPDX-License-Identifier: MIT */
/* crc.c - the CRC-32 of zlib, PNG and Ethernet by a small table. */
#include "base/crc.h"

/* Four bits at a time: the remainders of 0..15 for the reversed polynomial EDB88320. */
uint32_t nytp_crc_add(uint32_t crc, const void *p, size_t n) {
    static const uint32_t remainders[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    const unsigned char *at = p;

    crc = ~crc;
    while (n--) {
        crc ^= *at++;
        crc = crc >> 4 ^ remainders[crc & 15];
        crc = crc >> 4 ^ remainders[crc & 15];
    }
    return ~crc;
}
