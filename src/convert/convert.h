/*
 * convert: the course of every conversion into text or an office document. It surveys the document,
 * reads page after page (page_text), lays each out (layout), joins it with the page before, and
 * passes it to a writer.
 */
#pragma once

#include <stdbool.h>

#include "declare/tool_run/run.h"
#include "layout/layout.h"
#include "layout/page/writer.h"

/* The parameter `headers` of the tools that write text: a member `const char *headers` of `type`.
 */
#define CONVERT_HEADERS(type)                                                                      \
    CHOICE(type, headers,                                                                          \
           "drop: headers and footers, which pages repeat, are left out; keep: they are text of "  \
           "their pages.",                                                                         \
           .preset = "drop", .choices = convert_headers)

extern const char *const convert_headers[];

struct convert_options {
    const char *password;        /* or NULL */
    const char *pages;           /* a page list */
    bool exact;                  /* paragraphs keep their places, and nothing needs to flow */
    bool pictures;               /* what is neither text nor table is wanted, as pictures */
    bool bare;                   /* the document is described: of pictures only their places */
    bool unread;                 /* no page is read: only the document is described */
    bool outline;                /* its outline is read (struct document_facts) */
    enum page_fields fields;     /* fields of forms that stay fields instead of becoming pictures */
    enum survey_headers headers; /* what becomes of headers and footers */
    const struct layout_watch *watch; /* looks at each page while it is laid out; or NULL */
};

/* What a value of the parameter means. */
enum survey_headers convert_headers_of(const char *choice);
/*
 * Converts the pages of the run's only input, and sets *n_pages to their number. The caller then
 * ends the run (tool_done, tool_parts_done). Warnings: no_text_layer for pages that are pictures,
 * simplified_layout for pages whose text could not be placed, page_damaged, unreadable_text,
 * headers_only for pages of which nothing is left without headers and footers. Errors are those of
 * mupdf_document_open, page_list_resolve and the writer.
 */
int convert_document(struct tool_run *run, const struct convert_options *options,
                     const struct writer *writer, size_t *n_pages, struct err *err);
