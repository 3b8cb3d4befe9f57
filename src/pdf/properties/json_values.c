#include "pdf/properties/json_values.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "pdf/forms/sigfields.h"
#include "pdf/properties/pdf_date.h"

#define MAX_TEXT 10000 /* bytes of one text; longer ones are cut */

/* UTF-8 of a document, with U+FFFD for what is not. */
static json_t *text_json(const char *text)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t n = strlen(text), at = 0;

    while (at < n && at < MAX_TEXT) {
        uint32_t c;
        size_t length = utf8_decode(text + at, n - at, &c);

        utf8_put(length ? c : 0xfffd, &out);
        at += length ? length : 1;
    }
    return json_stringn_nocheck(buf_text(&out), out.len);
}

json_t *json_values_text(struct obj text)
{
    return obj_is_string(text) ? text_json(sigfields_text(text)) : NULL;
}

json_t *json_values_name(struct obj name)
{
    size_t n;
    const char *bytes = obj_is_name(name) ? obj_bytes(name, &n) : NULL;

    return bytes && *bytes ? text_json(bytes + 1) : NULL;
}

void json_values_set_text(json_t *object, const char *member, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    json_t *json = json_values_text(value);

    if (json)
        json_object_set_new(object, member, json);
}

void json_values_set_name(json_t *object, const char *member, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    json_t *json = json_values_name(value);

    if (json)
        json_object_set_new(object, member, json);
}

void json_values_set_date(json_t *object, const char *member, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    const char *text = sigfields_text(value);
    char date[PDF_DATE];

    if (*text)
        json_object_set_new(object, member, text_json(pdf_date_to_iso(text, date) ? date : text));
}

json_t *json_values_number(double value)
{
    double rounded = isfinite(value) ? round(fmin(fmax(value, -1e12), 1e12) * 100) / 100 : 0;

    if (rounded >= floor(rounded) && rounded <= floor(rounded))
        return json_integer((json_int_t) rounded);
    return json_real(rounded);
}

json_t *json_values_box(struct obj array)
{
    json_t *out = obj_count(array) == 4 ? json_array() : NULL;
    double values[4];

    if (out && obj_numbers(array, values, 4)) {
        for (int i = 0; i < 4; i++)
            json_array_append_new(out, json_values_number(values[i]));
        return out;
    }
    for (int i = 0; out && i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);
        double value = 0;

        obj_is_number(item, &value);
        json_array_append_new(out, json_values_number(value));
    }
    return out;
}
