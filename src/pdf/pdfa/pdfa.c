#include "pdf/pdfa/pdfa.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/object/page_view.h"
#include "pdf/pdfa/pdfa_catalog.h"
#include "pdf/pdfa/pdfa_font.h"
#include "pdf/pdfa/pdfa_profile.h"
#include "pdf/pdfa/pdfa_walk.h"
#include "pdf/properties/metadata.h"

#define SIDE_LEAST 3.0 /* of a page, in its units (6.1.13) */
#define SIDE_MOST  14400.0
#define PRINT      4 /* the flag of annotations */
#define LINKS      10000
#define CLAIM(level)                                                                               \
    "<rdf:Description rdf:about=\"\" xmlns:pdfaid=\"" XMP_PDFA "\"><pdfaid:part>2</pdfaid:part>"   \
    "<pdfaid:conformance>" level "</pdfaid:conformance></rdf:Description>"

/* Leaves of a page's annotations the links, which then are printed (6.3). Others may be seen. */
static int clean_annotations(struct pdfa_walk *walk, struct obj page, struct buf *left)
{
    static const char *const leading[] = { "/A", "/Dest", "/AA", "/AP", "/OC", "/PA" };
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj links = obj_new_array(page.q);
    int n = obj_count(old);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annotation = obj_item(old, i);

        if (!obj_key_is(annotation, "/Subtype", "/Link"))
            return pdfa_walk_refuse(walk,
                                    "has annotations or fields of a form, which flatten makes "
                                    "parts of the page");
        if (i >= LINKS || !pdfa_catalog_is_link(walk, annotation)) {
            pdfa_catalog_left(left, "links");
            if (i >= LINKS || !walk->kind->printed)
                continue;
            for (size_t k = 0; k < COUNT(leading);
                 k++) /* tags refer to it: it stays, and leads nowhere */
                obj_remove(annotation, leading[k]);
        }
        obj_set_int(annotation, "/F", PRINT);
        obj_append(links, annotation);
    }
    if (obj_count(links) > 0)
        obj_set(page, "/Annots", links);
    else
        obj_remove(page, "/Annots");
    return 0;
}

static const char *claim_of(const struct pdfa_kind *kind)
{
    return kind->unicode ? CLAIM("U") : CLAIM("B");
}

static int check_size(struct pdfa_walk *walk, struct obj page)
{
    AUTO_OBJ struct obj box = page_view_inherited(page, "/MediaBox", NULL);
    double edges[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj edge = obj_item(box, i);

        if (!obj_is_number(edge, &edges[i]))
            return pdfa_walk_refuse(walk, "has no size");
    }
    for (int i = 0; i < 2; i++) {
        double side = edges[i + 2] > edges[i] ? edges[i + 2] - edges[i] : edges[i] - edges[i + 2];

        if (!(side >= SIDE_LEAST && side <= SIDE_MOST))
            return pdfa_walk_refuse(walk, "is larger or smaller than is allowed");
    }
    return 0;
}

/* The page's content streams are checked as such, and then as one content. */
static int check_contents(struct pdfa_walk *walk, struct obj page)
{
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj resources = obj_key(page, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    int n = obj_count(contents);
    size_t bytes;

    if (obj_is_null(contents))
        return pdfa_walk_content(walk, resources, (const unsigned char *) "", 0, 0);
    for (int i = 0; i < (n > 0 ? n : 1); i++) {
        AUTO_OBJ struct obj item =
            obj_is_array(contents) ? obj_item(contents, i) : obj_same(contents);

        if (obj_is_stream(item) && pdfa_walk_is_new(walk, item) && pdfa_walk_stream(walk, item) < 0)
            return -1;
    }
    if (!obj_page_content(page, &data, &bytes))
        return pdfa_walk_refuse(walk, "has content that cannot be read");
    return pdfa_walk_content(walk, resources, data, bytes, 0);
}

static int make_page(struct pdfa_walk *walk, struct obj page, struct buf *left)
{
    static const char *const dropped[] = { "/AA",       "/PresSteps",    "/PieceInfo",
                                           "/Metadata", "/Thumb",        "/B",
                                           "/AF",       "/LastModified", NULL };
    AUTO_OBJ struct obj own = obj_key(page, "/Resources");

    if (obj_is_null(own)) {
        AUTO_OBJ struct obj inherited = page_view_inherited(page, "/Resources", NULL);

        if (!obj_is_null(inherited)) /* 6.2.2 */
            obj_set(page, "/Resources", inherited);
    }
    if (obj_has(page, "/AA"))
        pdfa_catalog_left(left, "actions");
    if (obj_has(page, "/AF"))
        pdfa_catalog_left(left, "attachments");
    for (int i = 0; dropped[i]; i++)
        obj_remove(page, dropped[i]);
    if (!walk->kind->printed) /* its tags were left out */
        obj_remove(page, "/StructParents");
    if (clean_annotations(walk, page, left) < 0 || check_size(walk, page) < 0 ||
        pdfa_walk_group(walk, page) < 0)
        return -1;
    return check_contents(walk, page);
}

static int make_pages(struct pdf_doc *doc, const struct pdfa_kind *kind, struct buf *left,
                      struct err *err)
{
    struct pdfa_walk walk = { .q = doc->q, .kind = kind, .err = err };
    int done = pdfa_catalog_clean(&walk, left);

    for (walk.page = 0; done == 0 && walk.page < doc->n_pages; walk.page++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, walk.page);

        done = make_page(&walk, page, left);
    }
    walk.page = 0;
    if (done == 0 && kind->printed)
        done = pdfa_catalog_check_values(&walk);
    if (done == 0 && (walk.seen.failed || walk.font_ids.failed))
        done = pdf_doc_no_memory(err);
    pdfa_font_free_all(&walk);
    key_map_free(&walk.seen);
    return done;
}

/* Says for which colours the document is meant (6.2.3). */
static int put_intent(struct pdf_doc *doc, struct err *err)
{
    AUTO_BUF struct buf profile = BUF_EMPTY;

    pdfa_profile_put(&profile);
    if (profile.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj list = obj_new_array(doc->q);
    AUTO_OBJ struct obj stream = obj_new_stream(doc->q, profile.data, profile.len);
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_OBJ struct obj intent =
        obj_parse(doc->q, "<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)"
                          "/Info(sRGB IEC61966-2.1)/RegistryName(http://www.color.org)>>");

    obj_set_int(dict, "/N", 3);
    obj_set(intent, "/DestOutputProfile", stream);
    obj_append(list, intent);
    obj_set(root, "/OutputIntents", list);
    return 0;
}

/* Puts the claim into the metadata (6.6). */
static int put_claim(struct pdf_doc *doc, const struct pdfa_kind *kind, struct err *err)
{
    static const char end[] = "</rdf:RDF>";
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj metadata = obj_key(root, "/Metadata");
    AUTO_FREE unsigned char *packet = NULL;
    AUTO_BUF struct buf claimed = BUF_EMPTY;
    const unsigned char *at;
    size_t n;

    if (!obj_is_stream(metadata) || !obj_stream_data(metadata, &packet, &n))
        return err_set(err, ERR_INTERNAL, "the metadata were not written");
    at = memmem(packet, n, end, sizeof end - 1);
    if (!at)
        return err_set(err, ERR_INTERNAL, "the metadata have no end");
    buf_put(&claimed, packet, (size_t) (at - packet));
    buf_puts(&claimed, claim_of(kind));
    buf_put(&claimed, at, n - (size_t) (at - packet));
    if (claimed.failed)
        return pdf_doc_no_memory(err);
    obj_set_stream(metadata, claimed.data, claimed.len);
    return 0;
}

/* Writes new metadata of what the document says of itself: other properties of XMP would need a
 * description of their own. */
static int put_metadata(struct pdf_doc *doc, const struct pdfa_kind *kind,
                        const struct metadata *old, struct err *err)
{
    AUTO_METADATA struct metadata metadata = { 0 };
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    struct err ignored;

    obj_remove(trailer, "/Info");
    for (int i = 0; i < METADATA_KEYS; i++) {
        const char *value = metadata_holds(&old->keys[i]);

        if (value) /* a date that is not one is left out */
            metadata_set(&metadata, (enum metadata_key) i, value, &ignored);
    }
    if (metadata_write(&metadata, doc, err) < 0)
        return -1;
    return put_claim(doc, kind, err);
}

int pdfa_make(struct pdf_doc *doc, const struct pdfa_kind *kind, struct buf *left, struct err *err)
{
    AUTO_METADATA struct metadata metadata = { 0 };

    if (metadata_read(&metadata, doc->q, err) < 0)
        return -1;
    if (metadata.n_custom > 0)
        pdfa_catalog_left(left, "private properties");
    if (make_pages(doc, kind, left, err) < 0 || put_intent(doc, err) < 0)
        return -1;
    return put_metadata(doc, kind, &metadata, err);
}

/* Whether there is the claim, and nothing for which it would be wrong. */
static bool is_claimed(qpdf_data q, const struct pdfa_kind *kind)
{
    static const char *const never[] = { "/AcroForm", "/AA", "/Names", "/OpenAction", "/AF", NULL };
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj trailer = obj_trailer(q);
    AUTO_OBJ struct obj metadata = obj_key(root, "/Metadata");
    AUTO_OBJ struct obj intents = obj_key(root, "/OutputIntents");
    AUTO_FREE unsigned char *packet = NULL;
    size_t n;

    for (int i = 0; never[i]; i++)
        if (obj_has(root, never[i]))
            return false;
    return obj_count(intents) == 1 && obj_has(trailer, "/ID") && !obj_has(trailer, "/Encrypt") &&
           obj_is_stream(metadata) && obj_stream_data(metadata, &packet, &n) &&
           memmem(packet, n, claim_of(kind), strlen(claim_of(kind)));
}

int pdfa_verify(const char *path, const struct pdfa_kind *kind, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf left = BUF_EMPTY;
    struct err why;

    if (pdf_doc_open(&doc, path, NULL, NULL, &why) < 0 || !is_claimed(doc.q, kind) ||
        make_pages(&doc, kind, &left, &why) < 0 || left.len > 0)
        return err_set(err, ERR_INTERNAL, "the result is not PDF/A as it was written");
    return 0;
}
