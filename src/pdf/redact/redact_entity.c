#include "pdf/redact/redact_entity.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"

#define MOST_BYTES  13 /* of a reference: ten digits */
#define LAST_NUMBER 0x10ffff

size_t redact_entity(const char *text, size_t n, uint32_t *code)
{
    static const struct {
        const char *name;
        char is;
    } named[] = {
        { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' }
    };
    const char *end = memchr(text, ';', n < MOST_BYTES ? n : MOST_BYTES);
    size_t length = end ? (size_t) (end - text) + 1 : 0;

    for (size_t i = 0; i < COUNT(named); i++)
        if (length == strlen(named[i].name) && memcmp(text, named[i].name, length) == 0) {
            *code = (unsigned char) named[i].is;
            return length;
        }
    if (length < 4 || text[0] != '&' || text[1] != '#')
        return 0;
    bool hex = text[2] == 'x' || text[2] == 'X';
    const char *digits = text + (hex ? 3 : 2);
    uint32_t number = 0;
    if (digits == end)
        return 0;
    for (; digits < end; digits++) {
        int digit = num_hex_digit(*digits);

        if (digit < 0 || (!hex && digit > 9) || number > LAST_NUMBER)
            return 0;
        number = number * (hex ? 16 : 10) + (uint32_t) digit;
    }
    if (number > LAST_NUMBER)
        return 0;
    *code = number;
    return length;
}
