/* redact_frame: a content stream that is being edited; for the files of this folder. */
#pragma once

#include "engine/redact/redact_edit.h"
#include "syntax/pdf/lex.h"

struct redact_state {
    struct redact_matrix ctm;
    double tc, tw, tz, tl, ts, size; /* the text state (9.3); tz: 1 for 100 % */
    pdf_font_desc *font;
    bool unseen; /* text is neither filled nor stroked */
};

/* Marked content that is open (14.6). */
struct redact_mark {
    size_t begin, end; /* its property list in `out`, if it is not a name; else 0 and 0 */
    int64_t mcid;      /* -1: none */
    bool removed;      /* glyphs in it were removed */
    bool replaced;     /* another text replaces what it shows (14.9.4) */
};

#define REDACT_NO_PATH SIZE_MAX

struct redact_frame {
    struct redact_edit *edit;
    struct obj resources;      /* borrowed */
    struct obj own;            /* a copy of it with other resources, if some have changed */
    struct redact_matrix base; /* the transformation with which the content begins */
    struct redact_state now, *saved;
    size_t n_saved, cap_saved;
    struct redact_matrix tm, tlm; /* the text and the text line matrix */
    struct lex lex;
    const unsigned char *copied; /* what lies before it is in `out` */
    struct lex_token *operands;
    size_t n, cap;
    struct buf out;
    bool changed;
    struct redact_mark *marks;
    size_t n_marks, cap_marks;
    size_t path; /* where the path that is being made begins in `out`, or REDACT_NO_PATH */
    double path_box[4], path_at[2]; /* around it; and its last point */
    bool clips;                     /* the path becomes a clip */
    bool last_removed;              /* of the glyph before */
    double moved;    /* how far the text that follows is moved already, on the page */
    int64_t parents; /* the content's key in the tree of structure parents (14.7.4.4); -1: none */
};

/* The number that is operand i from the first one; 0 if it is not one. */
double redact_frame_number(const struct redact_frame *f, size_t i);
/* Decodes an operand that is a name to "/Name"; false if it is not a short name. */
#define REDACT_NAME 256
bool redact_frame_name(const struct redact_frame *f, size_t i, char name[static REDACT_NAME]);
/* The resources with which the content is read. Borrowed. */
struct obj redact_frame_resources(const struct redact_frame *f);
/* The resource of a category that the operand i names; null if there is none. */
struct obj redact_frame_resource(const struct redact_frame *f, const char *category, size_t i);
/* Adds a resource; its name becomes `name`. */
void redact_frame_add(struct redact_frame *f, const char *category, struct obj value,
                      char name[static REDACT_NAME]);
/* The same under a name that is given; and removes a name. */
void redact_frame_add_as(struct redact_frame *f, const char *category, struct obj value,
                         const char *name);
void redact_frame_forget(struct redact_frame *f, const char *category, const char *name);
/* Copies what was read so far without the operator that is being read, which ends at lex.at and
 * begins with its first operand, and counts it as copied, too. */
void redact_frame_replace(struct redact_frame *f);
/* Copies what was read so far up to a byte. */
void redact_frame_copy_until(struct redact_frame *f, const unsigned char *end);
/* Copies what was read so far, with the operator. */
void redact_frame_copy(struct redact_frame *f);
/* Appends a number. */
void redact_frame_put(struct buf *out, double number);
struct redact_matrix redact_frame_matrix(struct obj holder, const char *key);
