/* Whether a document needs no repair (pdf/document/doc.h). */
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"
#include "pdf/object/run_lengths.h"
#include "pdf/object/scans.h"

#define MAX_PIXELS 500000000 /* of a picture that is decoded to see whether it is sound */

#define FEW_SCANS  20        /* real images have: they are not counted */
#define MAX_BLOCKS 100000000 /* of all scans of all images: about a second */

/* Whether a picture is so large that decoding it, as qpdf's check does, would take minutes. */
static bool has_giant(struct pdf_doc *doc)
{
    int n = pdf_doc_next_number(doc);

    for (int i = 1; i < n; i++) {
        AUTO_OBJ struct obj obj = obj_by_id(doc->q, i, 0);
        long long w, h, pixels;

        if (obj_is_stream(obj) && obj_key_int(obj, "/Width", &w) &&
            obj_key_int(obj, "/Height", &h) && w > 0 && h > 0 &&
            (__builtin_mul_overflow(w, h, &pixels) || pixels > MAX_PIXELS))
            return true;
    }
    return false;
}

/* Whether a stream's run lengths would keep that check busy for as long: it unpacks everything. */
static bool has_many_run_lengths(struct pdf_doc *doc)
{
    int n = pdf_doc_next_number(doc);
    uint64_t size = 0;

    for (int i = 1; i < n && size <= RUN_LENGTHS_STREAM; i++) {
        AUTO_OBJ struct obj obj = obj_by_id(doc->q, i, 0);

        if (obj_is_stream(obj))
            size += obj_run_lengths(obj);
    }
    return size > RUN_LENGTHS_STREAM;
}

/* Whether JPEG images have so many scans that checking them would take too long. */
static bool has_many_scans(struct pdf_doc *doc)
{
    int n = pdf_doc_next_number(doc);
    double blocks = 0;

    for (int i = 1; i < n && blocks <= MAX_BLOCKS; i++) {
        AUTO_OBJ struct obj obj = obj_by_id(doc->q, i, 0);
        long long w, h;
        size_t scans = obj_is_stream(obj) ? scans_of(obj) : 0;

        if (scans > FEW_SCANS && obj_key_int(obj, "/Width", &w) &&
            obj_key_int(obj, "/Height", &h) && w > 0 && h > 0)
            blocks += (double) w * (double) h / 64 * (double) scans;
    }
    return blocks > MAX_BLOCKS;
}

bool pdf_doc_is_sound(struct pdf_doc *doc)
{
    if (doc->repaired || doc->lapse || has_giant(doc))
        return false;
    if (has_many_run_lengths(doc) || has_many_scans(doc)) {
        pdf_doc_warn(doc);
        return !doc->repaired && !doc->lapse;
    }
    bool failed = qpdf_check_pdf(doc->q) & (QPDF_ERRORS);

    qpdf_get_error(doc->q);
    pdf_doc_warn(doc);
    return !failed && !doc->repaired && !doc->lapse;
}
