#include "recovery/salvage/resources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/mend/resource_names.h"
#include "recovery/objects/references.h"
#include "recovery/objects/stream.h"
#include "recovery/salvage/font_program.h"

#define FONT  "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>"
#define STATE "<</Type /ExtGState>>"

#define SEARCHED_BYTES ((size_t) 64 << 20) /* of contents, which many pages may share */

#define FONTS_ONLY 1 /* how many of the kinds: the first */

struct kind {
    const char *category;
    const char *operators[2];
    int operands; /* between the name and the operator */
    /* Writes what takes the place of the one with this name. */
    int (*write)(struct resources *r, const struct buf *content, struct text name, struct buf *out);
};

static int no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
}

void resources_free(struct resources *r)
{
    free(r->used);
    r->used = NULL;
}

static int add_text(struct resources *r, uint32_t number, const char *text)
{
    size_t at = r->objects->text.len;

    buf_puts(&r->objects->text, text);
    return objects_add(r->objects, number, 0, at, true, r->err) ? 0 : -1;
}

static int add_form(struct resources *r, uint32_t number)
{
    if (add_text(r, number, "<</Type /XObject /Subtype /Form /BBox [0 0 0 0]>>") < 0)
        return -1;
    objects_find(r->objects, number)->is_stream = true;
    return 0;
}

/* An object nothing refers to and `fits` says yes to, 0: there is none. From then on it is used. */
static uint32_t use_unused(struct resources *r, bool (*fits)(const struct object *, struct text))
{
    if (!r->used) {
        r->n_used = r->objects->numbers;
        r->used = calloc(r->n_used + 1, 1);
        for (size_t i = 0; r->used && i < r->objects->n; i++)
            if (!r->objects->list[i].dead)
                references_mark(objects_text(r->objects, &r->objects->list[i]), r->used, r->n_used);
    }
    for (size_t i = 0; r->used && i < r->objects->n; i++) {
        const struct object *object = &r->objects->list[i];

        if (!object->dead && !object->unusable && object->number < r->n_used &&
            !r->used[object->number] && fits(object, objects_text(r->objects, object))) {
            r->used[object->number] = 1;
            return object->number;
        }
    }
    return 0;
}

static bool is_font(const struct object *object, struct text dict)
{
    return !object->is_stream && dict_name_is(dict, "/Type", "/Font") &&
           !dict_name_is(dict, "/Subtype", "/CIDFontType0") &&
           !dict_name_is(dict, "/Subtype", "/CIDFontType2");
}

static bool is_image(const struct object *object, struct text dict)
{
    return object->is_stream && dict_name_is(dict, "/Subtype", "/Image");
}

static bool is_program(const struct object *object, struct text dict)
{
    return object->is_stream && dict_has(dict, "/Length1") && !dict_has(dict, "/Length2");
}

/* A font whose program is all that is left of it, or one that makes text readable. */
static int describe_font(struct resources *r, struct buf *out)
{
    AUTO_BUF struct buf program = BUF_EMPTY;
    uint32_t number = use_unused(r, is_program), descriptor;
    char text[240];

    if (number && stream_unpack(r->objects, objects_find(r->objects, number), &program)) {
        descriptor = objects_new_number(r->objects);
        if (font_program_write((const unsigned char *) buf_text(&program), program.len, descriptor,
                               out)) {
            snprintf(text, sizeof text,
                     "<</Type /FontDescriptor /FontName /Recovered /Flags 4 /FontBBox [0 -250 1000 "
                     "1000] /ItalicAngle 0 /Ascent 1000 /Descent -250 /CapHeight 700 /StemV 80 "
                     "/FontFile2 %u 0 R>>",
                     number);
            return add_text(r, descriptor, text);
        }
    }
    buf_puts(out, FONT);
    return 0;
}

static int write_font(struct resources *r, const struct buf *content, struct text name,
                      struct buf *out)
{
    uint32_t number = use_unused(r, is_font);

    (void) content, (void) name;
    if (!number)
        return describe_font(r, out);
    buf_printf(out, "%u 0 R", number);
    return 0;
}

static int replace_font(struct resources *r, uint32_t number)
{
    AUTO_BUF struct buf font = BUF_EMPTY;

    if (describe_font(r, &font) < 0)
        return -1;
    return font.failed ? no_memory(r->err) : add_text(r, number, font.data);
}

static int write_image(struct resources *r, const struct buf *content, struct text name,
                       struct buf *out)
{
    uint32_t number = use_unused(r, is_image);

    (void) content, (void) name;
    if (!number && !r->form) {
        r->form = objects_new_number(r->objects);
        if (add_form(r, r->form) < 0)
            return -1;
    }
    buf_printf(out, "%u 0 R", number ? number : r->form);
    return 0;
}

static int write_state(struct resources *r, const struct buf *content, struct text name,
                       struct buf *out)
{
    (void) r, (void) content, (void) name;
    buf_puts(out, STATE);
    return 0;
}

static const char *device_space(const struct buf *content, struct text name)
{
    switch (resource_names_components(content, name)) {
    case 1:
        return "/DeviceGray";
    case 4:
        return "/DeviceCMYK";
    default:
        return "/DeviceRGB";
    }
}

static int write_colours(struct resources *r, const struct buf *content, struct text name,
                         struct buf *out)
{
    (void) r;
    buf_puts(out, device_space(content, name));
    return 0;
}

static const struct kind kinds[] = {
    { "/Font", { " Tf", NULL }, 1, write_font },
    { "/XObject", { " Do", NULL }, 0, write_image },
    { "/ExtGState", { " gs", NULL }, 0, write_state },
    { "/ColorSpace", { " cs", " CS" }, 0, write_colours },
};

/* "/Font <<...>> " with what is there and what is missing, or nothing if nothing is. */
static int complete_category(struct resources *r, const struct kind *kind,
                             const struct buf *content, struct text there, struct buf *out)
{
    AUTO_BUF struct buf names = BUF_EMPTY;
    AUTO_BUF struct buf missing = BUF_EMPTY;
    AUTO_BUF struct buf old = BUF_EMPTY; /* a copy: adding objects moves what texts point to */
    const char *at, *end;

    buf_put(&old, there.at ? there.at : "", there.n);
    for (size_t i = 0; i < COUNT(kind->operators); i++)
        if (kind->operators[i])
            resource_names_list(content, kind->operators[i], kind->operands, &names);
    at = buf_text(&names);
    end = at + names.len;
    while (at < end) {
        struct text name = { at, (size_t) ((const char *) memchr(at, ' ', names.len) - at) };
        char key[NAMED_BYTES];

        at += name.n + 1;
        snprintf(key, sizeof key, "%.*s", (int) name.n, name.at);
        if (dict_has(text_of(&old), key))
            continue;
        buf_printf(&missing, "%s ", key);
        if (kind->write(r, content, name, &missing) < 0)
            return -1;
        buf_putc(&missing, ' ');
    }
    if (missing.len > 0) {
        buf_printf(out, "%s ", kind->category);
        dict_write(out, text_of(&old), NULL, text_of(&missing));
        buf_putc(out, ' ');
    }
    return names.failed || missing.failed || old.failed ? no_memory(r->err) : 0;
}

int resources_write(struct resources *r, const struct buf *content, struct buf *out)
{
    buf_puts(out, "<<");
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (complete_category(r, &kinds[i], content, (struct text){ 0 }, out) < 0)
            return -1;
    buf_puts(out, ">>");
    return 0;
}

/* Whether there is as much of a page's resources as there was. */
static bool is_whole(const struct resources *r, const struct pages *pages, const struct object *by)
{
    struct node node = by ? nodes_of(r->objects, pages->nodes, by) : (struct node){ 0 };
    const struct object *own =
        objects_find(r->objects, text_ref(nodes_value(r->objects, &node, "/Resources")));

    return by && by->whole && (!own || own->whole);
}

/* Whether a category is referred to and is not there. */
static bool lost_category(const struct resources *r, struct text resources)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (dict_has(resources, kinds[i].category) &&
            !text_is_dict(objects_key(r->objects, resources, kinds[i].category)))
            return true;
    return false;
}

/* Resources of its own, with all there was and what its content names of the first kinds. */
static int rewrite_page(struct resources *r, uint32_t number, struct text resources,
                        const struct buf *content, size_t n_kinds)
{
    static const char *const without_resources[] = { "/Resources", NULL };
    AUTO_BUF struct buf old = BUF_EMPTY, added = BUF_EMPTY, extra = BUF_EMPTY;
    const char *without[COUNT(kinds) + 1] = { NULL };
    size_t n = 0;

    buf_put(&old, resources.at ? resources.at : "", resources.n);
    for (size_t i = 0; i < n_kinds; i++) {
        size_t before = added.len;
        struct text there = objects_key(r->objects, text_of(&old), kinds[i].category);

        if (complete_category(r, &kinds[i], content, there, &added) < 0)
            return -1;
        if (added.len > before)
            without[n++] = kinds[i].category;
    }
    if (n == 0 && resources.at)
        return 0;
    buf_puts(&extra, "/Resources ");
    dict_write(&extra, text_of(&old), without, text_of(&added));
    return old.failed || added.failed || extra.failed ||
                   !objects_change(r->objects, objects_find(r->objects, number), without_resources,
                                   text_of(&extra))
               ? no_memory(r->err)
               : 0;
}

/* Where nothing was lost only a font that the content names and the resources never had is added:
 * some readers leave out text without a font. */
static int complete_page(struct resources *r, const struct pages *pages, size_t i)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    const struct object *page = objects_find(r->objects, pages->numbers[i]), *by;
    struct text resources = pages_inherited(r->objects, pages, i, "/Resources", &by);
    bool whole;

    if (!text_is_dict(resources))
        resources = (struct text){ 0 };
    if (!page)
        return 0;
    whole = resources.at && is_whole(r, pages, by) && !lost_category(r, resources);
    if (whole && r->searched > SEARCHED_BYTES)
        return 0;
    stream_contents(r->objects, page, &content);
    r->searched += content.len;
    return content.data ? rewrite_page(r, pages->numbers[i], resources, &content,
                                       whole ? FONTS_ONLY : COUNT(kinds))
                        : 0;
}

/* An entry of a category that refers to what is not there. */
struct check {
    struct resources *r;
    const struct kind *kind;
    size_t owner; /* its index: adding objects moves them */
    bool last;    /* no later source has more information */
    int failed;
};

/* Colours that are not set in what the owner shows are left to another. */
static int replace_colours(const struct check *check, struct text name, uint32_t number)
{
    AUTO_BUF struct buf content = BUF_EMPTY;

    stream_contents(check->r->objects, &check->r->objects->list[check->owner], &content);
    if (!check->last && resource_names_components(&content, name) == 0)
        return 0;
    return add_text(check->r, number, device_space(&content, name));
}

static int replace_resource(const struct check *check, struct text name, uint32_t number)
{
    struct resources *r = check->r;

    if (check->kind->write == write_font)
        return replace_font(r, number);
    if (check->kind->write == write_state)
        return add_text(r, number, STATE);
    if (check->kind->write == write_colours)
        return replace_colours(check, name, number);
    return add_form(r, number);
}

static bool check_entry(void *arg, struct text key, struct text value)
{
    struct check *check = arg;
    const struct objects *objects = check->r->objects;
    uint32_t number = text_ref(value);
    const struct object *there = objects_find(objects, number);
    bool found = there && !there->dead;

    if (found && check->kind->write == write_image)
        found = there->is_stream;
    else if (found && check->kind->write != write_colours)
        found = text_is_dict(objects_text(objects, there));
    if (number && !found)
        check->failed = replace_resource(check, key, number);
    return check->failed == 0;
}

/* Of any object that has resources: pages, nodes of their tree, forms. */
static int check_object(struct resources *r, size_t index, bool last)
{
    struct text dict = objects_text(r->objects, &r->objects->list[index]);
    AUTO_BUF struct buf resources = BUF_EMPTY;
    struct text there = objects_key(r->objects, dict, "/Resources");

    buf_put(&resources, there.at ? there.at : "", there.n);
    for (size_t i = 0; there.at && i < COUNT(kinds); i++) {
        struct check check = { r, &kinds[i], index, last, 0 };
        struct text category = objects_key(r->objects, text_of(&resources), kinds[i].category);
        AUTO_BUF struct buf copy = BUF_EMPTY;

        buf_put(&copy, category.at ? category.at : "", category.n);
        if (copy.failed || resources.failed)
            return no_memory(r->err);
        dict_walk(text_of(&copy), check_entry, &check);
        if (check.failed)
            return -1;
    }
    return 0;
}

static int check_all(struct resources *r, bool last)
{
    for (size_t i = 0, n = r->objects->n; i < n; i++) {
        const struct object *object = &r->objects->list[i];

        if (!object->dead && text_is_dict(objects_text(r->objects, object)) &&
            check_object(r, i, last) < 0)
            return -1;
    }
    return 0;
}

int resources_complete(struct resources *r, const struct pages *pages)
{
    for (size_t i = 0; i < pages->n; i++)
        if (complete_page(r, pages, i) < 0)
            return -1;
    return check_all(r, false) < 0 ? -1 : check_all(r, true);
}
