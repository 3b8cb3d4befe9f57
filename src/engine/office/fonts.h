/*
 * fonts: finds out which fonts LibreOffice requested but are not installed, and what replaced them.
 * It wraps the fontconfig functions with which LibreOffice requests fonts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* To be called in the zygote: whether fonts or fontconfig's settings have changed since fontconfig
 * read them. */
bool fonts_changed(void);

/* Records requests from now on. */
void fonts_watch(void);
/* The i-th missing font, and its replacement (borrowed); false past the last. */
bool fonts_replaced(size_t i, const char **name, const char **instead);
