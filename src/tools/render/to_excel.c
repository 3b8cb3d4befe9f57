/* to-excel: the tables of a PDF as a workbook, with numbers that are numbers. */
#include <string.h>

#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/xlsx/xlsx.h"

struct params {
    const char *pages;
    const char *sheets;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

/* In the order of enum xlsx_layout. */
static const char *const sheets[] = { "tables", "pages", "one", "all", NULL };

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(struct params, sheets,
           "tables: a sheet for each table; pages: a sheet for each page that has tables; one: all "
           "tables in one sheet; all: a sheet for each page, with its text too.",
           .preset = "tables", .choices = sheets),
    CONVERT_OCR(struct params),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int convert_to_xlsx(struct tool_run *run, const struct params *p, struct xlsx *xlsx,
                           struct err *err)
{
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->pages,
                                       .fields = PAGE_FIELDS_BOXES,
                                       .headers = SURVEY_HEADERS_DROP };
    struct writer writer = xlsx_writer(xlsx);
    size_t n_pages;

    if (convert_document(run, &options, &writer, &n_pages, err) < 0)
        return -1;
    if (xlsx_tables(xlsx) == 0)
        tool_warn(run, "no_tables",
                  "no table was found: the workbook has the text, a row for each "
                  "paragraph");
    tool_figure(run, "tables", (int64_t) xlsx_tables(xlsx));
    return tool_done(run, n_pages, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    enum xlsx_layout layout = XLSX_TABLES;
    struct xlsx *xlsx;
    int done;

    while (strcmp(sheets[layout], p->sheets) != 0)
        layout++;
    xlsx = xlsx_new(run->output, layout, err);
    done = xlsx ? convert_to_xlsx(run, p, xlsx, err) : -1;
    xlsx_free(xlsx);
    return done;
}

const struct tool tool_to_excel = {
    .name = "to-excel",
    .summary = "Makes a workbook of the tables in a PDF: numbers, dates and amounts as values.",
    .accepts = { "pdf" },
    .gives = "xlsx",
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .transcriber = CONVERT_TRANSCRIBER,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
