/* field_look: appearances of form fields, made from their values (ISO 32000-2, 12.7.4.3). */
#pragma once

#include "pdf/obj.h"

enum field_look {
    FIELD_LOOK_KEPT,   /* the widget has an appearance that is to be used, or nothing to show */
    FIELD_LOOK_MADE,   /* it was given one, as its /AP */
    FIELD_LOOK_FAILED, /* it has a value to show, which cannot be drawn here */
};

/*
 * Gives a widget annotation a normal appearance where `asked` (the form's /NeedAppearances), where
 * it has none, and where the one it has draws nothing. Text and choices are written in
 * WinAnsiEncoding: a value with other characters is FIELD_LOOK_FAILED, and so is one that the job
 * has no effort left for (base/effort.h). `form` is the document's /AcroForm, or null.
 */
enum field_look field_look_make(struct obj widget, struct obj form, bool asked);
