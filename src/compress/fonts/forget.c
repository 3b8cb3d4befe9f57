#include "compress/fonts/forget.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "compress/fonts/font.h"
#include "compress/fonts/fonts.h"
#include "compress/usage/font_program.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/literal.h"

#define BLOCK     100   /* entries of one bfchar section, at most */
#define MOST_TEXT 512   /* bytes of what one code means */
#define SPREAD    65536 /* codes of one range */

/* A map that is being written shorter. */
struct map {
    const struct usage_font *shown;
    struct buf block; /* the entries of the section that is being written */
    size_t n_block, kept, dropped;
    struct buf out;
};

static void end_block(struct map *map)
{
    if (map->n_block)
        buf_printf(&map->out, "%zu beginbfchar\n%sendbfchar\n", map->n_block,
                   buf_text(&map->block));
    map->block.len = 0;
    map->n_block = 0;
}

static unsigned code_of(const char *bytes, size_t n)
{
    unsigned code = 0;

    for (size_t i = 0; i < n && i < 4; i++)
        code = code << 8 | (unsigned char) bytes[i];
    return code;
}

static void put_entry(struct map *map, unsigned code, size_t n_code, const char *text, size_t n)
{
    unsigned char bytes[4];

    if (code >= USAGE_CODES || !usage_has_code(map->shown, code)) {
        map->dropped++;
        return;
    }
    for (size_t i = 0; i < n_code; i++)
        bytes[i] = (unsigned char) (code >> 8 * (n_code - 1 - i));
    literal_put_hex(&map->block, bytes, n_code);
    buf_putc(&map->block, ' ');
    literal_put_hex(&map->block, text, n);
    buf_putc(&map->block, '\n');
    map->kept++;
    if (++map->n_block == BLOCK)
        end_block(map);
}

/* Reads a string of at most `cap` bytes. */
static bool read_string(struct lex *lex, char *to, size_t cap, size_t *n)
{
    struct lex_token token;

    if (!lex_next(lex, &token) || (token.kind != LEX_HEX && token.kind != LEX_STRING) ||
        token.damaged || token.n > cap)
        return false;
    *n = lex_string(&token, to);
    return true;
}

/* The entries of a range, after its first and last code. */
static bool read_range(struct map *map, struct lex *lex, unsigned low, unsigned high, size_t n_code)
{
    char text[MOST_TEXT];
    struct lex before = *lex;
    struct lex_token token;
    size_t n;

    if (high < low || high - low >= SPREAD || !lex_next(lex, &token))
        return false;
    if (token.kind == LEX_ARRAY_BEGIN) {
        for (unsigned code = low; code <= high; code++) {
            if (!read_string(lex, text, sizeof text, &n))
                return false;
            put_entry(map, code, n_code, text, n);
        }
        return lex_next(lex, &token) && token.kind == LEX_ARRAY_END;
    }
    *lex = before;
    if (!read_string(lex, text, sizeof text, &n) || n == 0)
        return false;
    for (unsigned code = low; code <= high; code++) {
        put_entry(map, code, n_code, text, n);
        if (++text[n - 1] == 0 && n > 1)
            text[n - 2]++;
    }
    return true;
}

static bool read_section(struct map *map, struct lex *lex, bool ranges)
{
    char low[MOST_TEXT], high[MOST_TEXT], text[MOST_TEXT];
    size_t n_low, n_high, n;

    while (true) {
        struct lex before = *lex;
        struct lex_token token;

        if (!lex_next(lex, &token))
            return false;
        if (lex_is(&token, ranges ? "endbfrange" : "endbfchar"))
            return true;
        *lex = before;
        if (!read_string(lex, low, sizeof low, &n_low) || n_low == 0 || n_low > 4)
            return false;
        if (!ranges) {
            if (!read_string(lex, text, sizeof text, &n))
                return false;
            put_entry(map, code_of(low, n_low), n_low, text, n);
        } else if (!read_string(lex, high, sizeof high, &n_high) || n_high != n_low ||
                   !read_range(map, lex, code_of(low, n_low), code_of(high, n_high), n_low)) {
            return false;
        }
    }
}

/* False: it is not a map that can be written shorter. */
static bool shorten_map(struct map *map, const unsigned char *data, size_t n)
{
    struct lex lex = lex_of(data, n);
    struct lex_token token, number = { 0 };
    bool begun = false;

    while (lex_next(&lex, &token)) {
        bool ranges = lex_is(&token, "beginbfrange");

        if (lex_is(&token, "usecmap"))
            return false;
        if (ranges || lex_is(&token, "beginbfchar")) {
            if (!begun && number.at)
                buf_put(&map->out, data, (size_t) (number.at - data));
            begun = true;
            if (!read_section(map, &lex, ranges))
                return false;
        }
        number = token;
    }
    end_block(map);
    buf_puts(&map->out, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
    return begun && map->dropped && !map->out.failed && !map->block.failed;
}

static void set_data(struct obj stream, const struct buf *data)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);

    obj_remove(dict, "/Filter");
    obj_remove(dict, "/DecodeParms");
    if (obj_has(dict, "/Length1"))
        obj_set_int(dict, "/Length1", (long long) data->len);
    obj_set_stream(stream, data->data, data->len);
}

static bool forget_map(struct obj font, const struct usage_font *shown)
{
    AUTO_OBJ struct obj stream = obj_key(font, "/ToUnicode");
    AUTO_FREE unsigned char *data = NULL;
    struct map map = { .shown = shown };
    size_t n;
    bool shorter =
        obj_is_stream(stream) && obj_stream_data(stream, &data, &n) && shorten_map(&map, data, n);

    if (shorter) {
        /* Other fonts may have the same map. */
        AUTO_OBJ struct obj own = obj_new_stream(font.q, map.out.data, map.out.len);

        obj_set(font, "/ToUnicode", own);
    }
    buf_free(&map.out);
    buf_free(&map.block);
    return shorter;
}

static bool forget_glyphs(struct obj font, const struct fonts *fonts,
                          const struct equal_objects *objects)
{
    AUTO_OBJ struct obj program = font_program(font);
    AUTO_BUF struct buf smaller = BUF_EMPTY;
    uint32_t node;
    const struct font_need *need;

    if (!obj_is_stream(program))
        return false;
    node = equal_objects_first(objects, obj_id(program));
    need = node == GRAPH_NONE ? NULL : fonts_need(fonts, objects->graph->nodes[node].id);
    if (!need || need->form || !font_cut(need, program, &smaller))
        return false;
    set_data(program, &smaller);
    return true;
}

/* The names of the glyphs that codes of a simple font show, by the differences of its encoding:
 * those of codes that are not shown become /.notdef. */
static bool forget_names(struct obj font, const struct usage_font *shown)
{
    AUTO_OBJ struct obj old = obj_key(font, "/Encoding");
    AUTO_OBJ struct obj names = obj_key(old, "/Differences");
    AUTO_OBJ struct obj encoding = obj_is_dict(old) ? obj_shallow_copy(old) : OBJ_NONE;
    AUTO_OBJ struct obj list = obj_new_array(font.q);
    long long code = 0;
    bool shorter = false;

    if (!encoding.q || !obj_is_array(names))
        return false;
    for (int i = 0; i < obj_count(names); i++) {
        AUTO_OBJ struct obj item = obj_item(names, i);
        bool kept = true;

        if (!obj_is_int(item, &code) && obj_is_name(item)) {
            kept = code >= 0 && code < 256 && usage_has_code(shown, (unsigned) code);
            code++;
        }
        if (kept) {
            obj_append(list, item);
        } else {
            AUTO_OBJ struct obj none = obj_parse(font.q, "/.notdef");

            obj_append(list, none);
            shorter = true;
        }
    }
    if (shorter) {
        obj_set(encoding, "/Differences", list);
        obj_set(font, "/Encoding", encoding);
    }
    return shorter;
}

/* The widths of codes of a simple font that are not shown become 0. */
static bool forget_widths(struct obj font, const struct usage_font *shown)
{
    AUTO_OBJ struct obj old = obj_key(font, "/Widths");
    AUTO_OBJ struct obj list = obj_new_array(font.q);
    long long first;
    bool shorter = false;

    if (!obj_is_array(old) || !obj_key_int(font, "/FirstChar", &first) || first < 0)
        return false;
    for (int i = 0; i < obj_count(old); i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);
        double width = 0;
        bool kept = first + i < USAGE_CODES && usage_has_code(shown, (unsigned) (first + i));

        if (kept || (obj_is_number(item, &width) && width == 0)) {
            obj_append(list, item);
        } else {
            AUTO_OBJ struct obj zero = obj_parse(font.q, "0");

            obj_append(list, zero);
            shorter = true;
        }
    }
    if (shorter)
        obj_set(font, "/Widths", list);
    return shorter;
}

static bool has_name(struct obj list, const char *name)
{
    for (int i = 0; i < obj_count(list); i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);

        if (obj_name_is(item, name))
            return true;
    }
    return false;
}

/* The procedures of glyphs of a Type 3 font that its encoding does not name any more. */
static bool forget_procedures(struct obj font)
{
    AUTO_OBJ struct obj encoding = obj_key(font, "/Encoding");
    AUTO_OBJ struct obj names = obj_key(encoding, "/Differences");
    AUTO_OBJ struct obj old = obj_key(font, "/CharProcs");
    AUTO_OBJ struct obj procedures = obj_is_dict(old) ? obj_shallow_copy(old) : OBJ_NONE;
    AUTO_KEYS char **keys = procedures.q ? obj_keys(procedures) : NULL;
    bool shorter = false;

    if (!obj_key_is(font, "/Subtype", "/Type3") || !obj_is_array(names))
        return false;
    for (size_t i = 0; keys && keys[i]; i++)
        if (!has_name(names, keys[i])) {
            obj_remove(procedures, keys[i]);
            shorter = true;
        }
    if (shorter)
        obj_set(font, "/CharProcs", procedures);
    return shorter;
}

/* Whether fields of a form may be set in the font later, in any of its characters. */
static bool is_form_font(struct pdf_doc *doc, const struct form_fonts *form_fonts, int64_t id)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj resources = obj_key(form, "/DR");
    AUTO_OBJ struct obj all = obj_key(resources, "/Font");
    AUTO_KEYS char **keys = obj_is_dict(all) ? obj_keys(all) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj font = obj_key(all, keys[i]);

        if (obj_is_indirect(font) && obj_id(font) == id && form_fonts_may_set(form_fonts, keys[i]))
            return true;
    }
    return false;
}

static size_t forget_font(struct pdf_doc *doc, int64_t id, const struct usage *usage,
                          const struct form_fonts *form_fonts, const struct fonts *fonts,
                          const struct equal_objects *objects)
{
    AUTO_OBJ struct obj font = obj_by_id(doc->q, OBJ_NUMBER(id), OBJ_GEN(id));
    static uint64_t none[USAGE_CODES / 64]; /* never written: a font in which nothing is shown */
    const struct usage_font *shown = usage_font(usage, id), unshown = { .id = id, .codes = none };
    size_t changed = 0;

    if (usage->partial || !obj_is_dict(font) || (shown && shown->all))
        return 0;
    if (!shown || !shown->codes)
        shown = &unshown;
    changed += forget_map(font, shown);
    if (!obj_key_is(font, "/Subtype", "/Type0") && !is_form_font(doc, form_fonts, id)) {
        changed += forget_names(font, shown);
        changed += forget_widths(font, shown);
        changed += forget_procedures(font);
    }
    changed += forget_glyphs(font, fonts, objects);
    return changed;
}

int forget_unshown(struct pdf_doc *doc, const struct usage *usage,
                   const struct form_fonts *form_fonts, const int64_t *ids, size_t n,
                   size_t *changed, struct err *err)
{
    struct device_spaces spaces = { 0 };
    struct graph graph = { 0 };
    struct equal_objects objects = { 0 };
    struct fonts fonts = { 0 };
    int done;

    *changed = 0;
    if (n == 0)
        return 0;
    done = graph_read(&graph, doc, &spaces, err);
    if (done == 0)
        done = equal_objects_find(&objects, &graph, doc, err);
    if (done == 0)
        done = fonts_read(&fonts, doc, &objects, usage, form_fonts, err);
    for (size_t i = 0; i < n && done == 0; i++)
        *changed += forget_font(doc, ids[i], usage, form_fonts, &fonts, &objects);
    fonts_free(&fonts);
    equal_objects_free(&objects);
    graph_free(&graph);
    device_spaces_close(&spaces);
    return done;
}
