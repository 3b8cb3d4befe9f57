#include "compress/compress/compress.h"

#include <stdlib.h>

#include "base/scope.h"
#include "compress/compress/apply.h"
#include "compress/compress/inline_images.h"
#include "compress/compress/recode.h"
#include "compress/compress/subsets.h"
#include "compress/content/content.h"
#include "pdf/document/doc.h"

struct compress {
    struct pdf_doc *doc;
    struct inventory objects;
    struct usage usage;
    struct fonts fonts;
    struct idmap kept;
    struct made made;
    struct idmap before; /* bytes that a stream took in the file as part of others, by id */
    struct pack_crypt crypt;
    bool encrypted;        /* and can be written as it is */
    struct recolour *gray; /* or NULL */
    size_t colours_kept;
    bool keep_all;
    compress_progress *progress;
    void *cls;
};

/* Equal images are one from now on, as large as the largest of them. */
static int merge_usage(struct usage *usage, const struct inventory *objects, struct err *err)
{
    size_t n = usage->n_images;

    for (size_t i = 0; i < n; i++) {
        struct usage_image image = usage->images[i];
        const struct object *object = inventory_find(objects, image.id);

        image.id = object ? object->id : 0;
        if (!usage_note_image(usage, &image))
            return pdf_doc_no_memory(err);
    }
    return 0;
}

static int look(struct compress *c, bool device_colours, struct err *err)
{
    AUTO_SPACES struct spaces spaces = { .on = false };

    if (content_join(c->doc, &c->before, err) < 0 ||
        inline_images_move(c->doc, &c->before, err) < 0 ||
        walk_usage(&c->usage, c->doc, c->progress, c->cls, err) < 0 ||
        unused_drop(&c->usage, c->doc, err) < 0)
        return -1;
    if (device_colours && !c->gray)
        spaces_open(&spaces, c->doc, &c->usage);
    if (inventory_read(&c->objects, c->doc, &spaces, err) < 0 ||
        merge_inventories(&c->objects, c->doc, err) < 0 ||
        merge_usage(&c->usage, &c->objects, err) < 0)
        return -1;
    icc_use_find(&c->objects, c->doc);
    return fonts_read(&c->fonts, c->doc, &c->objects, &c->usage, err);
}

/* What streams take in the file, before they lose their colours. */
static bool note_lengths(struct pdf_doc *doc, struct idmap *before)
{
    for (int id = 1, n = pdf_doc_next_number(doc); id < n; id++) {
        AUTO_OBJ struct obj obj = obj_by_number(doc->q, id);

        if (obj_is_stream(obj) && !idmap_add(before, obj_id(obj), content_bytes(obj, before)))
            return false;
    }
    return true;
}

struct compress *compress_open(struct pdf_doc *doc, bool grayscale, bool device_colours,
                               struct idmap *lengths, compress_progress *progress, void *cls,
                               struct err *err)
{
    struct compress *compress = calloc(1, sizeof *compress);

    if (!compress) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    compress->doc = doc;
    compress->before = *lengths;
    *lengths = (struct idmap){ 0 };
    compress->progress = progress;
    compress->cls = cls;
    if (grayscale && !note_lengths(doc, &compress->before)) {
        pdf_doc_no_memory(err);
        compress_close(&compress);
        return NULL;
    }
    if ((grayscale && !(compress->gray = recolour_open(doc, RECOLOUR_GRAY, NULL, err))) ||
        look(compress, device_colours, err) < 0)
        compress_close(&compress);
    else if (doc->encrypted)
        compress->encrypted = pack_crypt_open(&compress->crypt, doc, &compress->objects);
    if (compress && compress_can_write(compress) &&
        subsets_unite(&compress->fonts, doc, &compress->objects, err) < 0)
        compress_close(&compress);
    return compress;
}

void compress_close(struct compress **compress)
{
    struct compress *c = *compress;

    if (!c)
        return;
    fonts_free(&c->fonts);
    inventory_free(&c->objects);
    usage_free(&c->usage);
    idmap_free(&c->kept);
    made_free(&c->made);
    idmap_free(&c->before);
    pack_crypt_close(&c->crypt);
    recolour_close(&c->gray);
    free(c);
    *compress = NULL;
}

static struct recode recode_with(struct compress *c, const struct profile *profile)
{
    c->colours_kept = 0;
    return (struct recode){
        .doc = c->doc,
        .objects = &c->objects,
        .usage = &c->usage,
        .fonts = &c->fonts,
        .profile = profile,
        .kept = &c->kept,
        .keep_all = c->keep_all,
        .trim_sources = !c->usage.partial && profile_is_for_screens(profile),
        .trim_outputs = profile_is_for_screens(profile),
        .bare_metadata = pdf_doc_is_pdfa1(c->doc),
        .gray = c->gray,
        .made = &c->made,
        .colours_kept = &c->colours_kept,
        .progress = c->progress,
        .cls = c->cls,
    };
}

int compress_write(struct compress *c, const struct profile *profile, const char *path,
                   struct err *err)
{
    struct recode recode = recode_with(c, profile);

    return pack_write(c->doc, &c->objects, c->encrypted ? &c->crypt : NULL, recode_stream, &recode,
                      path, err);
}

bool compress_can_write(const struct compress *c)
{
    return (!c->doc->encrypted || c->encrypted) && !pdf_doc_is_pdfa1(c->doc);
}

int compress_apply(struct compress *c, const struct profile *profile, struct err *err)
{
    struct recode recode = recode_with(c, profile);

    recode.in_place = true;
    return apply_all(c->doc, &c->objects, recode_stream, &recode, err);
}

int64_t compress_saved(const struct compress *c, enum object_class class)
{
    int64_t saved = 0;

    for (size_t i = 0; i < c->objects.n; i++) {
        const struct object *object = &c->objects.list[i];
        const struct object *first = &c->objects.list[object->same];
        size_t before;

        if (!object->stream || first->class != class)
            continue;
        before = idmap_find(&c->before, object->id);
        saved += before != IDMAP_NONE ? (int64_t) before : (int64_t) object->length;
        if (object == first && object->live)
            saved -= (int64_t) object->written;
    }
    return saved;
}

static bool is_redrawn(const struct compress *c, int64_t id)
{
    const struct object *object = inventory_find(&c->objects, id);

    return object && object->redrawn;
}

void compress_mark_changed(const struct compress *c, enum compress_change *pages)
{
    for (size_t i = 0; i < c->usage.n_fonts; i++) {
        const struct usage_font *used = &c->usage.fonts[i];
        AUTO_OBJ struct obj font = obj_by_id(c->doc->q, OBJ_NUMBER(used->id), OBJ_GEN(used->id));
        AUTO_OBJ struct obj program = fonts_program(font);

        if (obj_is_stream(program) && is_redrawn(c, obj_id(program)))
            pages[used->page] = COMPRESS_NEW_FONT;
    }
    for (size_t i = 0; i < c->usage.n_images; i++)
        if (is_redrawn(c, c->usage.images[i].id))
            pages[c->usage.images[i].page] = COMPRESS_NEW_IMAGE;
}

static bool keep(struct compress *c, int64_t id, unsigned level)
{
    const struct object *object = inventory_find(&c->objects, id);
    size_t before = object ? idmap_find(&c->kept, object->id) : IDMAP_NONE;

    if (!object || before == IDMAP_NONE)
        return !object || idmap_add(&c->kept, object->id, level);
    if (level > before)
        idmap_set(&c->kept, object->id, level);
    return true;
}

int compress_keep_page(struct compress *c, size_t page, unsigned level, struct err *err)
{
    AUTO_USAGE struct usage usage = { 0 };

    if (walk_page_usage(&usage, c->doc, page, err) < 0)
        return -1;
    for (size_t i = 0; i < usage.n_images; i++)
        if (!keep(c, usage.images[i].id, level))
            return pdf_doc_no_memory(err);
    for (size_t i = 0; i < usage.n_contents; i++)
        if (!keep(c, usage.contents[i].id, level))
            return pdf_doc_no_memory(err);
    for (size_t i = 0; i < usage.n_fonts; i++) {
        AUTO_OBJ struct obj font =
            obj_by_id(c->doc->q, OBJ_NUMBER(usage.fonts[i].id), OBJ_GEN(usage.fonts[i].id));
        AUTO_OBJ struct obj program = fonts_program(font);

        if (obj_is_stream(program) && !keep(c, obj_id(program), level))
            return pdf_doc_no_memory(err);
    }
    return 0;
}

void compress_keep_all(struct compress *c)
{
    c->keep_all = true;
}

bool compress_had_colours(const struct compress *c)
{
    return c->gray && recolour_changed(c->gray);
}

size_t compress_colours_kept(const struct compress *c)
{
    return c->gray ? recolour_failures(c->gray) + c->colours_kept : 0;
}
