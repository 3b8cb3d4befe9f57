#include "syntax/pdf/text.h"

#include <string.h>

#include "syntax/pdf/syntax.h"

struct text text_of(const struct buf *buf)
{
    return (struct text){ buf_text(buf), buf->len };
}

bool text_is(struct text value, const char *text)
{
    return value.at && value.n == strlen(text) && memcmp(value.at, text, value.n) == 0;
}

bool text_is_dict(struct text value)
{
    return value.n >= 4 && memcmp(value.at, "<<", 2) == 0;
}

bool text_is_array(struct text value)
{
    return value.n >= 2 && value.at[0] == '[';
}

uint32_t text_ref(struct text value)
{
    struct syntax s = { .data = (const unsigned char *) value.at, .n = value.n };
    uint64_t number;

    if (value.n < 5 || value.at[value.n - 1] != 'R' || !syntax_unsigned(&s, &number))
        return 0;
    return number <= SYNTAX_NUMBER ? (uint32_t) number : 0;
}

bool text_number(struct text value, uint64_t *number)
{
    struct syntax s = { .data = (const unsigned char *) value.at, .n = value.n };

    return value.at && syntax_unsigned(&s, number) && s.at == value.n;
}
