/* pdfa_profile: the ICC profile of sRGB (ICC.1:2001-04, IEC 61966-2-1), as the colours that a
 * document is meant for. */
#pragma once

#include "base/buf.h"

/* Appends the profile; the same bytes each time. */
void pdfa_profile_put(struct buf *out);
