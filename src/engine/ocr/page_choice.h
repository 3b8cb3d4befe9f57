/* page_choice: which pages are recognised, and at which resolution. */
#pragma once

#include "engine/ocr/page_processes.h"

enum page_choice_mode {
    PAGE_CHOICE_MISSING, /* pages without text */
    PAGE_CHOICE_REDO,    /* these, and those with a layer of text that is not seen */
    PAGE_CHOICE_FORCE,   /* all pages that have more than text whose characters are known */
};

struct page_choice {
    enum page_choice_mode mode;
    const char *pages; /* as the client names them */
    double dpi;        /* 0: that of the pages' pictures */
    bool faults;       /* whether the layers of pages that are not wanted are measured */
};

/* Sets outcome and dpi, and the fault of layers if that is wanted, of all pages of the document
 * (doc->n_pages results): a page is wanted if it is among those the client names, and the mode
 * wants it. ERR_PAGE_OUT_OF_RANGE. */
int page_choice_make(const struct page_choice *choice, struct mupdf_document *doc,
                     struct page_result *pages, struct err *err);
