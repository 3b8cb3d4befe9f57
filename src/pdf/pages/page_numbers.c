#include "pdf/pages/page_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/content/overlay.h"

void page_numbers_put(struct buf *out, double value)
{
    char text[400];
    int n = snprintf(text, sizeof text, "%.4f", isfinite(value) ? value : 0);

    while (text[n - 1] == '0')
        n--;
    n -= text[n - 1] == '.';
    buf_put(out, text, (size_t) n);
}

struct obj page_numbers_new(qpdf_data q, const double *values, size_t n)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_putc(&text, '[');
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            buf_putc(&text, ' ');
        page_numbers_put(&text, values[i]);
    }
    buf_putc(&text, ']');
    return obj_parse(q, text.failed ? "null" : buf_text(&text));
}

bool page_numbers_box(struct obj array, double box[static 4])
{
    double v[4];

    if (obj_count(array) != 4)
        return false;
    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!obj_is_number(item, &v[i]) || !isfinite(v[i]))
            return false;
    }
    box[0] = fmin(v[0], v[2]);
    box[1] = fmin(v[1], v[3]);
    box[2] = fmax(v[0], v[2]);
    box[3] = fmax(v[1], v[3]);
    return true;
}

struct obj page_numbers_moved(struct obj form, const double matrix[static 6])
{
    AUTO_OBJ struct obj dict = obj_is_stream(form) ? obj_dict(form) : obj_same(form);
    AUTO_OBJ struct obj old = obj_key(dict, "/Matrix");
    AUTO_KEYS char **keys = obj_keys(dict);
    AUTO_FREE unsigned char *data = NULL;
    double m[6] = { 1, 0, 0, 1, 0, 0 };
    size_t n = 0;

    if (!keys || (obj_is_stream(form) && !obj_stream_raw(form, &data, &n)))
        return obj_same(form);
    for (int i = 0; i < 6 && obj_count(old) == 6; i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        obj_is_number(item, &m[i]);
    }
    overlay_multiply(m, matrix, m);
    struct obj copy = data ? obj_new_stream(form.q, data, n) : obj_new_dict(form.q);
    for (size_t i = 0; keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        if (strcmp(keys[i], "/Length") != 0)
            obj_set(copy, keys[i], value);
    }
    AUTO_OBJ struct obj moved = page_numbers_new(form.q, m, 6);
    obj_set(copy, "/Matrix", moved);
    if (data)
        obj_set_stream(copy, data, n);
    return copy;
}
