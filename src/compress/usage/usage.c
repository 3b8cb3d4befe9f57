#include "compress/usage/usage.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"

bool usage_note_image(struct usage *usage, const struct usage_image *use)
{
    int64_t id = use->id;
    size_t i = id ? idmap_find(&usage->image_index, id) : IDMAP_NONE;
    struct usage_image *image;

    if (!id)
        return true;
    if (i == IDMAP_NONE) {
        if (!LIST_ROOM(usage->images, usage->n_images, usage->cap_images) ||
            !idmap_add(&usage->image_index, id, usage->n_images))
            return false;
        i = usage->n_images++;
        usage->images[i] = (struct usage_image){ .id = id, .page = usage->page };
    }
    image = &usage->images[i];
    image->mask |= use->mask;
    if (use->width > image->width)
        image->width = use->width;
    if (use->height > image->height)
        image->height = use->height;
    if (use->share > image->share)
        image->share = use->share;
    return true;
}

bool usage_note_share(struct usage *usage, int64_t id, double share)
{
    size_t i = id ? idmap_find(&usage->image_index, id) : IDMAP_NONE;

    usage->covered += share;
    if (i == IDMAP_NONE || usage->images[i].last == usage->page + 1)
        return true;
    if (!LIST_ROOM(usage->shown, usage->n_shown, usage->cap_shown))
        return false;
    usage->images[i].last = usage->page + 1;
    usage->shown[usage->n_shown++] = i;
    return true;
}

void usage_end_page(struct usage *usage)
{
    double covered = usage->covered < 1 ? usage->covered : 1;

    for (size_t i = 0; i < usage->n_shown; i++) {
        struct usage_image *image = &usage->images[usage->shown[i]];

        if (covered > image->share)
            image->share = covered;
    }
    usage->n_shown = 0;
    usage->covered = 0;
}

/* Only codes of two bytes each can be separated without reading the CMap. */
static bool is_two_bytes(struct obj font)
{
    return obj_key_is(font, "/Encoding", "/Identity-H") ||
           obj_key_is(font, "/Encoding", "/Identity-V");
}

bool usage_note_font(struct usage *usage, struct obj font, size_t *index)
{
    int64_t id = obj_id(font);
    size_t i = id ? idmap_find(&usage->font_index, id) : IDMAP_NONE;
    struct usage_font *entry;

    *index = i;
    /* Which program it uses would have to be looked for. */
    if (!id && (obj_has(font, "/FontDescriptor") || obj_has(font, "/DescendantFonts")))
        usage->partial = true;
    if (!id || i != IDMAP_NONE)
        return true;
    if (!LIST_ROOM(usage->fonts, usage->n_fonts, usage->cap_fonts) ||
        !idmap_add(&usage->font_index, id, usage->n_fonts))
        return false;
    *index = usage->n_fonts++;
    entry = &usage->fonts[*index];
    *entry = (struct usage_font){ .id = id,
                                  .page = usage->page,
                                  .codes = calloc(USAGE_CODES / 64, sizeof(uint64_t)) };
    entry->composite = obj_key_is(font, "/Subtype", "/Type0");
    entry->all = entry->composite && !is_two_bytes(font);
    return entry->codes != NULL;
}

void usage_note_text(struct usage_font *font, const char *bytes, size_t n)
{
    size_t step = font->composite ? 2 : 1;

    for (size_t i = 0; i + step <= n; i += step) {
        unsigned code = (unsigned char) bytes[i];

        if (font->composite)
            code = code << 8 | (unsigned char) bytes[i + 1];
        bits_add(font->codes, code);
    }
    if (n % step) {
        unsigned code = (unsigned) (unsigned char) bytes[n - 1] << 8;

        bits_add(font->codes, code);
    }
}

int64_t usage_name_key(const char *category, const char *name)
{
    uint64_t hash = fnv_text(fnv_text(FNV_START, category), name);

    return (int64_t) (hash | (uint64_t) 1 << 63); /* ids are positive */
}

bool usage_note_drawn(struct usage *usage, int64_t key)
{
    return idmap_find(&usage->drawn, key) != IDMAP_NONE || idmap_add(&usage->drawn, key, 0);
}

bool usage_note_holder(struct usage *usage, int64_t id)
{
    if (!id || idmap_find(&usage->holder_index, id) != IDMAP_NONE)
        return true;
    if (!LIST_ROOM(usage->holders, usage->n_holders, usage->cap_holders) ||
        !idmap_add(&usage->holder_index, id, 0))
        return false;
    usage->holders[usage->n_holders++] = id;
    return true;
}

bool usage_note_scale(struct usage *usage, int64_t id, double scale)
{
    size_t i = id ? idmap_find(&usage->content_index, id) : IDMAP_NONE;

    if (!id)
        return true;
    if (i == IDMAP_NONE) {
        if (!LIST_ROOM(usage->contents, usage->n_contents, usage->cap_contents) ||
            !idmap_add(&usage->content_index, id, usage->n_contents))
            return false;
        i = usage->n_contents++;
        usage->contents[i] = (struct usage_content){ .id = id };
    }
    if (scale > usage->contents[i].scale)
        usage->contents[i].scale = scale;
    return true;
}

double usage_scale(const struct usage *usage, int64_t id)
{
    size_t i = id ? idmap_find(&usage->content_index, id) : IDMAP_NONE;

    return i == IDMAP_NONE ? 0 : usage->contents[i].scale;
}

const struct usage_image *usage_image(const struct usage *usage, int64_t id)
{
    size_t i = id ? idmap_find(&usage->image_index, id) : IDMAP_NONE;

    return i == IDMAP_NONE ? NULL : &usage->images[i];
}

const struct usage_font *usage_font(const struct usage *usage, int64_t id)
{
    size_t i = id ? idmap_find(&usage->font_index, id) : IDMAP_NONE;

    return i == IDMAP_NONE ? NULL : &usage->fonts[i];
}

void usage_free(struct usage *usage)
{
    for (size_t i = 0; i < usage->n_fonts; i++)
        free(usage->fonts[i].codes);
    free(usage->fonts);
    free(usage->images);
    free(usage->shown);
    idmap_free(&usage->image_index);
    idmap_free(&usage->font_index);
    idmap_free(&usage->drawn);
    idmap_free(&usage->holder_index);
    idmap_free(&usage->content_index);
    free(usage->contents);
    free(usage->holders);
    *usage = (struct usage){ 0 };
}
