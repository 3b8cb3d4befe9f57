/* convert: converts an office document to a PDF: the implementation of the three tools. */
#pragma once

#include "declare/tool/param.h"
#include "declare/tool_run/run.h"
#include "engine/office/encoding.h"
#include "engine/office/kit.h"
#include "sandbox/zygote/zygote.h"

struct convert_options {
    const char *inputPassword, *pages, *pdfa;
    bool tagged, bookmarks;
    int64_t imageQuality, maxImageDpi;
    /* of plain text; NULL: guessed */
    const char *encoding;
    /* for text documents */
    const char *trackChanges, *fields;
    /* for spreadsheets */
    const char *sheets, *fit, *orientation, *paper;
    bool singlePageSheets, hiddenSheets;
    /* for presentations */
    const char *notes;
    bool hiddenSlides;
};

extern const char *const convert_pdfa[]; /* choices */

/* The parameters that all three tools have. */
#define CONVERT_PARAMS                                                                             \
    SECRET(struct convert_options, inputPassword, "The password that opens the document.",         \
           .max = 1000),                                                                           \
        PAGES(struct convert_options, pages, "Which pages of the result are kept."),               \
        CHOICE(struct convert_options, pdfa,                                                       \
               "PDF for archives: 1b (PDF 1.4), 2b, or 3b (ISO 19005).", .preset = "none",         \
               .choices = convert_pdfa),                                                           \
        BOOL(struct convert_options, tagged,                                                       \
             "Whether headings, paragraphs and tables are marked for screen readers.",             \
             .preset = "true"),                                                                    \
        BOOL(struct convert_options, bookmarks, "Whether headings become an outline.",             \
             .preset = "true"),                                                                    \
        INT(struct convert_options, imageQuality, "JPEG quality of photographs.", .preset = "90",  \
            .min = 1, .max = 100),                                                                 \
        INT(struct convert_options, maxImageDpi,                                                   \
            "Pictures of a higher resolution are brought down to it.", .preset = "300", .min = 50, \
            .max = 2400)

/* The parameter of those that accept plain text. */
#define CONVERT_ENCODING                                                                           \
    CHOICE(struct convert_options, encoding,                                                       \
           "The character encoding of a txt or csv file. Without it: UTF-8, UTF-16 with a byte "   \
           "order mark, else a guess, which a warning names.",                                     \
           .choices = encoding_names)

/* Converts a tool's only input, which must be a document of the type `want`. */
int convert_office(struct tool_run *run, enum kit_type want, const struct convert_options *options,
                   struct err *err);

/* The system calls and folders that the sandbox must allow in a program with these tools. */
extern const struct sandbox_needs convert_needs;
/* Limit in bytes of the files that a job has in its folder (sandbox/zygote/zygote.h, folder_bytes).
 */
#define CONVERT_FOLDER_BYTES 2000000000
