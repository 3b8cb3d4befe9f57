/* xlsx: the tables of a document as a workbook (reflow/writer.h). */
#pragma once

#include "reflow/writer.h"

enum xlsx_layout {
    XLSX_TABLES, /* a sheet for each table; one that goes on over pages is one */
    XLSX_PAGES,  /* a sheet for each page, with its tables one below the other */
    XLSX_ONE,    /* all tables in one sheet */
    XLSX_ALL     /* a sheet for each page, with its text too */
};

struct xlsx;

/* The file at `path`, borrowed, which is there. NULL: there is no memory. */
struct xlsx *xlsx_new(const char *path, enum xlsx_layout layout, struct err *err);
void xlsx_free(struct xlsx *xlsx);
struct writer xlsx_writer(struct xlsx *xlsx);
/* How many tables there were. Where there are none the workbook has the text. */
size_t xlsx_tables(const struct xlsx *xlsx);
