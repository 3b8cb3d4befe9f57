/*
 * pdf_builder: the PDF files that tests need, made from the texts of their objects. Begin with
 * pdf_header, put objects by number in any order, and end with pdf_end; then `out` is the file.
 */
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"

#define PDF_BUILDER_OBJECTS 200

struct pdf_builder {
    struct buf out;
    size_t offsets[PDF_BUILDER_OBJECTS]; /* by number; 0: there is no such object */
    int n;                               /* the highest number and 1 */
};

static inline void pdf_header(struct pdf_builder *pdf, const char *version)
{
    *pdf = (struct pdf_builder){ .out = BUF_EMPTY, .n = 1 };
    buf_printf(&pdf->out, "%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n", version);
}

/* The caller writes the rest of the object to `out`, with "\nendobj\n" at the end. */
static inline void pdf_begin(struct pdf_builder *pdf, int number)
{
    pdf->offsets[number] = pdf->out.len;
    pdf->n = number < pdf->n ? pdf->n : number + 1;
    buf_printf(&pdf->out, "%d 0 obj\n", number);
}

static inline void pdf_put(struct pdf_builder *pdf, int number, const char *text)
{
    pdf_begin(pdf, number);
    buf_printf(&pdf->out, "%s\nendobj\n", text);
}

/* `entries`: those of its dictionary besides /Length. */
__attribute__((format(printf, 5, 6), unused)) static void pdf_put_stream(struct pdf_builder *pdf,
                                                                         int number,
                                                                         const void *data, size_t n,
                                                                         const char *entries, ...)
{
    char text[1000];
    va_list ap;

    va_start(ap, entries);
    vsnprintf(text, sizeof text, entries, ap);
    va_end(ap);
    pdf_begin(pdf, number);
    buf_printf(&pdf->out, "<<%s/Length %zu>>\nstream\n", text, n);
    buf_put(&pdf->out, data, n);
    buf_puts(&pdf->out, "\nendstream\nendobj\n");
}

/* The cross-reference table and the trailer. `root`: the number of the catalog, or 0 for none. */
static inline void pdf_end(struct pdf_builder *pdf, int root)
{
    size_t start = pdf->out.len;

    buf_printf(&pdf->out, "xref\n0 %d\n0000000000 65535 f \n", pdf->n);
    for (int i = 1; i < pdf->n; i++)
        buf_printf(&pdf->out, "%010zu %s \n", pdf->offsets[i],
                   pdf->offsets[i] ? "00000 n" : "65535 f");
    buf_printf(&pdf->out, "trailer\n<</Size %d", pdf->n);
    if (root)
        buf_printf(&pdf->out, "/Root %d 0 R", root);
    buf_printf(&pdf->out, ">>\nstartxref\n%zu\n%%%%EOF\n", start);
}
