#include "compress/recolour/recolour.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "compress/recolour/part.h"

/* Whether the device that the colours are for is said, or a claim needs them as they are. */
static bool is_bound(struct pdf_doc *doc)
{
    static const char *const claims[] = { "pdfaid:", "pdfxid:", "pdfx:GTS_PDFXVersion" };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj info = obj_key(trailer, "/Info");
    AUTO_OBJ struct obj metadata = obj_key(root, "/Metadata");
    AUTO_FREE unsigned char *data = NULL;
    bool bound = obj_has(root, "/OutputIntents") || obj_has(info, "/GTS_PDFXVersion");
    size_t n = 0;

    if (obj_is_stream(metadata) && !obj_stream_data(metadata, &data, &n))
        return true;
    for (size_t i = 0; data && i < COUNT(claims); i++)
        bound |= memmem(data, n, claims[i], strlen(claims[i])) != NULL;
    for (size_t i = 0; !bound && i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        bound = obj_has(page, "/OutputIntents");
    }
    return bound;
}

static void note_length(struct recolour *r, struct obj stream, struct idmap *lengths)
{
    long long length = 0;

    if (obj_key_int(stream, "/Length", &length) && length > 0)
        r->no_memory |= !idmap_add(lengths, obj_id(stream), (size_t) length);
}

static void apply_edit(struct recolour *r, const struct recolour_edit *edit, struct idmap *lengths)
{
    AUTO_OBJ struct obj obj = obj_by_id(r->q, OBJ_NUMBER(edit->id), OBJ_GEN(edit->id));

    if (edit->page) {
        AUTO_OBJ struct obj made = obj_new_stream(r->q, buf_text(&edit->data), edit->data.len);

        obj_set(obj, "/Contents", made);
        return;
    }
    note_length(r, obj, lengths);
    obj_remove(obj, "/Filter");
    obj_remove(obj, "/DecodeParms");
    obj_set_stream(obj, buf_text(&edit->data), edit->data.len);
}

static enum icc_intent intent_of(const struct recolour *r, struct obj image)
{
    AUTO_OBJ struct obj own = obj_key(image, "/Intent");
    size_t drawn = idmap_find(&r->intents, obj_id(image)), n = 0;
    const char *name = obj_is_name(own) ? obj_bytes(own, &n) : NULL;

    if (name)
        return recolour_intent(name);
    return drawn == IDMAP_NONE ? ICC_RELATIVE : (enum icc_intent) drawn;
}

static void apply(struct recolour *r, struct idmap *lengths, bool *changed)
{
    for (size_t i = 0; i < r->n_edits; i++) {
        apply_edit(r, &r->edits[i], lengths);
        *changed = true;
    }
    for (size_t i = 0; i < r->n_images && !r->no_memory; i++) {
        struct recolour_profile *profile = &r->profiles[r->images[i].profile];
        AUTO_OBJ struct obj image =
            obj_by_id(r->q, OBJ_NUMBER(r->images[i].id), OBJ_GEN(r->images[i].id));

        if (profile->stays)
            continue;
        note_length(r, image, lengths);
        *changed |= recolour_image(r, image, profile, intent_of(r, image));
    }
}

static bool any_goes(const struct recolour *r)
{
    for (size_t i = 0; i < r->n_profiles; i++)
        if (r->profiles[i].used && !r->profiles[i].stays)
            return true;
    return false;
}

static void free_all(struct recolour *r)
{
    for (size_t i = 0; i < r->n_profiles; i++)
        icc_convert_close(&r->profiles[i].convert);
    for (size_t i = 0; i < r->n_edits; i++)
        buf_free(&r->edits[i].data);
    free(r->profiles);
    free(r->images);
    free(r->streams);
    free(r->edits);
    idmap_free(&r->by_id);
    idmap_free(&r->read);
    idmap_free(&r->intents);
}

int recolour(struct pdf_doc *doc, struct idmap *lengths, bool *changed, struct err *err)
{
    struct recolour r = { .doc = doc, .q = doc->q };

    *changed = false;
    if (is_bound(doc))
        return 0;
    recolour_find(&r);
    if (!r.fails && !r.no_memory && any_goes(&r)) {
        recolour_read_content(&r);
        if (!r.fails && !r.no_memory)
            apply(&r, lengths, changed);
        if (*changed && !r.no_memory)
            recolour_clean(&r);
    }
    free_all(&r);
    return r.no_memory ? pdf_doc_no_memory(err) : 0;
}
