/* field_inherited: what a form field has from the fields above it (ISO 32000-2, 12.7.4.1). */
#pragma once

#include "pdf/object/obj.h"

/* The value of a key of the widget, of the fields above it, or of the form (the document's
 * /AcroForm; null or OBJ_NONE: not of it). Null if none has it. */
struct obj field_inherited(struct obj widget, struct obj form, const char *key);
/* The same for an integer; 0 if there is none. */
long long field_inherited_int(struct obj widget, struct obj form, const char *key);
