/* page_survey: finds out what a page is made of, without drawing it: text, seen or not, and
 * pictures. */
#pragma once

#include "engine/mupdf/mupdf_document.h"

struct page_survey {
    double width, height; /* as displayed, in points */
    size_t shown, hidden; /* characters that are seen, and that are not (text render mode 3) */
    size_t unreadable;    /* of those that are seen: in texts of which few characters are known */
    double pictures;      /* part of the page that pictures cover, 0 to 1 */
    double dpi;           /* resolution of the picture that covers most; 0: no pictures */
    bool paths;           /* something is filled or stroked */
    bool unread;          /* some of the page could not be read */
};

/* ERR_LIMIT_EXCEEDED for a page that needs too much work. A page that cannot be read is surveyed as
 * far as possible. Must be called by the thread that owns the document. */
int page_survey_make(struct page_survey *survey, struct mupdf_document *doc, size_t page,
                     struct err *err);
