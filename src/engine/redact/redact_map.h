/* redact_map: what single codes of a font mean if that is longer than what MuPDF reads of a map to
 * Unicode (ISO 32000-2, 9.10.3): more than eight units of UTF-16. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/object/obj.h"

#define REDACT_MAP_TEXT 64 /* units of UTF-16 of one code, at most */

struct redact_map {
    struct redact_map_entry {
        uint32_t code;
        size_t n_code; /* its bytes: 1 to 4 */
        uint16_t *text;
        size_t n; /* units of UTF-16 */
    } * items;
    size_t n, cap;
};

/* Reads the long entries of a map; of what is not a stream or is damaged, none or some. False when
 * out of memory. */
bool redact_map_read(struct redact_map *map, struct obj stream);
/* What the code at the beginning of bytes means: NULL if the map does not say. */
const struct redact_map_entry *redact_map_find(const struct redact_map *map, const char *bytes,
                                               size_t n);
void redact_map_free(struct redact_map *map);
