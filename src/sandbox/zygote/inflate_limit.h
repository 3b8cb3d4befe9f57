/*
 * inflate_limit: ends the job when deflate data become far more than its input can stand for. One
 * layer of deflate makes at most 1032 bytes of one; three layers make gigabytes of 600 bytes, and
 * the libraries that read documents decode as many layers as a stream names, each to its end.
 * Replaces zlib's inflate in the whole program, including libraries (qpdf, MuPDF and others), as
 * allocation.h replaces malloc.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Limit in bytes of what one zlib stream may become: this, or INFLATE_LIMIT_TIMES the bytes of the
 * job's inputs, if that is more. Data that are compressed less than a hundred times have no limit.
 */
#define INFLATE_LIMIT_LEAST ((uint64_t) 32 << 20)
#define INFLATE_LIMIT_TIMES 1100 /* more than one layer of deflate can reach */
/* How many times as much all streams together may become, since a tool may read a file more than
 * once, and the bytes at the beginning of each stream that do not count. */
#define INFLATE_LIMIT_STREAMS 6
#define INFLATE_LIMIT_FREE    ((uint64_t) 256 << 10)

/* From now on there is a limit, for inputs of `bytes` bytes together. `then` is called once, by any
 * thread, when data exceed it, and has the limit in megabytes: it reports that and ends the
 * process. In processes that this one forks, such data are damaged data. */
void inflate_limit_begin(uint64_t bytes, void (*then)(void *arg, size_t megabytes), void *arg);
