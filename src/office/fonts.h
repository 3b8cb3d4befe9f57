/*
 * fonts: which fonts LibreOffice looked for, did not find, and what it took instead. It asks
 * fontconfig for each that is not there, and this program stands between them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* In the zygote: whether fonts or fontconfig's settings have changed since fontconfig read them. */
bool fonts_changed(void);

/* From now on what is asked for is remembered. */
void fonts_watch(void);
/* The i-th font that was asked for, and what was taken instead (borrowed); false past the last. */
bool fonts_replaced(size_t i, const char **name, const char **instead);
