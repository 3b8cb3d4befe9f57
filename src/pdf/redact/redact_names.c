#include "pdf/redact/redact_names.h"

#include <string.h>

#include "base/scope.h"
#include "font/glyph_names.h"
#include "pdf/object/obj.h"
#include "pdf/redact/redact_keys.h"
#include "pdf/redact/redact_known.h"
#include "pdf/redact/redact_rename.h"

#define DEEPEST 20 /* direct containers in one another in which inks are looked for */

static bool is_format_name(struct obj name)
{
    size_t n;
    const char *bytes = obj_bytes(name, &n);

    return bytes && n > 1 && redact_known_name(bytes + 1, n - 1);
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
static void rename_keys(struct redact_rename *rename, struct obj dict, bool all)
{
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;

    for (size_t i = 0; keys && keys[i]; i++)
        if (all || !is_defined(keys[i]))
            redact_rename_key(rename, dict, keys[i]);
}

static void rename_ink(struct redact_rename *rename, struct obj array, int index)
{
    AUTO_OBJ struct obj item = obj_item(array, index);

    if (!is_process_ink(redact_rename_read(item)))
        redact_rename_item(rename, array, index);
}

static void rename_list(struct redact_rename *rename, struct obj inks)
{
    for (int i = 0; i < obj_count(inks); i++)
        rename_ink(rename, inks, i);
}

/* Entries that are named by inks, or list them (8.6.6.5, 14.11.4). */
static void rename_ink_entry(struct redact_rename *rename, const char *key, struct obj value)
{
    static const char *const keyed[] = { "/Colorants", "/Solidities", "/DotGain" };
    static const char *const lists[] = { "/PrintingOrder", "/Components", "/SeparationColorNames" };

    for (size_t i = 0; i < COUNT(keyed); i++)
        if (strcmp(key, keyed[i]) == 0)
            rename_keys(rename, value, false);
    for (size_t i = 0; i < COUNT(lists); i++)
        if (strcmp(key, lists[i]) == 0)
            rename_list(rename, value);
}

/* The inks of colour spaces (8.6.6.4 and 8.6.6.5), wherever they are in an object. */
static void rename_inks(struct redact_rename *rename, struct obj value, int depth)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;
    AUTO_OBJ struct obj first = obj_item(value, 0);

    if (obj_name_is(first, "/Separation")) {
        rename_ink(rename, value, 1);
    } else if (obj_name_is(first, "/DeviceN")) {
        AUTO_OBJ struct obj inks = obj_item(value, 1);

        rename_list(rename, inks);
    }
    for (int i = 0; i < obj_count(value) && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (!obj_is_indirect(item) && (obj_is_array(item) || obj_is_dict(item)))
            rename_inks(rename, item, depth + 1);
    }
    for (size_t i = 0; keys && keys[i] && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_key(dict, keys[i]);

        rename_ink_entry(rename, keys[i], item);
        if (!obj_is_indirect(item) && (obj_is_array(item) || obj_is_dict(item)))
            rename_inks(rename, item, depth + 1);
    }
}

/* Types and classes of structure elements (14.7.3 and 14.7.6) that the document defines. */
static void rename_element(struct redact_rename *rename, struct obj element)
{
    AUTO_OBJ struct obj type = obj_key(element, "/S");
    AUTO_OBJ struct obj classes = obj_key(element, "/C");

    if (!obj_has(element, "/P") || !obj_is_name(type))
        return;
    if (!is_format_name(type))
        redact_rename_value(rename, element, "/S");
    redact_rename_value(rename, element, "/C");
    for (int i = 0; i < obj_count(classes); i++)
        redact_rename_item(rename, classes, i);
}

static void rename_roles(struct redact_rename *rename, struct obj root)
{
    AUTO_OBJ struct obj tree = obj_key(root, "/StructTreeRoot");
    AUTO_OBJ struct obj roles = obj_key(tree, "/RoleMap");
    AUTO_OBJ struct obj classes = obj_key(tree, "/ClassMap");
    AUTO_KEYS char **keys = obj_is_dict(roles) ? obj_keys(roles) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj role = obj_key(roles, keys[i]);

        if (!is_format_name(role))
            redact_rename_value(rename, roles, keys[i]);
    }
    rename_keys(rename, roles, false);
    rename_keys(rename, classes, true);
}

/* Keys and names of the information dictionary (14.3.3) that the format does not define. */
static void rename_info(struct redact_rename *rename, struct obj info)
{
    AUTO_KEYS char **keys = obj_is_dict(info) ? obj_keys(info) : NULL;

    for (size_t i = 0; keys && keys[i]; i++)
        if (strcmp(keys[i], "/Trapped") != 0)
            redact_rename_value(rename, info, keys[i]);
    rename_keys(rename, info, false);
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
    const char *text = obj_is_name(name) ? redact_rename_read(name) : "";

    for (size_t i = 0; i < COUNT(families); i++)
        if (strstr(text, families[i]))
            return true;
    return strcmp(text, "/ZapfDingbats") == 0;
}

/* The name of a font. If the font is not in the document, it says which one to take. */
static void rename_font(struct redact_rename *rename, struct obj font)
{
    AUTO_OBJ struct obj name = obj_key(font, "/BaseFont");

    if (!obj_is_name(name) || (!has_program(font) && is_common_font(name)))
        return;
    AUTO_OBJ struct obj descriptor = obj_key(font, "/FontDescriptor");
    redact_rename_value(rename, font, "/BaseFont");
    if (obj_is_dict(descriptor))
        redact_rename_value(rename, descriptor, "/FontName");
}

/* The names of the states that a button can be in. */
static void rename_states(struct redact_rename *rename, struct obj widget)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj appearances = obj_key(widget, "/AP");

    for (size_t i = 0; i < COUNT(kinds) && obj_is_dict(appearances); i++) {
        AUTO_OBJ struct obj states = obj_key(appearances, kinds[i]);

        if (!obj_is_stream(states))
            rename_keys(rename, states, true);
    }
    redact_rename_value(rename, widget, "/AS");
}

/* The names of glyphs of a Type 3 font (9.6.4), but for those that say a character. Other fonts
 * share its encoding no more then. */
static void rename_glyphs(struct redact_rename *rename, struct obj font)
{
    AUTO_OBJ struct obj procedures = obj_key(font, "/CharProcs");
    AUTO_OBJ struct obj encoding = obj_key(font, "/Encoding");
    AUTO_OBJ struct obj differences = obj_key(encoding, "/Differences");
    AUTO_OBJ struct obj own = OBJ_NONE;
    AUTO_OBJ struct obj list = OBJ_NONE;
    int n = obj_count(differences);
    size_t before = rename->n;

    if (!obj_is_dict(procedures) || !obj_key_is(font, "/Subtype", "/Type3"))
        return;
    list = obj_new_array(font.q);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(differences, i);

        obj_append(list, item);
        if (obj_is_name(item) && !glyph_name_unicode(redact_rename_read(item) + 1))
            redact_rename_item(rename, list, i);
    }
    AUTO_KEYS char **keys = obj_keys(procedures);
    for (size_t i = 0; keys && keys[i]; i++)
        if (!glyph_name_unicode(keys[i] + 1))
            redact_rename_key(rename, procedures, keys[i]);
    if (rename->n == before || rename->only_count || !n)
        return;
    own = obj_shallow_copy(encoding);
    obj_set(own, "/Differences", list);
    obj_set(font, "/Encoding", own);
}

static void rename_in(struct redact_rename *rename, struct obj dict)
{
    AUTO_OBJ struct obj action = obj_key(dict, "/A");
    AUTO_OBJ struct obj namespace_roles = obj_key(dict, "/RoleMapNS");

    if (obj_key_is(dict, "/Subtype", "/Stamp"))
        redact_rename_value(rename, dict, "/Name");
    if (obj_key_is(dict, "/Type", "/CMap"))
        redact_rename_value(rename, dict, "/CMapName");
    rename_element(rename, dict);
    rename_font(rename, dict);
    rename_glyphs(rename, dict);
    rename_keys(rename, namespace_roles, false);
    redact_rename_value(rename, dict, "/Dest");
    redact_rename_value(rename, dict, "/V");
    redact_rename_value(rename, dict, "/DV");
    rename_states(rename, dict);
    if (obj_is_dict(action) && !obj_is_indirect(action) && obj_key_is(action, "/S", "/GoTo"))
        redact_rename_value(rename, action, "/D");
    if (obj_key_is(dict, "/S", "/GoTo"))
        redact_rename_value(rename, dict, "/D");
}

static void rename_all(struct redact_rename *rename, struct pdf_doc *doc,
                       const struct idmap *contents)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj places = obj_key(root, "/Dests");
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj info = obj_key(trailer, "/Info");

    rename_keys(rename, places, true);
    rename_roles(rename, root);
    rename_info(rename, info);
    for (int i = 1, next = pdf_doc_next_number(doc); i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);
        AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);

        rename->now = i;
        if (obj_is_dict(dict))
            rename_in(rename, dict);
        rename_inks(rename, value, 0);
    }
    if (contents)
        redact_keys_clean(rename, doc, contents);
}

size_t redact_names_clean(struct pdf_doc *doc, struct redact_words *words,
                          const struct idmap *contents, bool only_count, int *object)
{
    struct redact_rename rename = { .words = words, .only_count = only_count, .now = 1 };

    rename_all(&rename, doc, contents);
    if (object)
        *object = rename.object;
    redact_rename_free(&rename);
    return rename.n;
}

void redact_names_list(struct pdf_doc *doc, struct redact_words *words, redact_rename_found *found,
                       void *arg)
{
    struct redact_rename rename = {
        .words = words, .only_count = true, .found = found, .arg = arg, .now = 1
    };
    const struct idmap none = { 0 };

    rename_all(&rename, doc, &none);
    redact_rename_free(&rename);
}
