#include "engine/office_parts/linked.h"

#include <stdbool.h>
#include <string.h>

#include "base/scope.h"
#include "engine/office_parts/rels.h"
#include "engine/office_parts/xml_tag.h"
#include "engine/office_parts/zip.h"

#define PART_BYTES (256U << 20)

static bool same_value(const struct xml_tag *tag, const char *name, const char *value, size_t n)
{
    size_t bytes = 0;
    const char *found = xml_tag_attribute(tag, name, &bytes);

    return found && bytes == n && memcmp(found, value, n) == 0;
}

/* Whether a relationship (ECMA-376-2, 9.3) is one to a picture outside of the document. */
static bool is_outside(const struct buf *rels, const char *id, size_t n)
{
    struct xml_tag tag = { .end = buf_text(rels) };
    const char *end = tag.end + rels->len;

    while (xml_tag_next(&tag, end))
        if (same_value(&tag, "Id", id, n))
            return same_value(&tag, "TargetMode", "External", 8);
    return false;
}

/* A picture (ECMA-376-1, 20.1.8.13; VML: 19.1.2.11) that is only linked. */
static bool is_linked(const struct xml_tag *tag, const struct buf *rels)
{
    bool blip = xml_tag_is(tag, "blip");
    size_t n = 0;
    const char *id;

    if (tag->closing || !(blip || xml_tag_is(tag, "imagedata")))
        return false;
    id = xml_tag_attribute(tag, blip ? "embed" : "id", &n);
    if (!id || n == 0)
        id = xml_tag_attribute(tag, blip ? "link" : "href", &n);
    return id && n > 0 && is_outside(rels, id, n);
}

/* OpenDocument 1.2 part 1, 10.4.4: an address with a scheme. */
static bool is_addressed(const struct xml_tag *tag)
{
    size_t n = 0;
    const char *address = NULL;

    if (!tag->closing && xml_tag_is(tag, "image"))
        address = xml_tag_attribute(tag, "href", &n);
    return address && memmem(address, n, "://", 3);
}

static size_t count(const struct buf *part, const struct buf *rels)
{
    struct xml_tag tag = { .end = buf_text(part) };
    const char *end = tag.end + part->len;
    size_t n = 0;

    while (xml_tag_next(&tag, end))
        n += rels ? is_linked(&tag, rels) : is_addressed(&tag);
    return n;
}

/* Only parts with outside relationships are read. */
static int count_related(struct zip *zip, const char *name, size_t *n, struct err *err)
{
    AUTO_BUF struct buf rels = BUF_EMPTY, part = BUF_EMPTY;
    char path[RELS_NAME_BYTES];

    if (!rels_part(name, path))
        return 0;
    if (zip_read(zip, name, RELS_BYTES, &rels, err) < 0)
        return -1;
    if (!rels.len || !memmem(rels.data, rels.len, "External", 8) ||
        !memmem(rels.data, rels.len, "/image", 6))
        return 0;
    if (zip_read(zip, path, PART_BYTES, &part, err) < 0)
        return -1;
    *n += count(&part, &rels);
    return 0;
}

int linked_pictures(const char *path, size_t *n, struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);
    const char *name;

    *n = 0;
    if (!zip)
        return -1;
    for (size_t i = 0; (name = zip_name(zip, i)); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;

        if (count_related(zip, name, n, err) < 0)
            return -1;
        if (strcmp(name, "content.xml") != 0 && strcmp(name, "styles.xml") != 0)
            continue;
        if (zip_read(zip, name, PART_BYTES, &part, err) < 0)
            return -1;
        *n += count(&part, NULL);
    }
    return 0;
}
