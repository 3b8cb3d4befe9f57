/*
 * sniff: what a document is by its content, whatever it is called, before LibreOffice sees it:
 * LibreOffice itself takes nearly any bytes for some document.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "office/kit.h"
#include "tool/run.h"

enum sniff_form {
    SNIFF_OOXML, /* docx, xlsx, pptx and their kin: a ZIP file */
    SNIFF_ODF,   /* odt, ods, odp: a ZIP file */
    SNIFF_FLAT,  /* fodt, fods, fodp: one XML file */
    SNIFF_OLE,   /* doc, xls, ppt, and encrypted OOXML */
    SNIFF_RTF,
    SNIFF_PLAIN, /* txt or csv, as the tool wants it */
};

struct sniff {
    enum sniff_form form;
    enum kit_type type;
    const char *extension; /* that LibreOffice expects */
    bool encrypted;        /* needs a password to be read at all; false may be a mistake */
    bool has_text;         /* surely: true in documents whose text is easily seen */
};

/*
 * Judges an input for a tool that makes PDFs of `want`. ERR_UNSUPPORTED_FILE_TYPE for what is no
 * document or one for another tool, ERR_CORRUPT_FILE, ERR_LIMIT_EXCEEDED for bombs,
 * ERR_UNSUPPORTED_CONTENT for an encryption nobody can open.
 */
int sniff_judge(const struct tool_input *input, enum kit_type want, struct sniff *out,
                struct err *err);
