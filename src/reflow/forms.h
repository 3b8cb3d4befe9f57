/* forms: characters that stand for how others look (Unicode, compatibility decompositions). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The characters that c stands for, most often itself; how many. */
size_t forms_plain(uint32_t c, uint32_t plain[static 4]);
