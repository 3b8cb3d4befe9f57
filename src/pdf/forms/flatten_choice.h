/* flatten_choice: which annotations of a page become part of its content (ISO 32000-2, 12.5.6). */
#pragma once

#include <stdbool.h>

#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

/* Numbers of what became content. */
struct flatten_counts {
    size_t fields, annotations;
};

struct flatten_options {
    bool fields;      /* form fields */
    bool annotations; /* what is drawn besides fields: comments, stamps, markings */
    /* object numbers of the widgets (obj_id) that become content; NULL: all */
    const struct key_map *only;
    struct flatten_counts *counts; /* is added to; may be NULL */
};

enum flatten_choice {
    FLATTEN_STAYS,   /* the annotation is not asked for, or does something when it is used */
    FLATTEN_UNDRAWN, /* it is asked for, and stays, because it has no appearance of its own */
    FLATTEN_GOES,    /* it becomes content, or disappears because it is not visible */
    FLATTEN_BELONGS, /* the window of a comment that goes */
};

enum flatten_choice flatten_choose(const struct flatten_options *options, struct obj annot);
/* Whether the annotation is a widget of a form field. */
bool flatten_is_widget(struct obj annot);
/* Whether the annotation is neither hidden nor only printed. */
bool flatten_is_visible(struct obj annot);
/* Whether the annotation has a text that its appearance does not show. */
bool flatten_has_comment(struct obj annot);
