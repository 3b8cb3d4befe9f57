#include "compress/compress/recompress.h"

#include "base/scope.h"
#include "compress/content/content.h"
#include "compress/fonts/font.h"
#include "compress/images/image.h"
#include "compress/streams/recode_content.h"
#include "compress/streams/recode_flate.h"
#include "compress/streams/recode_icc.h"
#include "compress/streams/recode_metadata.h"

/* One stream. */
struct item {
    uint32_t node;
    int64_t id;
    struct obj stream;
    bool is_image;
    enum font_change font;
};

static int copy_raw(struct obj stream, struct new_stream *out, struct err *err)
{
    AUTO_FREE unsigned char *raw = NULL;
    size_t n;

    if (!obj_stream_raw(stream, &raw, &n))
        return err_set(err, ERR_CORRUPT_FILE, "a part of the document cannot be read");
    buf_put(&out->data, raw, n);
    return out->data.failed ? pdf_doc_no_memory(err) : 0;
}

static void make_image(const struct recompress *r, const struct item *item,
                       const struct profile *profile, struct new_stream *out)
{
    struct image_setting setting = { .objects = r->objects,
                                     .usage = r->usage,
                                     .profile = profile,
                                     .gray = r->gray,
                                     .colours_kept = r->colours_kept };

    image_recode(&setting, item->id, item->stream, out);
}

/* Images and fonts of pages that did not look as before. */
static void make_kept(const struct recompress *r, const struct item *item, struct new_stream *out)
{
    if (item->is_image)
        make_image(r, item, profile_kept(r->profile, idmap_find(r->kept, item->id)), out);
    else
        recode_flate(item->stream, out);
}

static void make_font(const struct recompress *r, const struct font_need *need, struct item *item,
                      struct new_stream *out)
{
    size_t before = out->data.len;
    bool tagged;

    item->font =
        font_recode(need, item->stream, !r->in_place, profile_is_for_screens(r->profile), out);
    tagged = item->font != FONT_WHOLE && !need->form && out->data.len <= before;
    descriptor_note(r->descriptors, item->node, item->font, tagged ? &out->data : NULL);
}

static enum stream_class class_of(const struct recompress *r, const struct item *item)
{
    if (item->is_image)
        return STREAM_IMAGE;
    if (fonts_have(r->fonts, item->id))
        return STREAM_FONT;
    return usage_scale(r->usage, item->id) > 0 ? STREAM_CONTENT : STREAM_STRUCTURE;
}

/* Whether the object is an ICC profile that is to lose what no reader needs, and what. */
static bool trims(const struct recompress *r, uint32_t node, struct icc_trim *how)
{
    const struct icc_use *use = &r->profiles[node];

    *how = (struct icc_trim){ .output = use->output,
                              .all_intents = r->usage->intents,
                              .coarse = true };
    return use->output ? r->trim_outputs : use->source && r->trim_sources;
}

/* Places are rounded only where all uses of a content on pages are known. */
static void make_content(const struct recompress *r, const struct item *item,
                         struct new_stream *out)
{
    bool exact = r->usage->partial || !profile_is_for_screens(r->profile);

    recode_content(item->stream, exact ? CONTENT_EXACT : usage_scale(r->usage, item->id), out);
}

/* Replaces `out`, the original, by what the recoder for its kind makes of it. */
static void make_new(const struct recompress *r, struct item *item, struct new_stream *out)
{
    const struct font_need *need = fonts_need(r->fonts, item->id);
    const struct font_need *map_need = fonts_map_need(r->fonts, item->id);
    struct icc_trim trim;

    if (r->keep_all && !(r->gray && item->is_image))
        recode_flate(item->stream, out); /* NOLINT(bugprone-branch-clone): the order matters */
    else if (r->keep_all || idmap_find(r->kept, item->id) != IDMAP_NONE)
        make_kept(r, item, out);
    else if (need)
        make_font(r, need, item, out);
    else if (item->is_image)
        make_image(r, item, r->profile, out);
    else if (map_need)
        font_recode_map(map_need, item->stream, out);
    else if (trims(r, item->node, &trim))
        recode_icc(item->stream, &trim, out);
    else if (usage_scale(r->usage, item->id) > 0)
        make_content(r, item, out);
    else
        recode_flate(item->stream, out);
}

static int make_stream(const struct recompress *r, struct item *item, struct new_stream *out,
                       struct err *err)
{
    struct written *written = &r->written[item->node];
    size_t before;

    *written = (struct written){ .class = class_of(r, item) };
    descriptor_note(r->descriptors, item->node, FONT_WHOLE, NULL);
    if (copy_raw(item->stream, out, err) < 0)
        return -1;
    if (obj_key_is(item->stream, "/Type", "/Metadata") && !item->is_image) {
        recode_metadata(item->stream, r->bare_metadata, out);
        return 0;
    }
    before = out->data.len;
    r->progress(r->arg, (double) item->node / (double) r->objects->graph->n);
    make_new(r, item, out);
    /* A stream that lost its colours may have grown; others are never larger. */
    if (out->data.len <= recode_content_limit(out, before) ||
        (r->gray && item->is_image && out->n_edits > 0)) {
        written->redrawn = item->font != FONT_WHOLE || (item->is_image && out->n_edits > 0);
        return 0;
    }
    new_stream_free(out);
    return copy_raw(item->stream, out, err);
}

int recompress_stream(void *arg, uint32_t node, struct new_stream *out, struct err *err)
{
    const struct recompress *r = arg;
    AUTO_OBJ struct obj stream = graph_handle(r->objects->graph, r->doc, node);
    struct item item = { .node = node,
                         .id = r->objects->graph->nodes[node].id,
                         .stream = stream,
                         .is_image = obj_key_is(stream, "/Subtype", "/Image") };
    /* What decides how the stream is made. Only images depend on all of the profile. */
    struct made_how how = { .profile = item.is_image ? r->profile : NULL,
                            .kept = idmap_find(r->kept, item.id),
                            .keep_all = r->keep_all,
                            .screens = profile_is_for_screens(r->profile) };
    /* Images that keep their colours are counted, so each is tried again. */
    bool again = r->in_place || r->gray;

    if (again || !made_find(r->made, node, &how, out)) {
        if (make_stream(r, &item, out, err) < 0)
            return -1;
        if (!again)
            made_keep(r->made, r->objects->graph->n, node, &how, out);
        r->written[node].bytes = out->data.len;
    }
    return 0;
}

int recompress_end(void *arg, struct err *err)
{
    const struct recompress *r = arg;

    return descriptor_follow(r->descriptors) ? 0 : pdf_doc_no_memory(err);
}
