#include "write/xlsx/workbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write/opc/package.h"
#include "write/opc/xml.h"

#define MAIN_NS   "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
#define TYPES_NS  "http://schemas.openxmlformats.org/package/2006/content-types"
#define RELATION  "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
#define MAIN_TYPE "application/vnd.openxmlformats-officedocument.spreadsheetml."

#define NAME        31   /* limit of a sheet's name in characters */
#define WIDE        256  /* columns whose width is written */
#define CHARACTER   5.5F /* points: width of a digit of the standard font with its margins */
#define LEAST_WIDTH 6.0F /* characters */
#define MOST_WIDTH  80.0F

struct workbook {
    struct package *package;
    struct styles styles;
    struct buf sheets, rels, types; /* parts that list the sheets */
    size_t n_sheets;

    /* The sheet that is being written. */
    bool open, row_open;
    struct buf rows, merges;
    size_t n_rows, n_merges, frozen;
    bool from_right;
    float widths[WIDE];
};

struct workbook *workbook_open(const char *path, struct err *err)
{
    struct workbook *workbook = calloc(1, sizeof *workbook);

    if (!workbook) {
        err_sys(err, "workbook");
        return NULL;
    }
    workbook->package = package_open(path, err);
    if (workbook->package)
        return workbook;
    free(workbook);
    return NULL;
}

void workbook_free(struct workbook *workbook)
{
    if (!workbook)
        return;
    package_free(workbook->package);
    styles_free(&workbook->styles);
    buf_free(&workbook->sheets);
    buf_free(&workbook->rels);
    buf_free(&workbook->types);
    buf_free(&workbook->rows);
    buf_free(&workbook->merges);
    free(workbook);
}

static void end_row(struct workbook *workbook)
{
    if (workbook->row_open)
        buf_puts(&workbook->rows, "</row>");
    workbook->row_open = false;
}

static void put_columns(const struct workbook *workbook, struct buf *xml)
{
    bool any = false;

    for (size_t i = 0; i < WIDE; i++) {
        float width = workbook->widths[i] / CHARACTER;

        if (width <= 0)
            continue;
        buf_puts(xml, any ? "" : "<cols>");
        any = true;
        buf_printf(xml, "<col min=\"%zu\" max=\"%zu\" width=\"%.1f\" customWidth=\"1\"/>", i + 1,
                   i + 1,
                   (double) (width < LEAST_WIDTH  ? LEAST_WIDTH
                             : width > MOST_WIDTH ? MOST_WIDTH
                                                  : width));
    }
    buf_puts(xml, any ? "</cols>" : "");
}

static int end_sheet(struct workbook *workbook, struct err *err)
{
    struct buf xml = BUF_EMPTY;
    char name[64];
    int done;

    if (!workbook->open)
        return 0;
    end_row(workbook);
    buf_puts(&xml, XML_HEAD "<worksheet xmlns=\"" MAIN_NS "\"><sheetViews><sheetView ");
    if (workbook->from_right)
        buf_puts(&xml, "rightToLeft=\"1\" ");
    buf_puts(&xml, "workbookViewId=\"0\"");
    if (workbook->frozen)
        buf_printf(&xml,
                   "><pane ySplit=\"%zu\" topLeftCell=\"A%zu\" activePane=\"bottomLeft\" "
                   "state=\"frozen\"/></sheetView></sheetViews>",
                   workbook->frozen, workbook->frozen + 1);
    else
        buf_puts(&xml, "/></sheetViews>");
    put_columns(workbook, &xml);
    buf_puts(&xml, "<sheetData>");
    buf_put(&xml, workbook->rows.data, workbook->rows.len);
    buf_puts(&xml, "</sheetData>");
    if (workbook->n_merges) {
        buf_printf(&xml, "<mergeCells count=\"%zu\">", workbook->n_merges);
        buf_put(&xml, workbook->merges.data, workbook->merges.len);
        buf_puts(&xml, "</mergeCells>");
    }
    buf_puts(&xml, "</worksheet>");
    snprintf(name, sizeof name, "xl/worksheets/sheet%zu.xml", workbook->n_sheets);
    done = xml.failed || workbook->rows.failed || workbook->merges.failed
               ? err_set(err, ERR_LIMIT_EXCEEDED, "the sheet is too large")
               : package_part(workbook->package, name, xml.data, xml.len, false, err);
    buf_free(&xml);
    workbook->open = false;
    workbook->rows.len = workbook->merges.len = 0;
    workbook->n_rows = workbook->n_merges = workbook->frozen = 0;
    workbook->from_right = false;
    memset(workbook->widths, 0, sizeof workbook->widths);
    return done;
}

/* Writes a sheet's name by the rules of 18.2.19, and without what Excel refuses. */
static void put_name(const char *name, struct buf *xml)
{
    size_t characters = 0, from = strspn(name, "'");

    for (size_t i = from; name[i]; i++) {
        bool begins = ((unsigned char) name[i] & 0xc0) != 0x80;

        characters += begins;
        if (characters > NAME)
            break;
        xml_text(xml, strchr("[]:*?/\\", name[i]) ? "-" : &name[i], 1);
    }
}

int workbook_sheet(struct workbook *workbook, const char *name, struct err *err)
{
    if (end_sheet(workbook, err) < 0)
        return -1;
    if (workbook->n_sheets == WORKBOOK_SHEETS)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the workbook would have more than %d sheets: choose fewer pages, or one "
                       "sheet for all tables",
                       WORKBOOK_SHEETS);
    workbook->n_sheets++;
    workbook->open = true;
    buf_puts(&workbook->sheets, "<sheet name=\"");
    put_name(name, &workbook->sheets);
    buf_printf(&workbook->sheets, "\" sheetId=\"%zu\" r:id=\"rId%zu\"/>", workbook->n_sheets,
               workbook->n_sheets);
    buf_printf(&workbook->rels,
               "<Relationship Id=\"rId%zu\" Type=\"" RELATION "worksheet\" "
               "Target=\"worksheets/sheet%zu.xml\"/>",
               workbook->n_sheets, workbook->n_sheets);
    buf_printf(&workbook->types,
               "<Override PartName=\"/xl/worksheets/sheet%zu.xml\" ContentType=\"" MAIN_TYPE
               "worksheet+xml\"/>",
               workbook->n_sheets);
    return 0;
}

bool workbook_row(struct workbook *workbook)
{
    if (workbook->n_rows == WORKBOOK_ROWS)
        return false;
    end_row(workbook);
    workbook->n_rows++;
    buf_printf(&workbook->rows, "<row r=\"%zu\">", workbook->n_rows);
    workbook->row_open = true;
    return true;
}

size_t workbook_rows(const struct workbook *workbook)
{
    return workbook->n_rows;
}

/* Writes "A1": columns count from A to Z, AA, AB and so on. */
static void put_reference(size_t column, size_t row, struct buf *xml)
{
    char letters[8];
    size_t n = sizeof letters;

    letters[--n] = '\0';
    for (column++; column > 0; column = (column - 1) / 26)
        letters[--n] = (char) ('A' + (column - 1) % 26);
    buf_printf(xml, "%s%zu", letters + n, row);
}

static void put_cell_text(const char *text, size_t n, struct buf *xml)
{
    size_t characters = 0, from = 0;

    for (size_t i = 0; i <= n; i++) {
        bool ends = i == n || characters == WORKBOOK_TEXT;

        if (ends || text[i] == '\n') {
            xml_text(xml, text + from, i - from);
            buf_puts(xml, ends ? "" : "&#10;");
            from = i + 1;
        }
        if (ends)
            return;
        characters += ((unsigned char) text[i] & 0xc0) != 0x80;
    }
}

void workbook_cell(struct workbook *workbook, size_t column, const char *text, size_t n,
                   const struct value *value, const struct cell_style *style)
{
    struct buf *xml = &workbook->rows;
    size_t number = styles_find(&workbook->styles, style);

    if (!workbook->row_open || column >= WORKBOOK_COLUMNS)
        return;
    buf_puts(xml, "<c r=\"");
    put_reference(column, workbook->n_rows, xml);
    buf_putc(xml, '"');
    if (number)
        buf_printf(xml, " s=\"%zu\"", number);
    if (n == 0) {
        buf_puts(xml, "/>");
    } else if (value->kind == VALUE_TEXT) {
        buf_puts(xml, " t=\"inlineStr\"><is><t xml:space=\"preserve\">");
        put_cell_text(text, n, xml);
        buf_puts(xml, "</t></is></c>");
    } else {
        buf_printf(xml, "><v>%.15g</v></c>", value->number);
    }
}

void workbook_merge(struct workbook *workbook, size_t column, size_t columns, size_t rows)
{
    struct buf *xml = &workbook->merges;

    if (column + columns > WORKBOOK_COLUMNS || workbook->n_rows + rows - 1 > WORKBOOK_ROWS)
        return;
    buf_puts(xml, "<mergeCell ref=\"");
    put_reference(column, workbook->n_rows, xml);
    buf_putc(xml, ':');
    put_reference(column + columns - 1, workbook->n_rows + rows - 1, xml);
    buf_puts(xml, "\"/>");
    workbook->n_merges++;
}

void workbook_width(struct workbook *workbook, size_t column, float points)
{
    if (column < WIDE && points > workbook->widths[column])
        workbook->widths[column] = points;
}

void workbook_from_right(struct workbook *workbook)
{
    workbook->from_right = true;
}

void workbook_freeze(struct workbook *workbook, size_t rows)
{
    workbook->frozen = rows;
}

static int put_part(struct workbook *workbook, const char *name, struct buf *xml, struct err *err)
{
    int done = xml->failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the workbook is too large")
                           : package_part(workbook->package, name, xml->data, xml->len, false, err);

    buf_free(xml);
    return done;
}

static int put_types(struct workbook *workbook, struct err *err)
{
    struct buf xml = BUF_EMPTY;

    buf_puts(&xml, XML_HEAD
             "<Types xmlns=\"" TYPES_NS "\">"
             "<Default Extension=\"rels\" ContentType=\"application/"
             "vnd.openxmlformats-package.relationships+xml\"/>"
             "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
             "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" MAIN_TYPE
             "sheet.main+xml\"/><Override PartName=\"/xl/styles.xml\" ContentType=\"" MAIN_TYPE
             "styles+xml\"/>");
    buf_put(&xml, workbook->types.data, workbook->types.len);
    buf_puts(&xml, "</Types>");
    return put_part(workbook, "[Content_Types].xml", &xml, err);
}

static int put_workbook(struct workbook *workbook, struct err *err)
{
    struct buf xml = BUF_EMPTY;

    buf_puts(&xml, XML_HEAD "<workbook xmlns=\"" MAIN_NS "\" " XML_R "><sheets>");
    buf_put(&xml, workbook->sheets.data, workbook->sheets.len);
    buf_puts(&xml, "</sheets></workbook>");
    return put_part(workbook, "xl/workbook.xml", &xml, err);
}

static int put_rels(struct workbook *workbook, struct err *err)
{
    struct buf package = BUF_EMPTY;
    int done;

    buf_puts(&package, "<Relationship Id=\"rId1\" Type=\"" RELATION "officeDocument\" "
                       "Target=\"xl/workbook.xml\"/>");
    done = package_rels(workbook->package, "_rels/.rels", &package, err);
    buf_free(&package);
    if (done < 0)
        return -1;
    buf_printf(&workbook->rels,
               "<Relationship Id=\"rId%zu\" Type=\"" RELATION "styles\" Target=\"styles.xml\"/>",
               workbook->n_sheets + 1);
    return package_rels(workbook->package, "xl/_rels/workbook.xml.rels", &workbook->rels, err);
}

int workbook_end(struct workbook *workbook, struct err *err)
{
    struct buf styles = BUF_EMPTY;

    if (end_sheet(workbook, err) < 0 || put_types(workbook, err) < 0 ||
        put_workbook(workbook, err) < 0 || put_rels(workbook, err) < 0)
        return -1;
    styles_write(&workbook->styles, &styles);
    if (put_part(workbook, "xl/styles.xml", &styles, err) < 0)
        return -1;
    return package_end(workbook->package, err);
}
