#include "compress/compress/compress.h"

#include <stdlib.h>

#include "base/scope.h"
#include "compress/compress/apply.h"
#include "compress/compress/pack.h"
#include "compress/compress/recompress.h"
#include "compress/content/content.h"
#include "compress/fonts/subsets.h"
#include "compress/images/inline_images.h"
#include "compress/usage/font_program.h"
#include "compress/usage/unused.h"
#include "compress/usage/walk_page.h"
#include "pdf/document/doc.h"

struct compress {
    struct pdf_doc *doc;
    /* What compress_open finds; it does not change afterwards. */
    struct idmap before; /* bytes that a stream took in the file as part of others, by id */
    struct usage usage;
    struct form_fonts form_fonts;
    struct device_spaces spaces;
    struct graph graph;
    struct equal_objects objects;
    struct icc_use *profiles; /* by node */
    struct fonts fonts;
    struct recolour *gray; /* or NULL */
    struct pack_crypt crypt;
    bool encrypted; /* and can be written as it is */
    /* What an attempt to write changes. */
    struct written *written; /* by node */
    struct made made;
    struct node_values values;
    struct descriptors descriptors;
    size_t colours_kept;
    /* What the caller asks for between attempts. */
    struct idmap kept; /* by id: a level of profile_kept */
    bool keep_all;
    bool device_colours;
    compress_progress *progress;
    void *arg;
};

static int join_contents(struct compress *c, struct err *err)
{
    return content_join(c->doc, &c->before, err);
}

static int move_inline_images(struct compress *c, struct err *err)
{
    return inline_images_move(c->doc, &c->before, err);
}

static int read_usage(struct compress *c, struct err *err)
{
    return walk_pages(&c->usage, c->doc, c->progress, c->arg, err);
}

static int drop_unused(struct compress *c, struct err *err)
{
    return unused_drop(&c->usage, &c->form_fonts, c->doc, err);
}

static int open_spaces(struct compress *c, struct err *err)
{
    (void) err;
    if (c->device_colours && !c->gray)
        device_spaces_open(&c->spaces, c->doc, &c->usage);
    return 0;
}

static int read_graph(struct compress *c, struct err *err)
{
    return graph_read(&c->graph, c->doc, &c->spaces, err);
}

static int find_equal(struct compress *c, struct err *err)
{
    return equal_objects_find(&c->objects, &c->graph, c->doc, err);
}

/* Equal images are one from now on, as large as the largest of them. */
static int merge_usage(struct compress *c, struct err *err)
{
    size_t n = c->usage.n_images;

    for (size_t i = 0; i < n; i++) {
        struct usage_image image = c->usage.images[i];
        uint32_t node = equal_objects_first(&c->objects, image.id);

        image.id = node == GRAPH_NONE ? 0 : c->graph.nodes[node].id;
        if (!usage_note_image(&c->usage, &image))
            return pdf_doc_no_memory(err);
    }
    return 0;
}

static int find_profiles(struct compress *c, struct err *err)
{
    c->profiles = icc_use_find(&c->objects, c->doc);
    return c->profiles ? 0 : pdf_doc_no_memory(err);
}

static int read_fonts(struct compress *c, struct err *err)
{
    return fonts_read(&c->fonts, c->doc, &c->objects, &c->usage, &c->form_fonts, err);
}

static int open_writing(struct compress *c, struct err *err)
{
    c->written = calloc(c->graph.n, sizeof *c->written);
    if (!c->written || !node_values_open(&c->values, &c->graph) ||
        !descriptor_open(&c->descriptors, &c->objects, &c->values))
        return pdf_doc_no_memory(err);
    if (c->doc->encrypted)
        c->encrypted = pack_crypt_open(&c->crypt, c->doc, &c->graph);
    return 0;
}

static int unite_subsets(struct compress *c, struct err *err)
{
    if (!compress_can_write(c))
        return 0;
    return subsets_unite(&c->fonts, c->doc, &c->objects, &c->values, err);
}

/*
 * The passes of compress_open, in their order: what each reads, and what it changes. It alone fills
 * the members of struct compress that it names; others only read them, where not said otherwise.
 */
static int (*const passes[])(struct compress *c, struct err *err) = {
    join_contents,      /* pages; changes the document: /Contents; adds to before */
    move_inline_images, /* content; changes the document: content and resources; adds to before */
    read_usage,         /* content; fills usage */
    drop_unused,        /* usage; changes the document: resources; fills form_fonts */
    open_spaces,        /* usage; fills spaces */
    read_graph,         /* document; changes its colour spaces, drops private data; fills graph */
    find_equal,         /* graph, data of streams; fills objects */
    merge_usage,        /* objects; changes usage: the sizes of equal images */
    find_profiles,      /* graph, objects; fills profiles */
    read_fonts,         /* graph, objects, usage; fills fonts */
    open_writing,       /* graph; empty written, values, descriptors; fills crypt */
    unite_subsets,      /* fonts; changes the document: programs; fonts, objects, values */
};

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

static int open_all(struct compress *c, bool grayscale, struct err *err)
{
    if (grayscale && !note_lengths(c->doc, &c->before))
        return pdf_doc_no_memory(err);
    if (grayscale && !(c->gray = recolour_open(c->doc, RECOLOUR_GRAY, NULL, err)))
        return -1;
    for (size_t i = 0; i < COUNT(passes); i++)
        if (passes[i](c, err) < 0)
            return -1;
    return 0;
}

struct compress *compress_open(struct pdf_doc *doc, bool grayscale, bool device_colours,
                               struct idmap *lengths, compress_progress *progress, void *arg,
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
    compress->device_colours = device_colours;
    compress->progress = progress;
    compress->arg = arg;
    if (open_all(compress, grayscale, err) < 0)
        compress_close(&compress);
    return compress;
}

void compress_close(struct compress **compress)
{
    struct compress *c = *compress;

    if (!c)
        return;
    descriptor_close(&c->descriptors);
    node_values_free(&c->values);
    made_free(&c->made);
    free(c->written);
    pack_crypt_close(&c->crypt);
    recolour_close(&c->gray);
    fonts_free(&c->fonts);
    free(c->profiles);
    equal_objects_free(&c->objects);
    graph_free(&c->graph);
    device_spaces_close(&c->spaces);
    form_fonts_free(&c->form_fonts);
    usage_free(&c->usage);
    idmap_free(&c->kept);
    idmap_free(&c->before);
    free(c);
    *compress = NULL;
}

static struct recompress recompress_with(struct compress *c, const struct profile *profile)
{
    c->colours_kept = 0;
    return (struct recompress){
        .doc = c->doc,
        .objects = &c->objects,
        .profiles = c->profiles,
        .usage = &c->usage,
        .fonts = &c->fonts,
        .profile = profile,
        .kept = &c->kept,
        .gray = c->gray,
        .keep_all = c->keep_all,
        .trim_sources = !c->usage.partial && profile_is_for_screens(profile),
        .trim_outputs = profile_is_for_screens(profile),
        .bare_metadata = pdf_doc_is_pdfa1(c->doc),
        .made = &c->made,
        .written = c->written,
        .descriptors = &c->descriptors,
        .colours_kept = &c->colours_kept,
        .progress = c->progress,
        .arg = c->arg,
    };
}

int compress_write(struct compress *c, const struct profile *profile, const char *path,
                   struct err *err)
{
    struct recompress recompress = recompress_with(c, profile);
    const struct pack pack = { .doc = c->doc,
                               .objects = &c->objects,
                               .values = &c->values,
                               .crypt = c->encrypted ? &c->crypt : NULL,
                               .make = recompress_stream,
                               .made_all = recompress_end,
                               .arg = &recompress };

    return pack_write(&pack, path, err);
}

bool compress_can_write(const struct compress *c)
{
    return (!c->doc->encrypted || c->encrypted) && !pdf_doc_is_pdfa1(c->doc);
}

int compress_apply(struct compress *c, const struct profile *profile, struct err *err)
{
    struct recompress recompress = recompress_with(c, profile);

    recompress.in_place = true;
    return apply_all(c->doc, &c->objects, recompress_stream, &recompress, err);
}

int64_t compress_saved(const struct compress *c, enum stream_class class)
{
    int64_t saved = 0;

    for (uint32_t i = 0; i < c->graph.n; i++) {
        const struct graph_node *node = &c->graph.nodes[i];
        const struct written *written = &c->written[c->objects.of[i].same];
        size_t before;

        if (!node->stream || written->class != class)
            continue;
        before = idmap_find(&c->before, node->id);
        saved += before != IDMAP_NONE ? (int64_t) before : (int64_t) node->length;
        if (equal_objects_has(&c->objects, i))
            saved -= (int64_t) written->bytes;
    }
    return saved;
}

static bool is_redrawn(const struct compress *c, int64_t id)
{
    uint32_t node = equal_objects_first(&c->objects, id);

    return node != GRAPH_NONE && c->written[node].redrawn;
}

/* The program of a font that a page uses; null if it has none. */
static struct obj program_of(const struct compress *c, const struct usage_font *used)
{
    AUTO_OBJ struct obj font = obj_by_id(c->doc->q, OBJ_NUMBER(used->id), OBJ_GEN(used->id));

    return font_program(font);
}

void compress_mark_changed(const struct compress *c, enum compress_change *pages)
{
    for (size_t i = 0; i < c->usage.n_fonts; i++) {
        AUTO_OBJ struct obj program = program_of(c, &c->usage.fonts[i]);

        if (obj_is_stream(program) && is_redrawn(c, obj_id(program)))
            pages[c->usage.fonts[i].page] = COMPRESS_NEW_FONT;
    }
    for (size_t i = 0; i < c->usage.n_images; i++)
        if (is_redrawn(c, c->usage.images[i].id))
            pages[c->usage.images[i].page] = COMPRESS_NEW_IMAGE;
}

static bool keep_stream(struct compress *c, int64_t id, unsigned level)
{
    uint32_t node = equal_objects_first(&c->objects, id);
    int64_t first = node == GRAPH_NONE ? 0 : c->graph.nodes[node].id;
    size_t before = first ? idmap_find(&c->kept, first) : IDMAP_NONE;

    if (!first || before == IDMAP_NONE)
        return !first || idmap_add(&c->kept, first, level);
    if (level > before)
        idmap_set(&c->kept, first, level);
    return true;
}

int compress_keep_page(struct compress *c, size_t page, unsigned level, struct err *err)
{
    AUTO_USAGE struct usage usage = { 0 };
    bool kept = true;

    if (walk_page(&usage, c->doc, page, err) < 0)
        return -1;
    for (size_t i = 0; kept && i < usage.n_images; i++)
        kept = keep_stream(c, usage.images[i].id, level);
    for (size_t i = 0; kept && i < usage.n_contents; i++)
        kept = keep_stream(c, usage.contents[i].id, level);
    for (size_t i = 0; kept && i < usage.n_fonts; i++) {
        AUTO_OBJ struct obj program = program_of(c, &usage.fonts[i]);

        kept = !obj_is_stream(program) || keep_stream(c, obj_id(program), level);
    }
    return kept ? 0 : pdf_doc_no_memory(err);
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
