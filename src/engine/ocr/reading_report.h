/* reading_report: what became of the pages that were to be recognised, as figures, lists and rows
 * of a job's report, and as warnings. */
#pragma once

#include "engine/ocr/page_processes.h"

size_t reading_report_count(const struct page_result *pages, size_t n, enum page_outcome outcome);
/* Adds a row of the report for each page; in a long document, for pages next to one another that
 * fared alike. */
void reading_report_rows(struct tool_run *run, const struct page_result *pages, size_t n_pages);
/* Adds these rows, and all else. */
void reading_report_make(struct tool_run *run, const struct page_result *pages, size_t n);
