#include "declare/value/saslprep.h"

#include <stringprep.h>

int saslprep(char *text, size_t cap)
{
    Stringprep_profile profile[32] = { { 0 } };
    size_t n = 0;

    for (const Stringprep_profile *p = stringprep_saslprep; p->operation && n < 31; p++)
        if (p->operation != STRINGPREP_BIDI && p->operation != STRINGPREP_BIDI_PROHIBIT_TABLE &&
            p->operation != STRINGPREP_BIDI_RAL_TABLE && p->operation != STRINGPREP_BIDI_L_TABLE)
            profile[n++] = *p;
    return stringprep(text, cap, 0, profile) == STRINGPREP_OK ? 0 : -1;
}
