/*
 * tagging: runs a page into a text device, puts replacement text (ActualText) in place of what its
 * marked content shows, and records what the marked content of each character says: its place in
 * the structure, its language, and how sure it is that recognised text is right. MuPDF does not
 * pass marked content to devices, so the interpreter's operators are intercepted.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_text/replacement_text.h"
#include "engine/page_text/struct_tree.h"
#include <stdbool.h>

#define TAGGING_DEEPEST 64 /* limit of marked content within each other that is known */
#define TAGGING_ALL     "" /* the usage for which all layers are visible */

/* The key of marked content that says how sure it is that recognised text is right, in percent
 * (pdf/text_layer/text_layer.h). */
#define TAGGING_SURE "PLTN_Sure"

/* What the marked content of characters says. */
struct tagging_mark {
    int mcid;         /* -1: none */
    uint8_t language; /* number of the page's languages, or 0 */
    uint8_t doubt;    /* as that of struct glyph */
};

struct tagging {
    char usage[sizeof "View"]; /* of the page's content, as the interpreter gets it */
    fz_stext_page *text;
    bool any;                       /* some text was replaced */
    bool tagged;                    /* the document has a structure */
    const struct struct_tree *tree; /* of the document; borrowed */
    int page;                       /* object number of the page */
    /* set while the text is replaced, so that it does not matter whether it can be read; borrowed
     */
    bool *quiet;
    struct tagging_end { /* the last character of one text operator */
        const fz_stext_char *last;
        struct tagging_mark mark;
    } * ends;
    size_t n, cap;
    size_t at; /* position of tagging_next */

    /* Private to tagging.c. */
    struct tagging_open {
        int mcid; /* -1: it has no number */
        uint8_t language, doubt;
        bool stated;                 /* one of these two */
    } open[TAGGING_DEEPEST];         /* the marked content that is open */
    struct language_tags *languages; /* of the page; borrowed */
    size_t n_open;
    pdf_obj *replacement; /* the text of the outermost marked content that has one; or NULL */
    bool expansion;       /* it is an expansion (/E) */
    size_t replaced;      /* n_open within it */
    struct replacement_start start;
    /* the element of the structure tree that the replacement is of, or NULL; how many of its marked
     * contents are still to come */
    const struct struct_tree_text *element;
    size_t n_rest;
    /* the interpreter's own functions */
    __typeof__(((pdf_processor *) 0)->op_BMC) begin;
    __typeof__(((pdf_processor *) 0)->op_BDC) begin_listed;
    __typeof__(((pdf_processor *) 0)->op_EMC) end;
};

/* Puts a device of the tagging in front of *device (hook_device.h), a text device that writes to
 * `text`. `page`: the object number of the page. May throw. */
void tagging_push(fz_context *ctx, fz_device **device, struct tagging *tagging, fz_stext_page *text,
                  const struct struct_tree *tree, int page, struct language_tags *languages,
                  bool *quiet);
/* Layers that are off are run, too. To be called after tagging_push. */
void tagging_show_all(struct tagging *tagging);
/* Runs the page's contents without annotations; throws as fz_run_page does. */
void tagging_run(fz_context *ctx, struct tagging *tagging, pdf_page *page, fz_device *device,
                 fz_cookie *cookie);
/* What the marked content of the next character in the page's order says. */
struct tagging_mark tagging_next(struct tagging *tagging, const fz_stext_char *c);
void tagging_free(struct tagging *tagging);
