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

static void note_length(struct recolour *c, struct obj stream)
{
    long long length = 0;

    if (c->lengths && obj_key_int(stream, "/Length", &length) && length > 0)
        c->no_memory |= !idmap_add(c->lengths, obj_id(stream), (size_t) length);
}

static void apply_edit(struct recolour *c, const struct recolour_edit *edit)
{
    AUTO_OBJ struct obj obj = obj_by_id(c->q, OBJ_NUMBER(edit->id), OBJ_GEN(edit->id));

    c->changes++;
    if (edit->page) {
        AUTO_OBJ struct obj made = obj_new_stream(c->q, buf_text(&edit->data), edit->data.len);

        obj_set(obj, "/Contents", made);
        return;
    }
    note_length(c, obj);
    obj_remove(obj, "/Filter");
    obj_remove(obj, "/DecodeParms");
    obj_set_stream(obj, buf_text(&edit->data), edit->data.len);
}

static void apply(struct recolour *c)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        apply_edit(c, &c->edits[i]);
        buf_free(&c->edits[i].data);
    }
    for (size_t i = 0; i < c->n_images && !c->no_memory; i++) {
        struct recolour_profile *profile = &c->profiles[c->images[i].profile];
        AUTO_OBJ struct obj image =
            obj_by_id(c->q, OBJ_NUMBER(c->images[i].id), OBJ_GEN(c->images[i].id));

        if (profile->stays)
            continue;
        note_length(c, image);
        c->changes += recolour_image_to_srgb(c, image, profile);
    }
}

static bool has_work(struct recolour *c)
{
    if (c->target == RECOLOUR_GRAY)
        return true;
    if (!is_bound(c->doc))
        recolour_profiles(c);
    if (c->n_profiles > 0)
        recolour_find(c);
    for (size_t i = 0; i < c->n_profiles; i++)
        if (c->profiles[i].used && !c->profiles[i].stays)
            return true;
    return false;
}

static void convert(struct recolour *c)
{
    if (!has_work(c) || recolour_ends(c))
        return;
    recolour_read(c);
    if (recolour_ends(c))
        return;
    apply(c);
    if (!c->no_memory && (c->changes > 0 || c->target == RECOLOUR_GRAY))
        recolour_clean(c);
}

struct recolour *recolour_open(struct pdf_doc *doc, enum recolour_target target,
                               struct idmap *lengths, struct err *err)
{
    struct recolour *recolour = calloc(1, sizeof *recolour);

    if (!recolour) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    *recolour = (struct recolour){ .doc = doc, .q = doc->q, .target = target, .lengths = lengths };
    convert(recolour);
    if (recolour->no_memory) {
        pdf_doc_no_memory(err);
        recolour_close(&recolour);
    }
    return recolour;
}

void recolour_close(struct recolour **recolour)
{
    struct recolour *c = *recolour;

    if (!c)
        return;
    for (size_t i = 0; i < c->n_profiles; i++)
        icc_convert_close(&c->profiles[i].convert);
    for (size_t i = 0; i < c->n_edits; i++)
        buf_free(&c->edits[i].data);
    free(c->profiles);
    free(c->images);
    free(c->edits);
    idmap_free(&c->read);
    idmap_free(&c->spaces);
    idmap_free(&c->by_id);
    idmap_free(&c->intents);
    free(c);
    *recolour = NULL;
}

bool recolour_changed(const struct recolour *recolour)
{
    return recolour->changes > 0;
}

size_t recolour_failures(const struct recolour *recolour)
{
    return recolour->failures;
}

struct obj recolour_image_space(const struct recolour *recolour, int64_t image)
{
    size_t space = idmap_find(&recolour->spaces, image);

    if (space == IDMAP_NONE)
        return OBJ_NONE;
    return obj_by_id(recolour->q, OBJ_NUMBER((int64_t) space), OBJ_GEN((int64_t) space));
}
