/* form_list: the fields of a form as JSON; docs/tools.md describes it for those who read it. */
#pragma once

#include "base/err.h"
#include "pdf/form_data/form_fields.h"

/* Writes the fields to an existing file. ERR_LIMIT_EXCEEDED, ERR_STORAGE_FULL. */
int form_list_write(const struct form_fields *fields, struct pdf_doc *doc, const char *path,
                    struct err *err);
