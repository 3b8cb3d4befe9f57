#include "recovery/mend/dict_mend.h"

#include <string.h>

#include "base/scope.h"

#define NOTHING ((struct text){ "", 0 })

/* ISO 32000-1, table 6. */
static const char *const filters[] = {
    "/FlateDecode",
    "/LZWDecode",
    "/ASCII85Decode",
    "/ASCIIHexDecode",
    "/RunLengthDecode",
    "/CCITTFaxDecode",
    "/JBIG2Decode",
    "/DCTDecode",
    "/JPXDecode",
    "/Crypt",
    "/Fl",
    "/LZW",
    "/A85",
    "/AHx",
    "/RL",
    "/CCF",
    "/DCT",
};

/* ISO 32000-1, 9.6.2.2. */
static const char *const standard_fonts[] = {
    "/Helvetica",    "/Helvetica-Bold",        "/Helvetica-Oblique",
    "/Times-Roman",  "/Helvetica-BoldOblique", "/Times-Bold",
    "/Times-Italic", "/Times-BoldItalic",      "/Courier",
    "/Courier-Bold", "/Courier-Oblique",       "/Courier-BoldOblique",
    "/Symbol",       "/ZapfDingbats",
};

static bool is_any(struct text name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
}

/* The filter whose name differs in one character, or NULL. */
static const char *meant(struct text name)
{
    for (size_t i = 0; i < COUNT(filters); i++) {
        size_t n = strlen(filters[i]), wrong = 0;

        for (size_t at = 0; name.n == n && at < n; at++)
            wrong += name.at[at] != filters[i][at];
        if (name.n == n && n > 6 && wrong == 1)
            return filters[i];
    }
    return NULL;
}

struct names {
    struct buf text;
    bool changed;
};

static bool keep_name(void *arg, struct text value)
{
    struct names *names = arg;
    const char *other = is_any(value, filters, COUNT(filters)) ? NULL : meant(value);

    if (other)
        buf_puts(&names->text, other);
    else
        buf_put(&names->text, value.at, value.n);
    buf_putc(&names->text, ' ');
    names->changed = names->changed || other;
    return true;
}

static bool mend_filters(struct objects *objects, struct object *stream)
{
    static const char *const without[] = { "/Filter", NULL };
    AUTO_BUF struct buf extra = BUF_EMPTY;
    struct text value = objects_key(objects, objects_text(objects, stream), "/Filter");
    struct names names = { 0 };
    bool done;

    if (text_is_array(value))
        dict_walk_array(value, keep_name, &names);
    else if (value.n > 0 && *value.at == '/')
        keep_name(&names, value);
    buf_puts(&extra, "/Filter [");
    buf_put(&extra, buf_text(&names.text), names.text.len);
    buf_puts(&extra, "]");
    done = !names.text.failed && !extra.failed &&
           (!names.changed || objects_change(objects, stream, without, text_of(&extra)));
    buf_free(&names.text);
    return done;
}

struct widths {
    size_t n;
    bool odd;
};

static bool keep_width(void *arg, struct text value)
{
    struct widths *widths = arg;

    widths->n++;
    widths->odd = widths->odd || !strchr("0123456789.-", *value.at) || value.at[value.n - 1] == 'R';
    return true;
}

/* They are not needed, and one missing would shift all that follow. */
static bool mend_widths(struct objects *objects, struct object *font)
{
    static const char *const without[] = { "/Widths", "/FirstChar", "/LastChar", NULL };
    struct text dict = objects_text(objects, font);
    struct widths widths = { 0 };
    uint64_t first = 0, last = 0;

    if (!is_any(dict_find(dict, "/BaseFont"), standard_fonts, COUNT(standard_fonts)) ||
        !dict_has(dict, "/Widths"))
        return true;
    dict_walk_array(objects_key(objects, dict, "/Widths"), keep_width, &widths);
    dict_number(dict, "/FirstChar", &first);
    dict_number(dict, "/LastChar", &last);
    return (!widths.odd && widths.n == last - first + 1) ||
           objects_change(objects, font, without, NOTHING);
}

/* Whether a destination (ISO 32000-1, 12.3.2.2) is a page that is gone. */
static bool leads_nowhere(const struct objects *objects, struct text destination)
{
    struct text page = dict_array_first(destination);

    return text_ref(page) && !objects_find(objects, text_ref(page));
}

/* Links and outline items that lead to no page any more lead nowhere: readers complain of others.
 */
static bool mend_links(struct objects *objects, struct object *object)
{
    static const char *const without_destination[] = { "/Dest", NULL };
    static const char *const without_action[] = { "/A", NULL };
    struct text dict = objects_text(objects, object);

    if (leads_nowhere(objects, objects_key(objects, dict, "/Dest")))
        return objects_change(objects, object, without_destination, NOTHING);
    if (leads_nowhere(objects, objects_key(objects, objects_key(objects, dict, "/A"), "/D")))
        return objects_change(objects, object, without_action, NOTHING);
    return true;
}

bool dict_mend(struct objects *objects, struct object *object)
{
    if (object->is_stream)
        return mend_filters(objects, object);
    if (dict_name_is(objects_text(objects, object), "/Type", "/Font"))
        return mend_widths(objects, object);
    return mend_links(objects, object);
}
