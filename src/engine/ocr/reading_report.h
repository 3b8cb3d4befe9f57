/* reading_report: what became of the pages that were to be recognised, as figures, lists and rows
 * of a job's report, and as warnings. */
#pragma once

#include "engine/ocr/page_processes.h"

size_t reading_report_count(const struct page_result *pages, size_t n, enum page_outcome outcome);
/* Adds a row of the report for each page; in a long document, for pages next to one another that
 * fared alike. */
void reading_report_rows(struct tool_run *run, const struct page_result *pages, size_t n_pages);
/* Names the places of text for which there are no words, in a warning, and counts them. */
void reading_report_missed(struct tool_run *run, const struct page_result *pages, size_t n);
/* Adds these rows, and says how sure the words are and what was not read: for tools that search
 * what was read, or lay it out. */
void reading_report_search(struct tool_run *run, const struct page_result *pages, size_t n);
/* Adds these rows, and all else. */
void reading_report_make(struct tool_run *run, const struct page_result *pages, size_t n);
/* Names the pages whose layers do not fit and that have this outcome, with what is wrong, in a
 * warning: `what` and then the pages. */
void reading_report_faults(struct tool_run *run, const struct page_result *pages, size_t n,
                           enum page_outcome outcome, const char *code, const char *what);
