/* xml_tag: goes through the tags of a part of a document (XML in UTF-8), without checking them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct xml_tag {
    const char *begin, *end; /* from "<" to after ">" */
    const char *name;        /* without the prefix of its namespace */
    size_t name_bytes;
    bool closing, empty; /* "</name>", "<name/>" */
};

/* Goes to the next tag after tag->end, up to `end`; comments and instructions are left out. Returns
 * false after the last tag. At the start `tag` is zero but for `end`, where the reading begins. */
bool xml_tag_next(struct xml_tag *tag, const char *end);
bool xml_tag_is(const struct xml_tag *tag, const char *name);
/* The value of an attribute, n bytes as they are written; the prefix of its name may be any. NULL
 * if the tag has no such attribute. */
const char *xml_tag_attribute(const struct xml_tag *tag, const char *name, size_t *n);
