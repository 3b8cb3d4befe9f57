#include "compress/compress/recode.h"

#include <string.h>

#include "base/scope.h"
#include "compress/compress/compress.h"
#include "compress/compress/descriptor.h"
#include "compress/compress/font.h"
#include "compress/compress/image.h"
#include "compress/compress/metadata.h"
#include "compress/compress/recode_flate.h"
#include "compress/content/content.h"
#include "compress/icc/icc_trim.h"
#include "syntax/inflate/flate.h"

#define SHORT_CONTENT (1 << 20) /* bytes of a content that is always shortened, */
#define MOST_PACKED   100       /* or for each byte that it has in the file */
#define FLATE_NAME    19        /* bytes: what naming the filter takes */

/* Removes from an ICC profile what no reader needs. */
static void recode_profile(struct obj profile, const struct icc_trim *how, struct pack_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf trimmed = BUF_EMPTY, packed = BUF_EMPTY;
    size_t n;

    if (!obj_stream_data(profile, &data, &n) || !icc_trim(data, n, how, &trimmed) ||
        !flate_pack(trimmed.data, trimmed.len, FLATE_BEST, &packed) ||
        packed.len >= out->data.len || !recode_replace(out, &packed, "/FlateDecode"))
        recode_flate(profile, out);
}

/* `bare`: without a filter. */
static void recode_metadata(struct obj metadata, bool bare, struct pack_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf shorter = BUF_EMPTY, packed = BUF_EMPTY;
    size_t n;

    if (!obj_stream_data(metadata, &data, &n) || !metadata_shorten(data, n, &shorter)) {
        if (!bare)
            recode_flate(metadata, out);
    } else if (bare && !obj_has(metadata, "/Filter")) {
        buf_free(&out->data);
        out->data = shorter;
        shorter = BUF_EMPTY;
    } else if (!bare && flate_pack(shorter.data, shorter.len, FLATE_BEST, &packed) &&
               packed.len < out->data.len) {
        recode_replace(out, &packed, "/FlateDecode");
    }
}

/* Whether content has the length of content written for a page: one that decodes to very much
 * more than its bytes is repetitive, and shortening it takes long and gains little. */
static bool is_plausible(struct obj stream, size_t n)
{
    AUTO_OBJ struct obj length = obj_key(stream, "/Length");
    double packed = 0;

    return n <= SHORT_CONTENT ||
           (obj_is_number(length, &packed) && (double) n <= packed * MOST_PACKED);
}

/* Short content takes less without a filter than with its name. */
static void recode_bare(struct pack_stream *out, struct buf *content)
{
    buf_free(&out->data);
    out->data = *content;
    *content = BUF_EMPTY;
    pack_remove(out, "/Filter");
    pack_remove(out, "/DecodeParms");
}

static bool is_bare(const struct pack_stream *out)
{
    for (size_t i = 0; i < out->n_edits; i++)
        if (strcmp(out->edits[i].key, "/Filter") == 0)
            return !out->edits[i].value;
    return false;
}

/* A content stream. Places are rounded only where all of its uses on pages are known. */
static void recode_content(const struct recode *recode, struct obj stream, double scale,
                           struct pack_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf shorter = BUF_EMPTY, packed = BUF_EMPTY;
    bool exact = recode->usage->partial || !profile_is_for_screens(recode->profile), done;
    size_t n;

    done = obj_stream_data(stream, &data, &n) && is_plausible(stream, n) &&
           content_shorten(data, n, exact ? CONTENT_EXACT : scale, &shorter) && shorter.len <= n &&
           flate_pack(shorter.data, shorter.len, flate_level(shorter.len), &packed);
    if (done && shorter.len <= packed.len + FLATE_NAME && shorter.len <= out->data.len + FLATE_NAME)
        recode_bare(out, &shorter);
    else if (!done || shorter.len == n || packed.len >= out->data.len ||
             !recode_replace(out, &packed, "/FlateDecode"))
        recode_flate(stream, out);
}

static int copy(struct obj stream, struct pack_stream *out, struct err *err)
{
    AUTO_FREE unsigned char *raw = NULL;
    size_t n;

    if (!obj_stream_raw(stream, &raw, &n))
        return err_set(err, ERR_CORRUPT_FILE, "a part of the document cannot be read");
    buf_put(&out->data, raw, n);
    return out->data.failed ? pdf_doc_no_memory(err) : 0;
}

/* Images and fonts of pages that did not look as before. */
static void recode_kept(const struct recode *recode, const struct object *object, struct obj stream,
                        struct pack_stream *out)
{
    struct recode gentler = *recode;

    gentler.profile = idmap_find(recode->kept, object->id) == COMPRESS_GENTLER
                          ? profile_gentler(recode->profile)
                          : profile_find("lossless");
    if (obj_key_is(stream, "/Subtype", "/Image"))
        image_recode(&gentler, object, stream, out);
    else
        recode_flate(stream, out);
}

static void change_font(const struct recode *recode, const struct font_need *need,
                        struct object *program, struct obj stream, struct pack_stream *out)
{
    size_t before = out->data.len;

    program->font =
        font_recode(need, stream, !recode->in_place, profile_is_for_screens(recode->profile), out);
    if (program->font != FONT_WHOLE && !need->form && out->data.len <= before)
        descriptor_tag(program, &out->data);
}

static enum object_class class_of(const struct recode *recode, const struct object *object,
                                  bool is_image)
{
    if (is_image)
        return OBJECT_IMAGE;
    if (idmap_find(&recode->fonts->index, object->id) != IDMAP_NONE ||
        idmap_find(&recode->fonts->maps, object->id) != IDMAP_NONE)
        return OBJECT_FONT;
    return usage_scale(recode->usage, object->id) > 0 ? OBJECT_CONTENT : OBJECT_STRUCTURE;
}

/* Whether the object is an ICC profile that is to lose what no reader needs, and what. */
static bool trims(const struct recode *recode, const struct object *object, struct icc_trim *how)
{
    *how = (struct icc_trim){ .output = object->output_profile,
                              .all_intents = recode->usage->intents,
                              .coarse = true };
    return object->output_profile ? recode->trim_outputs
                                  : object->source_profile && recode->trim_sources;
}

static int make(const struct recode *recode, const struct object *object, struct pack_stream *out,
                struct err *err)
{
    AUTO_OBJ struct obj stream = inventory_handle(recode->doc, object);
    bool is_image = obj_key_is(stream, "/Subtype", "/Image");
    const struct font_need *need = fonts_need(recode->fonts, object->id);
    const struct font_need *map_need = fonts_map_need(recode->fonts, object->id);
    struct object *program = &recode->objects->list[object - recode->objects->list];
    struct icc_trim trim;
    size_t before;

    program->font = FONT_WHOLE;
    program->redrawn = false;
    program->class = class_of(recode, object, is_image);
    *program->tag = '\0';
    if (copy(stream, out, err) < 0)
        return -1;
    if (obj_key_is(stream, "/Type", "/Metadata") && !is_image) {
        recode_metadata(stream, recode->bare_metadata, out);
        return 0;
    }
    before = out->data.len;
    recode->progress(recode->cls,
                     (double) (object - recode->objects->list) / (double) recode->objects->n);
    if (recode->keep_all && !(recode->gray && is_image))
        recode_flate(stream, out); /* NOLINT(bugprone-branch-clone): the order matters */
    else if (recode->keep_all || idmap_find(recode->kept, object->id) != IDMAP_NONE)
        recode_kept(recode, object, stream, out);
    else if (need)
        change_font(recode, need, program, stream, out);
    else if (is_image)
        image_recode(recode, object, stream, out);
    else if (map_need)
        font_recode_map(map_need, stream, out);
    else if (trims(recode, object, &trim))
        recode_profile(stream, &trim, out);
    else if (usage_scale(recode->usage, object->id) > 0)
        recode_content(recode, stream, usage_scale(recode->usage, object->id), out);
    else
        recode_flate(stream, out);
    /* A stream that lost its colours may have grown; others are never larger. */
    if (out->data.len <= before + (is_bare(out) ? FLATE_NAME : 0) ||
        (recode->gray && is_image && out->n_edits > 0)) {
        program->redrawn = program->font != FONT_WHOLE || (is_image && out->n_edits > 0);
        return 0;
    }
    pack_stream_free(out);
    return copy(stream, out, err);
}

/* What decides how a stream is made. Only images depend on all of the profile. */
static struct made_how how_of(const struct recode *recode, const struct object *object)
{
    AUTO_OBJ struct obj stream = inventory_handle(recode->doc, object);
    bool is_image = obj_key_is(stream, "/Subtype", "/Image");

    return (struct made_how){ .profile = is_image ? recode->profile : NULL,
                              .kept = idmap_find(recode->kept, object->id),
                              .keep_all = recode->keep_all,
                              .screens = profile_is_for_screens(recode->profile) };
}

int recode_stream(void *cls, const struct object *object, struct pack_stream *out, struct err *err)
{
    const struct recode *recode = cls;
    size_t i = (size_t) (object - recode->objects->list);
    struct made_how how;
    int done;

    /* Images that keep their colours are counted, so each is tried again. */
    if (recode->in_place || recode->gray) {
        done = make(recode, object, out, err);
    } else {
        how = how_of(recode, object);
        if (made_find(recode->made, i, &how, out))
            return 0;
        done = make(recode, object, out, err);
        if (done == 0)
            made_keep(recode->made, recode->objects->n, i, &how, out);
    }
    recode->objects->list[i].written = out->data.len;
    return done;
}
