/*
 * srgb: whether an ICC profile (ISO 15076-1) equals the device colour spaces as PDF readers
 * interpret them: sRGB, or gray of the same lightness.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the profile of n bytes equals sRGB or, with one channel, gray of the same lightness.
 * `channels`: 1 or 3, the profile's. False for any profile that is damaged, table-based, or
 * visibly different. */
bool srgb_is_like(const void *profile, size_t n, int channels);
