#include "engine/office/flat.h"

#include <stdint.h>
#include <string.h>

#define NAMESPACES                                                                                 \
    "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" "                           \
    "xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" "                             \
    "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" "                               \
    "xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" "                             \
    "xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" "                    \
    "xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" "
#define FONT "Liberation Mono"
#define PAGE                                                                                       \
    "<style:page-layout style:name=\"P\"><style:page-layout-properties fo:page-width=\"210mm\" "   \
    "fo:page-height=\"297mm\" style:print-orientation=\"portrait\" fo:margin=\"20mm\"/>"
#define CHARACTER_MM 2.1 /* of the width of 10 point Liberation Sans, with room to spare */
#define COLUMN_MM    20.0

static void begin_flat(FILE *file, const char *media_type)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document " NAMESPACES
            "office:version=\"1.2\" office:mimetype=\"application/vnd.oasis.opendocument.%s\">",
            media_type);
}

void flat_begin_text(FILE *file)
{
    begin_flat(file, "text");
    fputs("<office:font-face-decls><style:font-face style:name=\"F\" svg:font-family=\"'" FONT
          "'\" style:font-pitch=\"fixed\"/></office:font-face-decls>"
          "<office:styles><style:style style:name=\"Standard\" style:family=\"paragraph\">"
          "<style:text-properties style:font-name=\"F\" fo:font-size=\"10pt\" "
          "style:font-size-asian=\"10pt\" style:font-size-complex=\"10pt\"/></style:style>"
          "</office:styles><office:automatic-styles>"
          "<style:style style:name=\"B\" style:family=\"paragraph\" "
          "style:parent-style-name=\"Standard\"><style:paragraph-properties "
          "fo:break-before=\"page\"/></style:style>" PAGE "</style:page-layout>"
          "</office:automatic-styles><office:master-styles><style:master-page "
          "style:name=\"Standard\" style:page-layout-name=\"P\"/></office:master-styles>"
          "<office:body><office:text>",
          file);
}

static void put_xml_char(FILE *file, char c)
{
    switch (c) {
    case '<':
        fputs("&lt;", file);
        break;
    case '>':
        fputs("&gt;", file);
        break;
    case '&':
        fputs("&amp;", file);
        break;
    default:
        fputc(c, file);
    }
}

/* ODF 1.2 part 1, 6.1: blanks in a row are one, unless they are said to be more. */
static void put_xml_line(FILE *file, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t blanks = 0;

        while (i + blanks < n && text[i + blanks] == ' ')
            blanks++;
        if (blanks == 1 && i > 0 && i + 1 < n) {
            fputc(' ', file);
        } else if (blanks > 0) {
            fprintf(file, "<text:s text:c=\"%zu\"/>", blanks);
            i += blanks - 1;
        } else if (text[i] == '\t') {
            fputs("<text:tab/>", file);
        } else if (text[i] != '\r' && text[i] != '\f') {
            put_xml_char(file, text[i]);
        }
    }
}

void flat_paragraph(FILE *file, const char *text, size_t n, bool new_page)
{
    fprintf(file, "<text:p text:style-name=\"%s\">", new_page ? "B" : "Standard");
    put_xml_line(file, text, n);
    fputs("</text:p>\n", file);
}

void flat_end_text(FILE *file)
{
    fputs("</office:text></office:body></office:document>\n", file);
}

void flat_begin_sheet(FILE *file, const size_t *widths, size_t n)
{
    begin_flat(file, "spreadsheet");
    fputs("<office:styles><style:style style:name=\"Default\" style:family=\"table-cell\">"
          "<style:table-cell-properties style:vertical-align=\"top\"/>"
          "<style:text-properties style:font-name=\"Liberation Sans\" "
          "fo:font-family=\"'Liberation Sans'\" fo:font-size=\"10pt\"/></style:style>"
          "</office:styles><office:automatic-styles>"
          "<style:style style:name=\"L\" style:family=\"table-cell\" "
          "style:parent-style-name=\"Default\"><style:table-cell-properties "
          "fo:wrap-option=\"wrap\"/></style:style>"
          "<style:style style:name=\"R\" style:family=\"table-cell\" "
          "style:parent-style-name=\"Default\"><style:paragraph-properties "
          "fo:text-align=\"end\"/></style:style>",
          file);
    for (size_t i = 0; i < n; i++) {
        double mm = (double) (widths[i] + 1) * CHARACTER_MM;

        fprintf(file,
                "<style:style style:name=\"c%zu\" style:family=\"table-column\">"
                "<style:table-column-properties style:column-width=\"%.1fmm\"/></style:style>",
                i, mm < COLUMN_MM ? COLUMN_MM : mm);
    }
    fputs("<style:style style:name=\"r\" style:family=\"table-row\"><style:table-row-properties "
          "style:use-optimal-row-height=\"true\"/></style:style>" PAGE
          "<style:header-style/><style:footer-style/></style:page-layout>"
          "</office:automatic-styles><office:master-styles><style:master-page "
          "style:name=\"Default\" style:page-layout-name=\"P\"><style:header "
          "style:display=\"false\"/><style:footer style:display=\"false\"/></style:master-page>"
          "</office:master-styles><office:body><office:spreadsheet>"
          "<table:table table:name=\"Sheet1\">",
          file);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "<table:table-column table:style-name=\"c%zu\"/>", i);
}

void flat_begin_row(FILE *file)
{
    fputs("<table:table-row table:style-name=\"r\">", file);
}

/* Digits with signs and separators: aligned right, exactly as written. */
static bool is_number(const char *text, size_t n)
{
    size_t digits = 0;

    for (size_t i = 0; i < n; i++) {
        if (text[i] >= '0' && text[i] <= '9')
            digits++;
        else if (!strchr("+-., %", text[i]) || !text[i])
            return false;
    }
    return digits > 0;
}

void flat_cell(FILE *file, const char *text, size_t n)
{
    const char *at = text, *end = text + n;

    if (n == 0) {
        fputs("<table:table-cell/>", file);
        return;
    }
    fprintf(file, "<table:table-cell table:style-name=\"%s\" office:value-type=\"string\">",
            is_number(text, n) ? "R" : "L");
    while (at <= end) {
        const char *stop = at < end ? memchr(at, '\n', (size_t) (end - at)) : NULL;

        if (!stop)
            stop = end;
        fputs("<text:p>", file);
        put_xml_line(file, at, (size_t) (stop - at));
        fputs("</text:p>", file);
        at = stop + 1;
    }
    fputs("</table:table-cell>", file);
}

void flat_end_row(FILE *file)
{
    fputs("</table:table-row>\n", file);
}

void flat_end_sheet(FILE *file)
{
    fputs("</table:table></office:spreadsheet></office:body></office:document>\n", file);
}
