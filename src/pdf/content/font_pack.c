#include "pdf/content/font_pack.h"

#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "syntax/inflate/flate.h"

#define COLUMNS    2 /* bytes of an offset */
#define PNG_UP     2 /* a byte is what it is more than the one above it (7.4.4.4) */
#define WORTH_IT   4096
#define MAX_NUMBER 10000000

/* Rows of COLUMNS bytes, each after the number of its predictor. */
static unsigned char *predict(const unsigned char *data, size_t n, size_t *n_out)
{
    size_t rows = (n + COLUMNS - 1) / COLUMNS, cap;
    unsigned char *out = num_add(n, rows, &cap) ? malloc(cap) : NULL;
    unsigned char *to = out;

    for (size_t i = 0; out && i < n; i++) {
        if (i % COLUMNS == 0)
            *to++ = PNG_UP;
        *to++ = (unsigned char) (data[i] - (i < COLUMNS ? 0 : data[i - COLUMNS]));
    }
    *n_out = out ? (size_t) (to - out) : 0;
    return out;
}

static int pack_font(struct obj stream, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_FREE unsigned char *rows = NULL;
    AUTO_BUF struct buf packed = BUF_EMPTY;
    size_t n = 0, n_rows;

    if (qpdf_oh_get_stream_data(stream.q, stream.oh, qpdf_dl_generalized, NULL, &data, &n) &
        (QPDF_ERRORS))
        return err_set(err, ERR_INTERNAL, "a font of the drawing cannot be read");
    if (n < WORTH_IT)
        return 0;
    rows = predict(data, n, &n_rows);
    if (!rows || !flate_pack(rows, n_rows, FLATE_BEST, &packed))
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj filter = obj_new_name(stream.q, "/FlateDecode");
    AUTO_OBJ struct obj parms = obj_parse(stream.q, "<</Predictor 12/Columns 2>>");
    qpdf_oh_replace_stream_data(stream.q, stream.oh, (const unsigned char *) packed.data,
                                packed.len, filter.oh, parms.oh);
    return 0;
}

int font_pack_all(qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(q);
    long long size = 0;

    if (!obj_key_int(trailer, "/Size", &size) || size > MAX_NUMBER)
        return 0;
    for (int i = 1; i < (int) size; i++) {
        AUTO_OBJ struct obj object = obj_by_id(q, i, 0);

        if (obj_is_stream(object) && (obj_key_is(object, "/Subtype", "/CIDFontType0C") ||
                                      obj_key_is(object, "/Subtype", "/Type1C")))
            if (pack_font(object, err) < 0)
                return -1;
    }
    return 0;
}
