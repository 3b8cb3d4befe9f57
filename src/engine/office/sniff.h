/*
 * sniff: detects a document's format by its content, whatever its name, before LibreOffice reads
 * it: LibreOffice itself accepts nearly any bytes as some document.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "engine/office/kit.h"

enum sniff_form {
    SNIFF_OOXML, /* docx, xlsx, pptx and similar: a ZIP file */
    SNIFF_ODF,   /* odt, ods, odp: a ZIP file */
    SNIFF_FLAT,  /* fodt, fods, fodp: one XML file */
    SNIFF_XML,   /* Word 2003 XML, SpreadsheetML 2003 */
    SNIFF_OLE,   /* doc, xls, ppt, and encrypted OOXML */
    SNIFF_RTF,
    SNIFF_PLAIN, /* txt or csv, as the tool requires */
};

struct sniff {
    enum sniff_form form;
    enum kit_type type;
    const char *extension; /* the extension that LibreOffice expects */
    bool encrypted;        /* a password is needed to read it; false may be wrong */
    bool has_text;         /* true only if text was found; detection is simple */
};

/*
 * Checks an input for a tool that makes PDFs of `want`. ERR_UNSUPPORTED_FILE_TYPE if it is not a
 * document or belongs to another tool, ERR_CORRUPT_FILE, ERR_LIMIT_EXCEEDED for bombs,
 * ERR_UNSUPPORTED_CONTENT for an unsupported encryption.
 */
int sniff_classify(const struct tool_input *input, enum kit_type want, struct sniff *out,
                   struct err *err);
