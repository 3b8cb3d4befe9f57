#include "pdf/document/syntax.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define MAX_NUMBER 8388607 /* ISO 32000-1, Annex C */

const char *syntax_simple(struct obj obj)
{
    return qpdf_oh_unparse_resolved(obj.q, obj.oh);
}

void syntax_key(struct buf *out, const char *key)
{
    static const char delimiters[] = "()<>[]{}/%#";

    buf_putc(out, '/');
    for (const char *c = *key == '/' ? key + 1 : key; *c; c++) {
        if (*c <= ' ' || *c > '~' || strchr(delimiters, *c))
            buf_printf(out, "#%02x", (unsigned char) *c);
        else
            buf_putc(out, *c);
    }
}

int syntax_stream(struct pdf_doc *doc, struct obj stream, struct buf *out, struct err *err)
{
    AUTO_FREE unsigned char *bytes = NULL;
    QPDF_BOOL filtered;
    size_t n = 0;

    qpdf_oh_get_stream_data(stream.q, stream.oh, qpdf_dl_none, &filtered, &bytes, &n);
    if (pdf_doc_check(doc, "read a stream", err) < 0)
        return -1;
    buf_put(out, bytes, n);
    return out->failed ? pdf_doc_no_memory(err) : 0;
}

const char *syntax_password(struct pdf_doc *doc)
{
    return doc->password;
}

const char *syntax_user_password(struct pdf_doc *doc)
{
    return qpdf_get_user_password(doc->q);
}

int syntax_next_number(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    long long size = 0;

    if (obj_key_int(trailer, "/Size", &size) && !doc->miscounted && size > 0 && size <= MAX_NUMBER)
        return (int) size;
    /* qpdf gives out the next one, after reading all objects: dear, and rarely needed. */
    AUTO_OBJ struct obj null = { doc->q, qpdf_oh_new_null(doc->q) };
    AUTO_OBJ struct obj fresh = obj_indirect(null);
    return OBJ_NUMBER(obj_id(fresh));
}
