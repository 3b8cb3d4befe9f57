#include "pdf/form_data/form_texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/form_data/form_fields.h"
#include "pdf/forms/field_text.h"

int form_texts_add(struct form_texts *texts, const char *text, struct err *err)
{
    if (!LIST_ROOM(texts->items, texts->n, texts->cap) || !(texts->items[texts->n] = strdup(text)))
        return pdf_doc_no_memory(err);
    texts->n++;
    return 0;
}

int form_texts_read(struct obj value, struct form_texts *texts, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (obj_is_string(value))
        return form_texts_add(texts, form_text(value), err);
    if (obj_is_name(value)) {
        const char *bytes = obj_bytes(value, &n);

        return bytes && n > 0 && utf8_is_valid(bytes, n) ? form_texts_add(texts, bytes + 1, err)
                                                         : 0;
    }
    if (obj_is_stream(value) && obj_stream_data(value, &data, &n)) {
        AUTO_BUF struct buf text = BUF_EMPTY;

        if (field_text_read((const char *) data, n, &text))
            return form_texts_add(texts, buf_text(&text), err);
    }
    for (int i = 0, count = obj_count(value); i < count; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (obj_is_string(item) && form_texts_add(texts, form_text(item), err) < 0)
            return -1;
    }
    return 0;
}

void form_texts_free(struct form_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->items[i]);
    free(texts->items);
}
