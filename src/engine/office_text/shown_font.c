#include "engine/office_text/shown_font.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "engine/office_text/folded.h"
#include "pdf/content/operators.h"

#define CODES     65536U
#define MOST_SPAN 65536U /* codes of one range */

void shown_font_utf16(const char *bytes, size_t n, struct buf *out)
{
    const unsigned char *p = (const unsigned char *) bytes;

    for (size_t i = 0; i + 1 < n; i += 2) {
        uint32_t c = (uint32_t) (p[i] << 8 | p[i + 1]), low = 0;

        if (c >= 0xd800 && c < 0xdc00 && i + 3 < n) {
            low = (uint32_t) (p[i + 2] << 8 | p[i + 3]);
            c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
            i += 2;
        }
        utf8_put(c, out);
    }
}

static uint32_t map_code_of(const struct operand *o)
{
    uint32_t code = 0;

    for (size_t i = 0; i < o->n && i < 4; i++)
        code = code << 8 | (unsigned char) o->bytes[i];
    return code;
}

/* `last`: what is added to the last unit of the text. */
static void map_code(struct shown_font *font, uint32_t code, const struct operand *to,
                     uint32_t last)
{
    AUTO_BUF struct buf units = BUF_EMPTY, text = BUF_EMPTY;

    if (code >= CODES || to->n < 2)
        return;
    buf_put(&units, to->bytes, to->n & ~(size_t) 1);
    if (units.failed)
        return;
    last += (unsigned char) units.data[units.len - 1];
    units.data[units.len - 1] = (char) (last & 0xff);
    units.data[units.len - 2] = (char) ((unsigned char) units.data[units.len - 2] + (last >> 8));
    shown_font_utf16(units.data, units.len, &text);
    font->places[code] = (uint32_t) font->text.len;
    folded_put(&font->text, buf_text(&text), text.len);
    buf_putc(&font->text, '\0');
}

static bool read_map(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct shown_font *font = arg;

    if (strcmp(op, "endbfchar") == 0) {
        for (size_t i = 0; i + 1 < n; i += 2)
            map_code(font, map_code_of(&operands[i]), &operands[i + 1], 0);
    } else if (strcmp(op, "endbfrange") == 0) {
        for (size_t i = 0; i + 2 < n; i += 3) {
            uint32_t from = map_code_of(&operands[i]), to = map_code_of(&operands[i + 1]);

            for (uint32_t k = 0; from + k <= to && k < MOST_SPAN; k++)
                map_code(font, from + k, &operands[i + 2], k);
        }
    }
    return !font->text.failed;
}

bool shown_font_read(struct shown_font *font, struct obj dict)
{
    AUTO_OBJ struct obj map = obj_key(dict, "/ToUnicode");
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    font->bytes = obj_key_is(dict, "/Subtype", "/Type0") ? 2 : 1;
    if (!obj_is_stream(map) || !obj_stream_data(map, &data, &n))
        return true;
    font->places = calloc(CODES, sizeof *font->places);
    if (!font->places)
        return false;
    buf_putc(&font->text, '\0'); /* of codes that the map does not have */
    operators_read(data, n, read_map, font);
    return !font->text.failed;
}

void shown_font_free(struct shown_font *font)
{
    free(font->places);
    buf_free(&font->text);
}

void shown_font_put(const struct shown_font *font, const char *codes, size_t n, struct buf *out)
{
    const unsigned char *p = (const unsigned char *) codes;

    for (size_t i = 0; i + font->bytes <= n; i += font->bytes) {
        uint32_t code = font->bytes == 2 ? (uint32_t) (p[i] << 8 | p[i + 1]) : p[i];
        char latin[UTF8_MOST];

        if (font->places)
            buf_puts(out, font->text.data + font->places[code]);
        else if (font->bytes == 1)
            folded_put(out, latin, utf8_encode(code, latin));
    }
}
