/*
 * redact_proof: proves that removed texts are nowhere in a written document. The document is opened
 * again, by MuPDF and by qpdf: the text of each page is read as MuPDF shows it, and as its content
 * streams have it, visible or not; all strings and names, and all other streams are searched.
 */
#pragma once

#include "declare/tool_run/run.h"
#include "pdf/redact/redact_hits.h"
#include "pdf/redact/redact_words.h"

struct redact_proof {
    const char *path, *password;
    const struct redact_hits *hits;
    struct redact_words *words; /* what must be nowhere outside of the pages */
    struct redact_words *texts; /* what must not be on pages either */
    const bool *pages;          /* by page: whether that holds for it */
    bool everywhere;            /* all pages are among them */
    bool skip_attachments;
    /* By page: set where something is found on it, before ERR_REDACTION_INCOMPLETE is returned; or
     * NULL. */
    bool *failed;
};

/* ERR_REDACTION_INCOMPLETE, with the page and the place, if something is found. */
int redact_proof_check(const struct redact_proof *proof, struct tool_run *run, struct err *err);
