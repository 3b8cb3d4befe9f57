/* forms: characters that stand for how others look (Unicode, compatibility decompositions). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The characters that c stands for, most often itself; how many. */
size_t forms_plain(uint32_t c, uint32_t plain[static 4]);
/* Writes c in UTF-8 (at most 4 bytes, no NUL); how many bytes. */
size_t forms_utf8(uint32_t c, char *out);
/* What a document may hold (XML 1.0, 2.2). */
bool forms_is_text(uint32_t c);
