#include "compress/fonts/fonts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"
#include "compress/fonts/encoding.h"
#include "compress/usage/font_program.h"
#include "font/subset.h"

#define SEVERAL (IDMAP_NONE - 1) /* a map that leads to more than one program, or to none */

struct reader {
    struct fonts *fonts;
    struct pdf_doc *doc;
    const struct equal_objects *objects;
    const struct usage *usage;
    const struct form_fonts *form_fonts;
    struct idmap forms; /* fonts that forms may set text in, by id */
    bool no_memory;
};

static struct font_need *need_of(struct reader *r, struct obj program)
{
    uint32_t node = equal_objects_first(r->objects, obj_id(program));
    struct fonts *fonts = r->fonts;
    int64_t id;
    size_t i;

    if (node == GRAPH_NONE)
        return NULL;
    id = r->objects->graph->nodes[node].id;
    i = idmap_find(&fonts->index, id);
    if (i != IDMAP_NONE)
        return &fonts->needs[i];
    if (!LIST_ROOM(fonts->needs, fonts->n, fonts->cap) || !idmap_add(&fonts->index, id, fonts->n)) {
        r->no_memory = true;
        return NULL;
    }
    i = fonts->n++;
    fonts->needs[i] =
        (struct font_need){ .id = id, .keep = calloc(SUBSET_GLYPHS / 64, sizeof(uint64_t)) };
    r->no_memory |= !fonts->needs[i].keep;
    return r->no_memory ? NULL : &fonts->needs[i];
}

/* A person who fills in a form may enter any character that the font's codes reach. */
static bool add_all_codes(struct obj font, struct obj program, struct font_need *need)
{
    static const uint64_t all[4] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
    AUTO_FREE uint64_t *codes = calloc(USAGE_CODES / 64, sizeof *codes);
    struct usage_font shown = { .codes = codes };

    if (!codes)
        return false;
    memcpy(codes, all, sizeof all);
    return encoding_glyphs(font, program, &shown, need);
}

/* A hash of the name: "ABCDEF+Name" and "Name" have the same. */
static int64_t name_of(struct obj font)
{
    AUTO_OBJ struct obj base = obj_key(font, "/BaseFont");
    size_t n;
    const char *name = obj_is_name(base) ? obj_bytes(base, &n) : NULL;

    if (!name || n < 2)
        return 0;
    name++;
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 6 && name[6] == '+')
        name += 7;
    return (int64_t) (fnv_text(FNV_START, name) | 1);
}

/* The map of a composite font from CIDs to the glyphs of the program. */
static void note_map(struct reader *r, struct obj font, const struct font_need *need)
{
    AUTO_OBJ struct obj map = obj_key(font, "/CIDToGIDMap");
    uint32_t node = obj_is_stream(map) ? equal_objects_first(r->objects, obj_id(map)) : GRAPH_NONE;
    size_t index = need ? (size_t) (need - r->fonts->needs) : SEVERAL, before;
    int64_t id;

    if (node == GRAPH_NONE)
        return;
    id = r->objects->graph->nodes[node].id;
    before = idmap_find(&r->fonts->maps, id);
    if (before == IDMAP_NONE)
        r->no_memory |= !idmap_add(&r->fonts->maps, id, index);
    else if (before != index)
        idmap_set(&r->fonts->maps, id, SEVERAL);
}

/* One font, or the one descendant of a composite one, whose codes `shown` are used. */
static void add_font(struct reader *r, struct obj font, const struct usage_font *shown,
                     bool composite, bool form)
{
    AUTO_OBJ struct obj program = font_program_own(font);
    struct font_need *need = obj_is_stream(program) ? need_of(r, program) : NULL;

    note_map(r, font, need);
    if (need)
        need->form |= form;
    if (need && !need->name)
        need->name = name_of(font);
    if (!need || need->whole)
        return;
    if ((form && composite) || (shown && shown->all) || (shown && shown->composite != composite) ||
        r->usage->partial)
        need->whole = true;
    else if (form)
        need->whole = !add_all_codes(font, program, need);
    else if (shown)
        need->whole = !encoding_glyphs(font, program, shown, need);
}

static void add_node(struct reader *r, uint32_t node)
{
    int64_t id = r->objects->graph->nodes[node].id;
    AUTO_OBJ struct obj font = graph_handle(r->objects->graph, r->doc, node);
    AUTO_OBJ struct obj descendants = obj_key(font, "/DescendantFonts");
    const struct usage_font *shown = usage_font(r->usage, id);
    bool form = idmap_find(&r->forms, id) != IDMAP_NONE;

    if (obj_is_array(descendants)) {
        AUTO_OBJ struct obj descendant = obj_item(descendants, 0);

        add_font(r, descendant, shown, true, form);
    } else if (!obj_key_is(font, "/Subtype", "/CIDFontType0") &&
               !obj_key_is(font, "/Subtype", "/CIDFontType2")) {
        add_font(r, font, shown, false, form);
    }
}

/* Fonts in a resource dictionary for text that is entered later, in a form. */
static void keep_fonts(struct reader *r, struct obj holder)
{
    AUTO_OBJ struct obj resources = obj_key(holder, "/DR");
    AUTO_OBJ struct obj fonts = obj_key(resources, "/Font");
    AUTO_KEYS char **keys = obj_keys(fonts);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj font = obj_key(fonts, keys[i]);

        if (form_fonts_may_set(r->form_fonts, keys[i]))
            r->no_memory |= !idmap_add(&r->forms, obj_id(font), 0);
    }
    r->no_memory |= !keys;
}

int fonts_read(struct fonts *fonts, struct pdf_doc *doc, const struct equal_objects *objects,
               const struct usage *usage, const struct form_fonts *form_fonts, struct err *err)
{
    const struct graph *graph = objects->graph;
    struct reader r = { fonts, doc, objects, usage, form_fonts, .no_memory = false };

    *fonts = (struct fonts){ 0 };
    for (uint32_t i = 0; i < graph->n; i++) {
        AUTO_OBJ struct obj holder = OBJ_NONE;

        if (!graph_mentions(graph, i, "/DR"))
            continue;
        holder = graph_handle(graph, doc, i);
        keep_fonts(&r, holder);
        /* The form's dictionary may be part of the catalog. */
        AUTO_OBJ struct obj form = obj_key(holder, "/AcroForm");
        keep_fonts(&r, form);
    }
    for (uint32_t i = 0; i < graph->n && !r.no_memory; i++)
        if (!graph->nodes[i].stream && (graph_mentions(graph, i, "/FontDescriptor") ||
                                        graph_mentions(graph, i, "/DescendantFonts")))
            add_node(&r, i);
    idmap_free(&r.forms);
    return r.no_memory ? pdf_doc_no_memory(err) : 0;
}

void fonts_free(struct fonts *fonts)
{
    for (size_t i = 0; i < fonts->n; i++) {
        free(fonts->needs[i].keep);
        free(fonts->needs[i].codes);
    }
    free(fonts->needs);
    idmap_free(&fonts->index);
    idmap_free(&fonts->maps);
    *fonts = (struct fonts){ 0 };
}

bool fonts_have(const struct fonts *fonts, int64_t id)
{
    return idmap_find(&fonts->index, id) != IDMAP_NONE ||
           idmap_find(&fonts->maps, id) != IDMAP_NONE;
}

const struct font_need *fonts_need(const struct fonts *fonts, int64_t id)
{
    size_t i = idmap_find(&fonts->index, id);

    return i == IDMAP_NONE || fonts->needs[i].whole ? NULL : &fonts->needs[i];
}

const struct font_need *fonts_map_need(const struct fonts *fonts, int64_t id)
{
    size_t i = idmap_find(&fonts->maps, id);

    return i >= fonts->n || fonts->needs[i].whole ? NULL : &fonts->needs[i];
}
