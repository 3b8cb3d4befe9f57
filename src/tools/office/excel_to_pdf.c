/* excel-to-pdf: spreadsheets. */
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "engine/office/convert.h"
#include "engine/office/flat.h"

static const char *const fits[] = { "none", "width", "page", NULL };
static const char *const orientations[] = { "portrait", "landscape", NULL };

static const struct param params[] = {
    CONVERT_PARAMS,
    TEXT(struct convert_options, sheets,
         "Which sheets, by name or number, separated by commas; a name with a comma between double "
         "quotes.",
         .min = 1, .max = 2000),
    CHOICE(struct convert_options, fit,
           "none: as the sheet says. width: as many columns to a page as there are. page: a sheet "
           "to a page.",
           .preset = "none", .choices = fits),
    CHOICE(struct convert_options, orientation, "Of all pages, whatever the sheets say.",
           .choices = orientations),
    CHOICE(struct convert_options, paper, "Of all pages, whatever the sheets say.",
           .choices = flat_papers),
    BOOL(struct convert_options, singlePageSheets,
         "Whether each sheet becomes one page as large as it takes.", .preset = "false"),
    BOOL(struct convert_options, hiddenSheets, "Whether hidden sheets are there too.",
         .preset = "false"),
    CONVERT_ENCODING,
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return convert_office(run, KIT_SHEET, values, err);
}

const struct tool tool_excel_to_pdf = {
    .name = "excel-to-pdf",
    .summary = "Makes a PDF of a spreadsheet: xlsx, xls, ods or csv.",
    .accepts = { "zip", "ole", "text", "biff" },
    .accepts_text = "xlsx, xls, ods or csv",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct convert_options),
    .rule = &rule_excel_to_pdf,
    .run = run,
    .threads = true,
};
