/* xlsx: writes the tables of a document as a workbook (layout/page/writer.h). */
#pragma once

#include "layout/page/writer.h"

enum xlsx_layout {
    XLSX_TABLES, /* one sheet for each table, even if it continues over pages */
    XLSX_PAGES,  /* one sheet for each page, with its tables one below the other */
    XLSX_ONE,    /* all tables in one sheet */
    XLSX_ALL     /* one sheet for each page, with its tables and text */
};

struct xlsx;

/* Opens the existing file at `path`, which is borrowed. NULL: out of memory. */
struct xlsx *xlsx_new(const char *path, enum xlsx_layout layout, struct err *err);
void xlsx_free(struct xlsx *xlsx);
/* The writer to give to the reader of the document (layout/page/writer.h); it borrows `xlsx`. */
struct writer xlsx_writer(struct xlsx *xlsx);
/* The number of tables. Without any, the workbook contains the text. */
size_t xlsx_tables(const struct xlsx *xlsx);
