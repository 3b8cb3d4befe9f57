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

/* The parameters `ocr` and `language` of the tools that read scans: members `const char *ocr` and
 * `const char *language` of `type`. Such a tool has the transcriber CONVERT_TRANSCRIBER, and does
 * not look at them itself. */
#define CONVERT_OCR(type)                                                                          \
    CHOICE(type, ocr,                                                                              \
           "Scanned pages. auto: those without text are recognised; off: they stay pictures; "     \
           "force: all pages are recognised, and text that they have is not used.",                \
           .preset = "auto", .choices = convert_ocr),                                              \
        LANGUAGES(type, language,                                                                  \
                  "The languages of scanned text, joined by + (deu+eng), or auto: found page by "  \
                  "page.",                                                                         \
                  .preset = "auto")

#define CONVERT_TRANSCRIBER "transcribe"

extern const char *const convert_headers[];
extern const char *const convert_ocr[];

struct convert_options {
    const char *password;        /* or NULL */
    const char *pages;           /* a page list */
    bool exact;                  /* paragraphs keep their places, and nothing needs to flow */
    bool pictures;               /* what is neither text nor table is wanted, as pictures */
    bool bare;                   /* the document is described: of pictures only their places */
    bool unread;                 /* no page is read: only the document is described */
    bool links;                  /* of pages only links and fields are read */
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
 * text_layer_poor for pictures whose text layer does not fit them,
 * simplified_layout for pages whose text could not be placed, page_damaged, unreadable_text,
 * text_clipped, headers_only for pages of which nothing is left without headers and footers. Errors
 * are those of mupdf_document_open, page_list_resolve and the writer.
 */
int convert_document(struct tool_run *run, const struct convert_options *options,
                     const struct writer *writer, size_t *n_pages, struct err *err);
