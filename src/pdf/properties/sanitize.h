/* sanitize: removes what a document has besides what it shows, so that nothing of it is left in the
 * file. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pdf/document/doc.h"

/* The kinds, as bits. */
enum sanitize_kind {
    SANITIZE_SCRIPTS,     /* JavaScript, and XFA forms, which have scripts */
    SANITIZE_ACTIONS,     /* all actions but those that go to a page or an address */
    SANITIZE_ATTACHMENTS, /* embedded files */
    SANITIZE_METADATA,    /* Info, XMP, private data of programs */
    SANITIZE_LAYERS,      /* content of layers that are not shown when the document is opened */
    SANITIZE_ANNOTATIONS, /* comments, stamps and all others but links and fields */
    SANITIZE_FORMS,       /* form fields */
    SANITIZE_LINKS,       /* links, and actions that go to addresses */
    SANITIZE_KINDS,
};

/* Removes the kinds whose bits are set; removed[kind] is how many. Signature fields must be emptied
 * before. ERR_LIMIT_EXCEEDED. */
int sanitize_run(struct pdf_doc *doc, uint64_t kinds, size_t removed[static SANITIZE_KINDS],
                 struct err *err);
