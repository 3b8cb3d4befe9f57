#include "pdf/document/warm.h"

#include <qpdf/qpdf-c.h>
#include <string.h>

/* A page without content; its cross-reference table is made on reading. */
static const char sample[] = "%PDF-1.4\n"
                             "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                             "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                             "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Rotate 90"
                             "/Resources<<>>/Contents 4 0 R>>endobj\n"
                             "4 0 obj<</Length 3>>stream\nq Q\nendstream endobj\n"
                             "trailer<</Root 1 0 R/Size 5>>\nstartxref\n0\n%%EOF\n";

/* Writes it once and reads what was written, as every tool does with its result. */
static void write_and_read(qpdf_data q)
{
    qpdf_data again;

    if (qpdf_init_write_memory(q) & QPDF_ERRORS)
        return;
    qpdf_set_object_stream_mode(q, qpdf_o_generate);
    if (qpdf_write(q) & QPDF_ERRORS)
        return;
    again = qpdf_init();
    qpdf_silence_errors(again);
    qpdf_set_suppress_warnings(again, QPDF_TRUE);
    if (!(qpdf_read_memory(again, "warm", (const char *) qpdf_get_buffer(q),
                           qpdf_get_buffer_length(q), NULL) &
          QPDF_ERRORS))
        qpdf_get_num_pages(again);
    qpdf_cleanup(&again);
}

void pdf_warm(void)
{
    qpdf_data q = qpdf_init();

    qpdf_silence_errors(q);
    qpdf_set_suppress_warnings(q, QPDF_TRUE);
    if (!(qpdf_read_memory(q, "warm", sample, strlen(sample), NULL) & QPDF_ERRORS) &&
        qpdf_get_num_pages(q) == 1) {
        qpdf_oh page = qpdf_get_page_n(q, 0);

        qpdf_oh_replace_key(q, page, "/Rotate", qpdf_oh_new_integer(q, 180));
        write_and_read(q);
    }
    qpdf_cleanup(&q);
}
