/* fuzz: what libFuzzer calls. Each target is one file with this function. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
