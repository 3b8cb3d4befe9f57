/* field_look: makes appearances of form fields from their values (ISO 32000-2, 12.7.4.3). */
#pragma once

#include "pdf/forms/field_painter.h"
#include "pdf/object/obj.h"

enum field_look {
    FIELD_LOOK_KEPT,    /* the widget has an appearance to be used, or nothing to show */
    FIELD_LOOK_MADE,    /* it was given an appearance, as its /AP */
    FIELD_LOOK_PAINTED, /* the painter drew its value: field_look_give makes the appearance */
    FIELD_LOOK_FAILED,  /* it has a value that cannot be drawn here */
};

/*
 * Gives a widget annotation a normal appearance if `asked` (the form's /NeedAppearances), if it has
 * none, or if the one it has draws nothing. Text and choices are drawn in the font of their default
 * appearance, or in a standard font if that lacks a character. If both do, the painter draws them,
 * which may be NULL; *picture is its number there. A value that cannot be drawn is
 * FIELD_LOOK_FAILED, and so is one for which the job's budget does not suffice (base/effort.h).
 * `form` is the document's /AcroForm, or null.
 */
enum field_look field_look_make(struct obj widget, struct obj form, bool asked,
                                struct field_painter *painter, size_t *picture);
/* Makes the appearance of a widget that was FIELD_LOOK_PAINTED. */
void field_look_give(struct obj widget, struct obj picture);
