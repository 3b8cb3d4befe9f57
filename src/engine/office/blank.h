/* blank: whether a page shows anything. */
#pragma once

#include <stdbool.h>

#include "pdf/object/obj.h"

/* Whether nothing on a page of LibreOffice's can be seen: its content draws nothing, and it has no
 * annotations. False too where the content cannot be read. */
bool blank_page(struct obj page);
