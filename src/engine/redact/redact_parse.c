#include "engine/redact/redact_parse.h"

#include <string.h>

pdf_obj *redact_parse(fz_context *ctx, pdf_document *pdf, const char *text)
{
    fz_stream *stream = NULL;
    pdf_obj *dict = NULL;
    pdf_lexbuf lexbuf;

    pdf_lexbuf_init(ctx, &lexbuf, PDF_LEXBUF_SMALL);
    fz_var(stream);
    fz_var(dict);
    fz_try(ctx)
    {
        stream = fz_open_memory(ctx, (const unsigned char *) text, strlen(text));
        dict = pdf_parse_stm_obj(ctx, pdf, stream, &lexbuf);
    }
    fz_always(ctx)
    {
        fz_drop_stream(ctx, stream);
        pdf_lexbuf_fin(ctx, &lexbuf);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return dict;
}
