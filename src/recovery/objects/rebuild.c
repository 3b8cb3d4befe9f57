#include "recovery/objects/rebuild.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/objects/references.h"

#define ANCESTORS 250
#define XREF_GAP  1000 /* consecutive unused numbers after which a new section begins */

static struct node find_node(const struct objects *objects, const struct pages *pages,
                             uint32_t number)
{
    const struct object *object = objects_find(objects, number);

    return object && !object->is_stream ? nodes_of(objects, pages->nodes, object)
                                        : (struct node){ 0 };
}

/* A value of the i-th page or of the nearest node above it that has it. */
static struct text inherit(const struct objects *objects, const struct pages *pages, size_t i,
                           const char *key)
{
    struct node node = find_node(objects, pages, pages->numbers[i]);
    struct text value = nodes_value(objects, &node, key);
    /* The node that lists the page goes before the one that the page names, which may be wrong. */
    uint32_t above = pages->parents[i] ? pages->parents[i] : node.parent;

    for (int level = 0; level < ANCESTORS && (!value.at || text_is(value, "null")) && above;
         level++) {
        node = find_node(objects, pages, above);
        value = nodes_value(objects, &node, key);
        above = node.parent;
    }
    return value;
}

static bool is_box(const struct objects *objects, struct text value)
{
    return text_is_array(objects_resolve(objects, value));
}

/* The first known page size replaces those that are lost. */
static struct text common_box(const struct objects *objects, const struct pages *pages)
{
    for (size_t i = 0; i < pages->n; i++) {
        struct text box = inherit(objects, pages, i, "/MediaBox");

        if (is_box(objects, box))
            return box;
    }
    return (struct text){ "[0 0 612 792]", 13 };
}

static int finish_page(struct objects *objects, const struct pages *pages, size_t i, uint32_t root,
                       struct text box, struct err *err)
{
    static const char *const without[] = { "/Type",    "/Parent", "/Resources", "/MediaBox",
                                           "/CropBox", "/Rotate", NULL };
    AUTO_BUF struct buf extra = BUF_EMPTY;
    struct object *page = objects_find(objects, pages->numbers[i]);

    buf_printf(&extra, "/Type /Page /Parent %u 0 R ", root);
    for (size_t k = 0; k < NODE_KEYS; k++) {
        struct text value = inherit(objects, pages, i, nodes_keys[k]);
        bool boxed = strstr(nodes_keys[k], "Box") != NULL;

        if (boxed && !is_box(objects, value))
            value = strcmp(nodes_keys[k], "/MediaBox") == 0 ? box : (struct text){ 0 };
        if (!value.at)
            continue;
        buf_puts(&extra, nodes_keys[k]);
        buf_putc(&extra, ' ');
        buf_put(&extra, value.at, value.n);
        buf_putc(&extra, ' ');
    }
    return extra.failed || !objects_change(objects, page, without, text_of(&extra))
               ? err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory")
               : 0;
}

uint32_t rebuild_add(struct objects *objects, const struct buf *text, uint32_t number,
                     struct err *err)
{
    size_t at = objects->text.len;
    struct object *added;

    buf_put(&objects->text, text->data, text->len);
    added = objects_add(objects, number ? number : objects_new_number(objects), 0, at, true, err);
    return added ? added->number : 0;
}

/* Each showing of a page becomes an object of its own. */
static int part_repeats(struct objects *objects, struct pages *pages, struct err *err)
{
    AUTO_FREE unsigned char *seen = calloc(objects->numbers + 1, 1);

    if (!seen)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    for (size_t i = 0, known = objects->numbers; i < pages->n; i++) {
        uint32_t number = pages->numbers[i];
        AUTO_BUF struct buf copy = BUF_EMPTY;

        if (number < known && !seen[number]) {
            seen[number] = 1;
            continue;
        }
        buf_put(&copy, objects_dict(objects, number).at, objects_dict(objects, number).n);
        pages->numbers[i] = rebuild_add(objects, &copy, 0, err);
        if (!pages->numbers[i])
            return -1;
    }
    return 0;
}

/* One flat tree of all pages. */
static int make_tree(struct objects *objects, struct pages *pages, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_BUF struct buf box = BUF_EMPTY;
    struct text common = common_box(objects, pages);
    uint32_t root;

    buf_put(&box, common.at, common.n); /* its place moves when objects are added */
    if (part_repeats(objects, pages, err) < 0)
        return -1;
    root = objects_new_number(objects);
    for (size_t i = 0; i < pages->n; i++)
        if (finish_page(objects, pages, i, root, (struct text){ box.data, box.len }, err) < 0)
            return -1;
    buf_printf(&text, "<</Type /Pages /Count %zu /Kids [", pages->n);
    for (size_t i = 0; i < pages->n; i++)
        buf_printf(&text, "%u 0 R ", pages->numbers[i]);
    buf_puts(&text, "]>>");
    pages->root = rebuild_add(objects, &text, root, err);
    return pages->root ? 0 : -1;
}

/* What a catalog that is lost would have named, found by its look. */
static void adopt(const struct objects *objects, struct buf *extra)
{
    static const struct {
        const char *key, *type, *has, *and;
    } orphans[] = {
        { "/AcroForm", NULL, "/Fields", "/DA" },
        { "/Outlines", "/Outlines", "/First", "/Last" },
        { "/StructTreeRoot", "/StructTreeRoot", "/K", "/K" },
        { "/OCProperties", NULL, "/OCGs", "/D" },
    };

    for (size_t k = 0; k < COUNT(orphans); k++) {
        for (size_t i = objects->n; i-- > 0;) {
            const struct object *object = &objects->list[i];
            struct text dict = objects_text(objects, object);

            if (object->dead || object->is_stream || !dict_has(dict, orphans[k].has) ||
                !dict_has(dict, orphans[k].and) ||
                (orphans[k].type && !dict_name_is(dict, "/Type", orphans[k].type)))
                continue;
            buf_printf(extra, "%s %u 0 R ", orphans[k].key, object->number);
            break;
        }
    }
}

static int make_catalog(struct objects *objects, struct pages *pages, struct err *err)
{
    static const char *const without[] = { "/Type", "/Pages", NULL };
    AUTO_BUF struct buf extra = BUF_EMPTY;
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct object *catalog = objects_find(objects, pages->catalog);

    buf_printf(&extra, "/Type /Catalog /Pages %u 0 R ", pages->root);
    if (!catalog)
        adopt(objects, &extra);
    dict_write(&text, catalog ? objects_text(objects, catalog) : (struct text){ 0 }, without,
               text_of(&extra));
    if (extra.failed || text.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    if (catalog) {
        objects_rewrite(objects, catalog, &text);
        return 0;
    }
    pages->catalog = rebuild_add(objects, &text, 0, err);
    return pages->catalog ? 0 : -1;
}

int rebuild_frame(struct objects *objects, struct pages *pages, struct err *err)
{
    if (!pages->intact && make_tree(objects, pages, err) < 0)
        return -1;
    return make_catalog(objects, pages, err);
}

static void write_object(struct buf *out, const struct objects *objects,
                         const struct object *object)
{
    static const char *const without[] = { "/Length", NULL };
    const unsigned char *data = object->mended ? object->mended : objects->file + object->data;
    size_t n = object->mended ? object->mended_n : object->data_n;
    char length[40];

    AUTO_BUF struct buf dict = BUF_EMPTY;
    struct text text = objects_text(objects, object);

    buf_printf(out, "%u 0 obj\n", object->number);
    if (object->is_stream) {
        snprintf(length, sizeof length, "/Length %zu", n);
        dict_write(&dict, text, without, (struct text){ length, strlen(length) });
        text = (struct text){ buf_text(&dict), dict.len };
        out->failed = out->failed || dict.failed;
    }
    if (objects->sealed)
        buf_put(out, text.at, text.n);
    else
        references_write(out, objects, text);
    if (object->is_stream) {
        buf_puts(out, "\nstream\n");
        buf_put(out, data, n);
        buf_puts(out, "\nendstream");
    }
    buf_puts(out, "\nendobj\n");
}

/* The last one that says it, in whatever revision. */
static struct text from_trailers(const struct objects *objects, const char *key)
{
    for (size_t i = objects->n_trailers; i-- > 0;) {
        struct text value = dict_find(objects_trailer(objects, i), key);

        if (value.at && objects_resolve(objects, value).at)
            return value;
    }
    return (struct text){ 0 };
}

/* The identifier, of which the key of an encrypted document is made (7.6.3.3): of a trailer that
 * has both of its parts, and if there is one, that names the encryption, too. */
static struct text identifier(const struct objects *objects)
{
    struct text best = { 0 };
    int most = -1;

    for (size_t i = objects->n_trailers; i-- > 0;) {
        struct text trailer = objects_trailer(objects, i);
        struct text value = objects_key(objects, trailer, "/ID");
        int worth;

        if (!value.at)
            continue;
        worth = 2 * (dict_array_size(value) == 2) + dict_has(trailer, "/Encrypt");
        if (worth > most) {
            most = worth;
            best = value;
        }
    }
    return best;
}

uint32_t rebuild_encryption(const struct objects *objects)
{
    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];
        struct text dict = objects_text(objects, object);

        if (!object->dead && !object->is_stream && !object->from_stream &&
            dict_has(dict, "/Filter") && dict_has(dict, "/O") && dict_has(dict, "/U") &&
            dict_has(dict, "/P"))
            return object->number;
    }
    return 0;
}

/* The key's length in bits, as it has to be for how the document is encrypted (7.6.1, table 20). */
static unsigned key_length(struct text dict, uint64_t version, uint64_t given)
{
    if (version == 1)
        return 40;
    if (version == 5)
        return 256;
    if (version == 4 && memmem(dict.at, dict.n, "/AESV2", 6))
        return 128;
    return given >= 40 && given <= 128 && given % 8 == 0 ? (unsigned) given : 128;
}

bool rebuild_mend_encryption(struct objects *objects)
{
    static const char *const without[] = { "/Length", NULL };
    struct object *object = objects_find(objects, rebuild_encryption(objects));
    struct text dict = object ? objects_text(objects, object) : (struct text){ 0 };
    uint64_t version, length = 40;
    char extra[40];

    if (!object || !dict_number(dict, "/V", &version) || !version)
        return true;
    dict_number(dict, "/Length", &length);
    if (length == key_length(dict, version, length))
        return true;
    snprintf(extra, sizeof extra, "/Length %u ", key_length(dict, version, length));
    return objects_change(objects, object, without, (struct text){ extra, strlen(extra) });
}

static void write_trailer(struct buf *out, const struct objects *objects, const struct pages *pages,
                          size_t size, size_t xref)
{
    static const char *const kept[] = { "/Info", "/ID", "/Encrypt" };

    buf_printf(out, "trailer\n<</Size %zu /Root %u 0 R ", size, pages->catalog);
    for (size_t i = 0; i < COUNT(kept); i++) {
        struct text value =
            strcmp(kept[i], "/ID") == 0 ? identifier(objects) : from_trailers(objects, kept[i]);

        if (!value.at || (objects->unlocked && strcmp(kept[i], "/Encrypt") == 0))
            continue;
        buf_printf(out, "%s ", kept[i]);
        buf_put(out, value.at, value.n);
        buf_putc(out, ' ');
    }
    if (!objects->unlocked && !from_trailers(objects, "/Encrypt").at && rebuild_encryption(objects))
        buf_printf(out, "/Encrypt %u 0 R ", rebuild_encryption(objects));
    buf_printf(out, ">>\nstartxref\n%zu\n%%%%EOF\n", xref);
}

/* One section, but for long gaps: the numbers of a few objects may lie millions apart. */
void rebuild_xref(struct buf *out, const size_t *offsets, size_t size)
{
    size_t from = 0, next;

    buf_puts(out, "xref\n");
    for (; from < size; from = next) {
        size_t end = from + 1; /* index after the last one that is used */

        for (next = end; next < size && next - end < XREF_GAP; next++)
            if (offsets[next])
                end = next + 1;
        while (next < size && !offsets[next])
            next++;
        buf_printf(out, "%zu %zu\n", from, end - from);
        for (size_t i = from; i < end; i++)
            buf_printf(out, "%010zu %05d %c \n", offsets[i], offsets[i] ? 0 : 65535,
                       offsets[i] ? 'n' : 'f');
    }
}

int rebuild_write(const struct objects *objects, const struct pages *pages, struct buf *out,
                  struct err *err)
{
    AUTO_FREE size_t *offsets = calloc(objects->numbers + 1, sizeof *offsets);
    size_t size = 1, xref;

    if (!offsets)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    buf_puts(out, "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
    for (uint32_t number = 1; number < objects->numbers; number++) {
        const struct object *object = objects_find(objects, number);

        if (!object || object->dead || object->unusable)
            continue;
        offsets[number] = out->len;
        size = number + (size_t) 1;
        write_object(out, objects, object);
    }
    xref = out->len;
    rebuild_xref(out, offsets, size);
    write_trailer(out, objects, pages, size, xref);
    return out->failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory") : 0;
}
