#include "compress/gray/gray.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/list.h"
#include "base/scope.h"
#include "compress/gray/part.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

#define MAX_NESTING 32 /* limit of nested direct objects */

/* A single stream is converted in place, for all pages that share it; several become one. */
static void convert_page(struct gray *gray, struct obj page)
{
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj first = obj_item(contents, 0);
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_OBJ struct obj made = OBJ_NONE;
    size_t n;

    if (obj_is_stream(contents) || obj_count(contents) == 1) {
        gray_stream(gray, obj_is_stream(contents) ? contents : first, resources);
        return;
    }
    if (obj_is_null(contents))
        return;
    if (!obj_page_content(page, &data, &n)) {
        gray->failures++;
        return;
    }
    if (!gray_content(gray, resources, data, n, &out))
        return;
    made = obj_new_stream(gray->q, buf_text(&out), out.len);
    obj_set(page, "/Contents", made);
}

static void note_image(struct gray *gray, struct obj image, struct obj space)
{
    AUTO_OBJ struct obj held = obj_is_indirect(space) ? obj_same(space) : obj_indirect(space);
    char name[DIGEST_TEXT + 8], digest[DIGEST_TEXT];
    const char *text;

    if (!LIST_ROOM(gray->spaces, gray->n_spaces, gray->cap_spaces) ||
        !idmap_add(&gray->images, obj_id(image), gray->n_spaces)) {
        gray->no_memory = true;
        return;
    }
    gray->spaces[gray->n_spaces++] = obj_id(held);
    /* Images of one colour space may be equal; those of different spaces are not. */
    text = obj_text(held);
    digest_text(text, strlen(text), digest);
    snprintf(name, sizeof name, "/Gray%s", digest);
    obj_set_name(image, "/ColorSpace", name);
}

/* Converts the matte colour of a soft mask, which is in the image's colour space. */
static void convert_matte(struct gray *gray, struct obj image, const struct space *space)
{
    AUTO_OBJ struct obj mask = obj_key(image, "/SMask");
    AUTO_OBJ struct obj matte = obj_key(mask, "/Matte");
    AUTO_OBJ struct obj made = OBJ_NONE;
    double colour[SPACE_COMPONENTS] = { 0 };
    char text[32];

    if (!obj_is_array(matte) || (size_t) obj_count(matte) != space->n)
        return;
    for (int i = 0; i < (int) space->n; i++) {
        AUTO_OBJ struct obj item = obj_item(matte, i);

        obj_is_number(item, &colour[i]);
    }
    snprintf(text, sizeof text, "[%.4f]", space_gray(space, colour));
    made = obj_parse(gray->q, text);
    obj_set(mask, "/Matte", made);
}

static void convert_image(struct gray *gray, struct obj image)
{
    AUTO_OBJ struct obj name = obj_key(image, "/ColorSpace");
    AUTO_SPACE struct space *space = NULL;

    if (!obj_is_array(name) && !obj_is_name(name))
        return;
    space = space_open(name, OBJ_NONE);
    if (!space)
        gray->no_memory = true;
    else if (space->kind == SPACE_IS_COLOUR) {
        convert_matte(gray, image, space);
        note_image(gray, image, name);
    }
}

/* Converts an array of colour components of an annotation or field; their number gives the
 * space. */
static void convert_array(struct gray *gray, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj array = obj_key(dict, key);
    AUTO_OBJ struct obj made = OBJ_NONE;
    int n = obj_count(array);
    double colour[4] = { 0 };
    char text[32];

    if (n != 3 && n != 4)
        return;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!obj_is_number(item, &colour[i]))
            return;
    }
    snprintf(text, sizeof text, "[%.4f]",
             n == 3 ? space_gray_of_rgb(colour) : space_gray_of_cmyk(colour));
    made = obj_parse(gray->q, text);
    obj_set(dict, key, made);
    gray->changes++;
}

/* A field's default appearance is content. */
static void convert_appearance(struct gray *gray, struct obj dict)
{
    AUTO_OBJ struct obj text = obj_key(dict, "/DA");
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_FREE char *copy = NULL;
    const char *bytes;
    size_t n = 0;

    if (!obj_is_string(text) || !(bytes = obj_bytes(text, &n)) || n == 0 || !(copy = malloc(n)))
        return;
    memcpy(copy, bytes, n);
    if (!gray_content(gray, OBJ_NONE, (unsigned char *) copy, n, &out))
        return;
    made = obj_new_string(gray->q, buf_text(&out), out.len);
    obj_set(dict, "/DA", made);
}

/* Converts the backdrop of a soft mask's group, in the group's colour space. */
static void convert_backdrop(struct gray *gray, struct obj dict)
{
    AUTO_OBJ struct obj mask = obj_key(dict, "/SMask");
    AUTO_OBJ struct obj colour = obj_key(mask, "/BC");

    if (!obj_is_stream(mask) && obj_is_array(colour))
        convert_array(gray, mask, "/BC");
}

static void convert_group(struct obj dict)
{
    AUTO_OBJ struct obj group = obj_key(dict, "/Group");
    AUTO_OBJ struct obj space = obj_key(group, "/CS");

    if (!obj_is_null(space) && !obj_name_is(space, "/DeviceGray"))
        obj_set_name(group, "/CS", "/DeviceGray");
}

/* Removes colour spaces that are not referenced any more; patterns still reference theirs. */
static void convert_resources(struct gray *gray, struct obj dict)
{
    AUTO_OBJ struct obj resources = obj_key(dict, "/Resources");
    AUTO_OBJ struct obj spaces = obj_key(resources, "/ColorSpace");
    AUTO_KEYS char **keys = obj_is_dict(spaces) ? obj_keys(spaces) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(spaces, keys[i]);
        AUTO_SPACE struct space *space = space_open(value, OBJ_NONE);
        AUTO_OBJ struct obj made = OBJ_NONE;

        if (!space || strncmp(keys[i], "/Default", 8) == 0)
            continue;
        if (space->kind == SPACE_IS_PATTERN && space->base)
            made = obj_parse(gray->q, "[/Pattern/DeviceGray]");
        else if (space->kind == SPACE_IS_COLOUR)
            made = obj_new_name(gray->q, "/DeviceGray");
        else
            continue;
        obj_set(spaces, keys[i], made);
    }
}

static void convert_dict(struct gray *gray, struct obj dict)
{
    if (obj_has(dict, "/ShadingType"))
        gray_shading(gray, dict);
    if (obj_has(dict, "/DA"))
        convert_appearance(gray, dict);
    if (obj_has(dict, "/SMask"))
        convert_backdrop(gray, dict);
    if (obj_has(dict, "/Rect") && obj_has(dict, "/Subtype")) {
        convert_array(gray, dict, "/C");
        convert_array(gray, dict, "/IC");
    }
    if (obj_has(dict, "/MK")) {
        AUTO_OBJ struct obj look = obj_key(dict, "/MK");

        convert_array(gray, look, "/BG");
        convert_array(gray, look, "/BC");
    }
    if (obj_key_is(dict, "/Subtype", "/Type3"))
        gray_glyphs(gray, dict, OBJ_NONE);
}

static void convert_stream(struct gray *gray, struct obj stream)
{
    long long kind = 0;

    if (obj_key_is(stream, "/Subtype", "/Image"))
        convert_image(gray, stream);
    else if (obj_key_is(stream, "/Subtype", "/Form") ||
             (obj_key_int(stream, "/PatternType", &kind) && kind == 1))
        gray_stream(gray, stream, OBJ_NONE);
}

typedef void visit_fn(struct gray *gray, struct obj dict);

/* Visits every dictionary within an object, but not indirect objects that it references. */
static void visit(struct gray *gray, struct obj obj, visit_fn *fn, int depth)
{
    if (depth > MAX_NESTING || gray->no_memory)
        return;
    for (int i = 0, n = obj_count(obj); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(obj, i);

        if (!obj_is_indirect(item) && (obj_is_dict(item) || obj_is_array(item)))
            visit(gray, item, fn, depth + 1);
    }
    if (!obj_is_dict(obj) && !obj_is_stream(obj))
        return;
    AUTO_KEYS char **keys = obj_keys(obj);
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(obj, keys[i]);

        if (!obj_is_indirect(value) && (obj_is_dict(value) || obj_is_array(value)))
            visit(gray, value, fn, depth + 1);
    }
    fn(gray, obj);
}

static void visit_all(struct gray *gray, visit_fn *fn, int n)
{
    for (int id = 1; id < n && !gray->no_memory; id++) {
        AUTO_OBJ struct obj obj = obj_by_number(gray->q, id);

        if (obj_is_dict(obj) || obj_is_stream(obj) || obj_is_array(obj))
            visit(gray, obj, fn, 0);
    }
}

static void convert_any(struct gray *gray, struct obj dict)
{
    if (obj_is_stream(dict))
        convert_stream(gray, dict);
    convert_dict(gray, dict);
}

/* Called after all content that needs these resources was read. */
static void clean(struct gray *gray, struct obj dict)
{
    convert_resources(gray, dict);
    convert_group(dict);
}

static void convert(struct gray *gray)
{
    int n = pdf_doc_next_number(gray->doc);

    for (size_t i = 0; i < gray->doc->n_pages && !gray->no_memory; i++) {
        AUTO_OBJ struct obj page = obj_page(gray->q, i);

        convert_page(gray, page);
    }
    visit_all(gray, convert_any, n);
    visit_all(gray, clean, n);
}

struct gray *gray_open(struct pdf_doc *doc, struct err *err)
{
    struct gray *gray = calloc(1, sizeof *gray);

    if (!gray) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    gray->doc = doc;
    gray->q = doc->q;
    convert(gray);
    if (gray->no_memory) {
        pdf_doc_no_memory(err);
        gray_close(&gray);
    }
    return gray;
}

void gray_close(struct gray **gray)
{
    struct gray *g = *gray;

    if (!g)
        return;
    idmap_free(&g->done);
    idmap_free(&g->images);
    free(g->spaces);
    free(g);
    *gray = NULL;
}

bool gray_had_colours(const struct gray *gray)
{
    return gray->changes > 0 || gray->n_spaces > 0;
}

size_t gray_failures(const struct gray *gray)
{
    return gray->failures;
}

struct obj gray_image_space(const struct gray *gray, int64_t image)
{
    size_t i = idmap_find(&gray->images, image);

    if (i == IDMAP_NONE)
        return OBJ_NONE;
    return obj_by_id(gray->q, OBJ_NUMBER(gray->spaces[i]), OBJ_GEN(gray->spaces[i]));
}
