/* field_look: appearances of form fields, made from their values (ISO 32000-2, 12.7.4.3). */
#pragma once

#include "pdf/obj.h"
#include "pdf_forms/field_painter.h"

enum field_look {
    FIELD_LOOK_KEPT,    /* the widget has an appearance that is to be used, or nothing to show */
    FIELD_LOOK_MADE,    /* it was given one, as its /AP */
    FIELD_LOOK_PAINTED, /* the painter drew its value: field_look_give makes the appearance */
    FIELD_LOOK_FAILED,  /* it has a value to show, which cannot be drawn here */
};

/*
 * Gives a widget annotation a normal appearance where `asked` (the form's /NeedAppearances), where
 * it has none, and where the one it has draws nothing. Text and choices are written in the font of
 * their default appearance, or in a standard font where that lacks a character. What neither has is
 * drawn by the painter, which may be NULL; *picture is its number there. A value that cannot be
 * drawn is FIELD_LOOK_FAILED, and so is one that the job has no effort left for (base/effort.h).
 * `form` is the document's /AcroForm, or null.
 */
enum field_look field_look_make(struct obj widget, struct obj form, bool asked,
                                struct field_painter *painter, size_t *picture);
/* Makes the appearance of a widget that was FIELD_LOOK_PAINTED. */
void field_look_give(struct obj widget, struct obj picture);
