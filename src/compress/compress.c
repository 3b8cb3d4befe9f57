#include "compress/compress.h"

#include "compress/recode.h"

static void ignore(void *cls, double fraction)
{
    (void) cls, (void) fraction;
}

/* Equal images are one from now on, as large as the largest of them. */
static int merge_usage(struct usage *usage, const struct objects *objects, struct err *err)
{
    size_t n = usage->n_images;

    for (size_t i = 0; i < n; i++) {
        struct usage_image image = usage->images[i];
        const struct object *object = objects_find(objects, image.id);

        if (object && !usage_note_image(usage, object->id, image.width, image.height, image.mask))
            return pdf_no_memory(err);
    }
    return 0;
}

int compress_write(struct pdf_doc *doc, const struct profile *profile, const char *path,
                   struct err *err)
{
    AUTO_OBJECTS struct objects objects = { 0 };
    AUTO_USAGE struct usage usage = { 0 };
    AUTO_FONTS struct fonts fonts = { 0 };
    struct recode recode = {
        .doc = doc, .objects = &objects, .usage = &usage, .fonts = &fonts, .profile = profile
    };

    if (usage_read(&usage, doc, ignore, NULL, err) < 0 || objects_read(&objects, doc, err) < 0 ||
        objects_merge(&objects, doc, err) < 0 || merge_usage(&usage, &objects, err) < 0 ||
        fonts_read(&fonts, doc, &objects, &usage, err) < 0)
        return -1;
    return pack_write(doc, &objects, recode_stream, &recode, path, err);
}
