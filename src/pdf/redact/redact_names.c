#include "pdf/redact/redact_names.h"

#include <string.h>

#include "base/scope.h"
#include "pdf/object/obj.h"
#include "pdf/redact/redact_known.h"

#define DEEPEST 20 /* direct containers in one another in which inks are looked for */

/* The name, without escapes, until the next object of the document is looked at. */
static const char *decoded_name(struct obj name)
{
    size_t n;
    const char *bytes = obj_bytes(name, &n);

    return bytes ? bytes : "";
}

static bool is_format_name(struct obj name)
{
    size_t n;
    const char *bytes = obj_bytes(name, &n);

    return bytes && n > 1 && redact_known_name(bytes + 1, n - 1);
}

struct naming {
    struct redact_words *words;
    bool only_count;
    size_t n;
    int now, object; /* the numbers of the object that is looked at, and of the first found */
};

/* Appends the name in place of one that has a text in it; false: it stays. The same name always
 * becomes the same one, so that what refers to it still does. */
static bool name_anew(struct naming *naming, const char *name, struct buf *out)
{
    if (strcmp(name, "/Off") == 0 || *name != '/')
        return false;
    buf_putc(out, '/');
    if (!redact_words_replace(naming->words, name + 1, strlen(name + 1), out))
        return false;
    naming->object = naming->n++ == 0 ? naming->now : naming->object;
    return !naming->only_count;
}

static void rename_value(struct naming *naming, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (obj_is_name(value) && name_anew(naming, decoded_name(value), &out))
        obj_set_name(dict, key, buf_text(&out));
}

/* An ink that every press has: not a name that somebody gave. */
static bool is_process_ink(const char *name)
{
    static const char *const inks[] = { "/All",   "/None",  "/Cyan", "/Magenta", "/Yellow",
                                        "/Black", "/Green", "/Red",  "/Blue",    "/Gray" };

    for (size_t i = 0; i < COUNT(inks); i++)
        if (strcmp(name, inks[i]) == 0)
            return true;
    return false;
}

/* A key of the information dictionary, or a name of content. */
static bool is_defined(const char *key)
{
    static const char *const keys[] = { "/Title",        "/Author",   "/Subject", "/Keywords",
                                        "/Creator",      "/Producer", "/Trapped", "/ModDate",
                                        "/CreationDate", "/Off" };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return redact_known_name(key + 1, strlen(key + 1)) || is_process_ink(key);
}

/* `all`: also those that a format defines. */
static void rename_keys(struct naming *naming, struct obj dict, bool all)
{
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_BUF struct buf out = BUF_EMPTY;
        AUTO_OBJ struct obj value = { 0 };

        if (!all && is_defined(keys[i]))
            continue;
        if (!name_anew(naming, keys[i], &out))
            continue;
        value = obj_key(dict, keys[i]);
        obj_set(dict, buf_text(&out), value);
        obj_remove(dict, keys[i]);
    }
}

static void rename_item(struct naming *naming, struct obj array, int index)
{
    AUTO_OBJ struct obj item = obj_item(array, index);
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (!obj_is_name(item) || is_process_ink(decoded_name(item)) ||
        !name_anew(naming, decoded_name(item), &out))
        return;
    AUTO_OBJ struct obj other = obj_new_name(array.q, buf_text(&out));
    obj_set_item(array, index, other);
}

/* The inks of colour spaces (8.6.6.4 and 8.6.6.5), wherever they are in an object. */
static void rename_inks(struct naming *naming, struct obj value, int depth)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;
    AUTO_OBJ struct obj first = obj_item(value, 0);

    if (obj_name_is(first, "/Separation")) {
        rename_item(naming, value, 1);
    } else if (obj_name_is(first, "/DeviceN")) {
        AUTO_OBJ struct obj inks = obj_item(value, 1);

        for (int i = 0; i < obj_count(inks); i++)
            rename_item(naming, inks, i);
    }
    for (int i = 0; i < obj_count(value) && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (!obj_is_indirect(item) && (obj_is_array(item) || obj_is_dict(item)))
            rename_inks(naming, item, depth + 1);
    }
    for (size_t i = 0; keys && keys[i] && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_key(dict, keys[i]);

        if (strcmp(keys[i], "/Colorants") == 0)
            rename_keys(naming, item, false);
        if (!obj_is_indirect(item) && (obj_is_array(item) || obj_is_dict(item)))
            rename_inks(naming, item, depth + 1);
    }
}

/* Types and classes of structure elements (14.7.3 and 14.7.6) that the document defines. */
static void rename_element(struct naming *naming, struct obj element)
{
    AUTO_OBJ struct obj type = obj_key(element, "/S");
    AUTO_OBJ struct obj classes = obj_key(element, "/C");

    if (!obj_has(element, "/P") || !obj_is_name(type))
        return;
    if (!is_format_name(type))
        rename_value(naming, element, "/S");
    rename_value(naming, element, "/C");
    for (int i = 0; i < obj_count(classes); i++)
        rename_item(naming, classes, i);
}

static void rename_roles(struct naming *naming, struct obj root)
{
    AUTO_OBJ struct obj tree = obj_key(root, "/StructTreeRoot");
    AUTO_OBJ struct obj roles = obj_key(tree, "/RoleMap");
    AUTO_OBJ struct obj classes = obj_key(tree, "/ClassMap");
    AUTO_KEYS char **keys = obj_is_dict(roles) ? obj_keys(roles) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj role = obj_key(roles, keys[i]);

        if (!is_format_name(role))
            rename_value(naming, roles, keys[i]);
    }
    rename_keys(naming, roles, false);
    rename_keys(naming, classes, true);
}

/* Keys and names of the information dictionary (14.3.3) that the format does not define. */
static void rename_info(struct naming *naming, struct obj info)
{
    AUTO_KEYS char **keys = obj_is_dict(info) ? obj_keys(info) : NULL;

    for (size_t i = 0; keys && keys[i]; i++)
        if (strcmp(keys[i], "/Trapped") != 0)
            rename_value(naming, info, keys[i]);
    rename_keys(naming, info, false);
}

static bool has_program(struct obj font)
{
    AUTO_OBJ struct obj descriptor = obj_key(font, "/FontDescriptor");
    AUTO_OBJ struct obj descendants = obj_key(font, "/DescendantFonts");
    AUTO_OBJ struct obj first = obj_item(descendants, 0);

    return obj_is_dict(first)
               ? has_program(first)
               : obj_has(descriptor, "/FontFile") || obj_has(descriptor, "/FontFile2") ||
                     obj_has(descriptor, "/FontFile3");
}

/* Whether the name is that of a family of fonts that many systems have. */
static bool is_common_font(struct obj name)
{
    static const char *const families[] = {
        "Arial",      "Bookman", "Calibri",  "Cambria",  "Century", "Consolas",
        "Courier",    "Futura",  "Georgia",  "Garamond", "Gothic",  "Helvetica",
        "Liberation", "Mincho",  "Palatino", "Roman",    "Segoe",   "Serif",
        "SimSun",     "Symbol",  "Tahoma",   "Times",    "Verdana",
    };
    const char *text = obj_is_name(name) ? decoded_name(name) : "";

    for (size_t i = 0; i < COUNT(families); i++)
        if (strstr(text, families[i]))
            return true;
    return strcmp(text, "/ZapfDingbats") == 0;
}

/* The name of a font. If the font is not in the document, it says which one to take. */
static void rename_font(struct naming *naming, struct obj font)
{
    AUTO_OBJ struct obj name = obj_key(font, "/BaseFont");

    if (!obj_is_name(name) || (!has_program(font) && is_common_font(name)))
        return;
    AUTO_OBJ struct obj descriptor = obj_key(font, "/FontDescriptor");
    rename_value(naming, font, "/BaseFont");
    if (obj_is_dict(descriptor))
        rename_value(naming, descriptor, "/FontName");
}

/* The names of the states that a button can be in. */
static void rename_states(struct naming *naming, struct obj widget)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj appearances = obj_key(widget, "/AP");

    for (size_t i = 0; i < COUNT(kinds) && obj_is_dict(appearances); i++) {
        AUTO_OBJ struct obj states = obj_key(appearances, kinds[i]);

        if (!obj_is_stream(states))
            rename_keys(naming, states, true);
    }
    rename_value(naming, widget, "/AS");
}

static void rename_in(struct naming *naming, struct obj dict)
{
    AUTO_OBJ struct obj action = obj_key(dict, "/A");

    if (obj_key_is(dict, "/Subtype", "/Stamp"))
        rename_value(naming, dict, "/Name");
    if (obj_key_is(dict, "/Type", "/CMap"))
        rename_value(naming, dict, "/CMapName");
    rename_element(naming, dict);
    rename_font(naming, dict);
    rename_value(naming, dict, "/Dest");
    rename_value(naming, dict, "/V");
    rename_value(naming, dict, "/DV");
    rename_states(naming, dict);
    if (obj_is_dict(action) && !obj_is_indirect(action) && obj_key_is(action, "/S", "/GoTo"))
        rename_value(naming, action, "/D");
    if (obj_key_is(dict, "/S", "/GoTo"))
        rename_value(naming, dict, "/D");
}

size_t redact_names_clean(struct pdf_doc *doc, struct redact_words *words, bool only_count,
                          int *object)
{
    struct naming naming = { .words = words, .only_count = only_count, .now = 1 };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj places = obj_key(root, "/Dests");

    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj info = obj_key(trailer, "/Info");

    rename_keys(&naming, places, true);
    rename_roles(&naming, root);
    rename_info(&naming, info);
    for (int i = 1, next = pdf_doc_next_number(doc); i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);

        naming.now = i;
        if (obj_is_dict(dict))
            rename_in(&naming, dict);
        rename_inks(&naming, value, 0);
    }
    if (object)
        *object = naming.object;
    return naming.n;
}
