#include "write/xlsx/styles.h"

#include <stdlib.h>
#include <string.h>

#include "write/opc/xml.h"

#define MOST         4000 /* a workbook may have 64,000 */
#define FIRST_FORMAT 164  /* lower numbers are predefined formats */

static bool same(const struct cell_style *a, const struct cell_style *b)
{
    return a->bold == b->bold && a->italic == b->italic && a->wrap == b->wrap &&
           a->borders == b->borders && a->align == b->align && a->fill == b->fill &&
           strcmp(a->format, b->format) == 0;
}

static bool grow_styles(struct styles *styles)
{
    size_t cap = styles->cap ? styles->cap * 2 : 32;
    struct cell_style *items = reallocarray(styles->items, cap, sizeof *items);

    if (!items)
        return false;
    styles->items = items;
    styles->cap = cap;
    return true;
}

size_t styles_find(struct styles *styles, const struct cell_style *style)
{
    static const struct cell_style plain = { .fill = UINT32_MAX };

    if (same(style, &plain))
        return 0;
    /* In most tables cells of one column are similar: the latest styles are compared first. */
    for (size_t i = styles->n; i-- > 0;)
        if (same(&styles->items[i], style))
            return i + 1;
    if (styles->n == MOST || (styles->n == styles->cap && !grow_styles(styles)))
        return 0;
    styles->items[styles->n++] = *style;
    return styles->n;
}

static void put_formats(const struct styles *styles, struct buf *xml)
{
    buf_printf(xml, "<numFmts count=\"%zu\">", styles->n + 1);
    buf_printf(xml, "<numFmt numFmtId=\"%d\" formatCode=\"General\"/>", FIRST_FORMAT);
    for (size_t i = 0; i < styles->n; i++) {
        const char *format = styles->items[i].format;

        buf_printf(xml, "<numFmt numFmtId=\"%zu\" formatCode=\"", FIRST_FORMAT + 1 + i);
        xml_text(xml, *format ? format : "General", *format ? strlen(format) : 7);
        buf_puts(xml, "\"/>");
    }
    buf_puts(xml, "</numFmts>");
}

/* Writes one font for each combination of bold and italic. */
static void put_fonts(struct buf *xml)
{
    buf_puts(xml, "<fonts count=\"4\">");
    for (int i = 0; i < 4; i++)
        buf_printf(xml,
                   "<font>%s%s<sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font>",
                   i & 1 ? "<b/>" : "", i & 2 ? "<i/>" : "");
    buf_puts(xml, "</fonts>");
}

/* The standard prescribes the first two. */
static void put_fills(const struct styles *styles, struct buf *xml)
{
    buf_printf(xml,
               "<fills count=\"%zu\"><fill><patternFill patternType=\"none\"/></fill><fill>"
               "<patternFill patternType=\"gray125\"/></fill>",
               styles->n + 2);
    for (size_t i = 0; i < styles->n; i++)
        if (styles->items[i].fill == UINT32_MAX)
            buf_puts(xml, "<fill><patternFill patternType=\"none\"/></fill>");
        else
            buf_printf(xml,
                       "<fill><patternFill patternType=\"solid\"><fgColor rgb=\"FF%06X\"/>"
                       "</patternFill></fill>",
                       styles->items[i].fill);
    buf_puts(xml, "</fills>");
}

/* Writes one border for each combination of sides. */
static void put_borders(struct buf *xml)
{
    static const struct {
        unsigned side;
        const char *name;
    } sides[] = { { BORDER_LEFT, "left" },
                  { BORDER_RIGHT, "right" },
                  { BORDER_TOP, "top" },
                  { BORDER_BOTTOM, "bottom" } };

    buf_puts(xml, "<borders count=\"16\">");
    for (unsigned set = 0; set < 16; set++) {
        buf_puts(xml, "<border>");
        for (int i = 0; i < 4; i++)
            buf_printf(xml, set & sides[i].side ? "<%s style=\"thin\"/>" : "<%s/>", sides[i].name);
        buf_puts(xml, "<diagonal/></border>");
    }
    buf_puts(xml, "</borders>");
}

static void put_cell_format(const struct cell_style *style, size_t number, struct buf *xml)
{
    static const char *const aligns[] = { "general", "left", "center", "right" };

    buf_printf(xml,
               "<xf numFmtId=\"%zu\" fontId=\"%d\" fillId=\"%zu\" borderId=\"%u\" xfId=\"0\" "
               "applyNumberFormat=\"1\" applyFont=\"1\" applyFill=\"1\" applyBorder=\"1\" "
               "applyAlignment=\"1\"><alignment horizontal=\"%s\" vertical=\"top\"%s/></xf>",
               FIRST_FORMAT + 1 + number, style->bold + 2 * style->italic, number + 2,
               style->borders, aligns[style->align], style->wrap ? " wrapText=\"1\"" : "");
}

void styles_write(const struct styles *styles, struct buf *xml)
{
    buf_puts(xml, XML_HEAD
             "<styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">");
    put_formats(styles, xml);
    put_fonts(xml);
    put_fills(styles, xml);
    put_borders(xml);
    buf_puts(xml, "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" "
                  "borderId=\"0\"/></cellStyleXfs>");
    buf_printf(xml,
               "<cellXfs count=\"%zu\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" "
               "borderId=\"0\" xfId=\"0\"/>",
               styles->n + 1);
    for (size_t i = 0; i < styles->n; i++)
        put_cell_format(&styles->items[i], i, xml);
    buf_puts(xml, "</cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" "
                  "builtinId=\"0\"/></cellStyles></styleSheet>");
}

void styles_free(struct styles *styles)
{
    free(styles->items);
    *styles = (struct styles){ 0 };
}
