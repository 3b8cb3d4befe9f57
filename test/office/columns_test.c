/* columns: formats of whole columns are left out of the sheets that LibreOffice would print for
 * hours, and of no others. */
#include "engine/office_parts/columns.h"

#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"
#include "engine/office_parts/zip.h"
#include "tap.h"

#define COLUMNS                                                                                    \
    "<cols><col min=\"1\" max=\"2\" width=\"30\" style=\"7\"/>"                                    \
    "<col min=\"3\" max=\"16384\" width=\"9\" style=\"8\"/></cols>"
#define CELLS  "<sheetData><row r=\"1\"><c r=\"A1\" s=\"7\" style=\"9\"/></row></sheetData>"
#define SCALED "<sheetPr><pageSetUpPr fitToPage=\"1\"/></sheetPr>"

static char folder[] = "/tmp/columns.XXXXXX", from[64], to[64];

static void put(zipFile zip, const char *name, const char *text)
{
    if (zipOpenNewFileInZip64(zip, name, NULL, NULL, 0, NULL, 0, NULL, 8, 1, 0) == ZIP_OK)
        zipWriteInFileInZip(zip, text, (unsigned) strlen(text));
    zipCloseFileInZip(zip);
}

static int trim(const char *sheet, bool scaled)
{
    zipFile zip = zipOpen64(from, APPEND_STATUS_CREATE);
    struct err err;

    put(zip, "xl/workbook.xml", "<workbook/>");
    put(zip, "xl/worksheets/sheet1.xml", sheet);
    zipClose(zip, NULL);
    unlink(to);
    return columns_trim(from, to, scaled, &err);
}

/* What the result holds under a name. */
static const char *part(const char *name, struct buf *out)
{
    struct err err;
    AUTO_ZIP struct zip *zip = zip_open(to, &err);

    out->len = 0;
    if (!zip || zip_read(zip, name, 1 << 20, out, &err) != 1)
        return "";
    return buf_text(out);
}

static void check_trimmed(void)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    is_int(trim("<worksheet>" SCALED COLUMNS CELLS "</worksheet>", false), 1,
           "a sheet that is scaled to pages loses the formats of its columns");
    is_str(part("xl/worksheets/sheet1.xml", &out),
           "<worksheet>" SCALED "<cols><col min=\"1\" max=\"2\" width=\"30\"          />"
           "<col min=\"3\" max=\"16384\" width=\"9\"          /></cols>" CELLS "</worksheet>",
           "their widths and the formats of cells stay");
    is_str(part("xl/workbook.xml", &out), "<workbook/>", "and so do the other parts");
    is_int(trim("<worksheet>" COLUMNS CELLS "<drawing r:id=\"r1\"/></worksheet>", false), 1,
           "so does one with drawings");
    is_int(trim("<worksheet>" COLUMNS CELLS "</worksheet>", true), 1,
           "and each if all are going to be scaled");
}

static void check_others(void)
{
    is_int(trim("<worksheet>" COLUMNS CELLS "</worksheet>", false), 0,
           "a sheet that is neither stays as it is");
    ok(access(to, F_OK) < 0, "and nothing is written then");
    is_int(trim("<worksheet>" SCALED "<cols><col min=\"1\" max=\"2\" style=\"7\"/></cols>" CELLS
                "</worksheet>",
                true),
           0, "so does one whose formats do not reach the last column");
    is_int(trim("<worksheet>" SCALED CELLS "</worksheet>", true), 0, "one without columns");
    is_int(trim("<worksheet>" SCALED "<cols><col max=\"16384\" style=\"", true), 0,
           "and one that breaks off within them");
    is_int(trim("", true), 0, "or is empty");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(from, sizeof from, "%s/from", folder);
    snprintf(to, sizeof to, "%s/to", folder);
    check_trimmed();
    check_others();
    unlink(from);
    unlink(to);
    rmdir(folder);
    return done_testing();
}
