#include "engine/office_text/slides.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/office_parts/rels.h"
#include "engine/office_parts/xml_tag.h"

#define PART_BYTES (64U << 20)

/* The value of r:id: sldId has an id without a prefix, too (19.2.1.33). */
static const char *relationship_of(const struct xml_tag *tag, size_t *n)
{
    static const char name[] = ":id=\"";
    const char *at = memmem(tag->begin, (size_t) (tag->end - tag->begin), name, 5);
    const char *quote = at ? memchr(at + 5, '"', (size_t) (tag->end - at) - 5) : NULL;

    if (!quote)
        return NULL;
    *n = (size_t) (quote - at) - 5;
    return at + 5;
}

static int add_slide(struct slides *slides, const char *target, size_t n, struct err *err)
{
    AUTO_BUF struct buf name = BUF_EMPTY;

    if (n > 0 && *target != '/')
        buf_puts(&name, "ppt/");
    buf_put(&name, *target == '/' ? target + 1 : target, *target == '/' ? n - 1 : n);
    if (!LIST_ROOM(slides->names, slides->n, slides->cap) || name.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    slides->names[slides->n] = buf_take(&name);
    return slides->names[slides->n++] ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

static int add_by_id(struct slides *slides, const struct buf *rels, const char *id, size_t n,
                     struct err *err)
{
    struct xml_tag tag = { .end = buf_text(rels) };
    const char *end = tag.end + rels->len;

    while (xml_tag_next(&tag, end)) {
        size_t id_n = 0, target_n = 0;
        const char *found = xml_tag_attribute(&tag, "Id", &id_n);
        const char *target = xml_tag_attribute(&tag, "Target", &target_n);

        if (found && target && target_n > 1 && id_n == n && memcmp(found, id, n) == 0)
            return add_slide(slides, target, target_n, err);
    }
    return 0;
}

int slides_list(struct zip *zip, struct slides *slides, struct err *err)
{
    AUTO_BUF struct buf rels = BUF_EMPTY, list = BUF_EMPTY;
    struct xml_tag tag;
    const char *end;

    if (zip_read(zip, "ppt/presentation.xml", PART_BYTES, &list, err) < 0 ||
        zip_read(zip, "ppt/_rels/presentation.xml.rels", RELS_BYTES, &rels, err) < 0)
        return -1;
    tag = (struct xml_tag){ .end = buf_text(&list) };
    end = tag.end + list.len;
    while (xml_tag_next(&tag, end)) {
        size_t n = 0;
        const char *id = xml_tag_is(&tag, "sldId") ? relationship_of(&tag, &n) : NULL;

        if (id && add_by_id(slides, &rels, id, n, err) < 0)
            return -1;
    }
    return 0;
}

bool slides_is_hidden(const struct buf *part)
{
    struct xml_tag tag = { .end = buf_text(part) };
    size_t n = 0;
    const char *value;

    if (!xml_tag_next(&tag, tag.end + part->len))
        return false;
    value = xml_tag_attribute(&tag, "show", &n);
    return value && ((n == 1 && *value == '0') || (n == 5 && memcmp(value, "false", 5) == 0));
}

void slides_free(struct slides *slides)
{
    for (size_t i = 0; i < slides->n; i++)
        free(slides->names[i]);
    free(slides->names);
    *slides = (struct slides){ 0 };
}
