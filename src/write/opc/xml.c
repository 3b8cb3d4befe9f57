#include "write/opc/xml.h"

void xml_text(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char) text[i] >= ' ' || text[i] == '\t')
            buf_put_markup(out, text[i]);
}
