#include "engine/office_parts/bookmarks.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/office_parts/xml_tag.h"
#include "engine/office_parts/zip.h"

#define PART_BYTES (256U << 20) /* the most XML that a document may have */

bool bookmarks_in(const char *part)
{
    return strncmp(part, "word/", 5) == 0 && zip_is_xml(part);
}

static void add_names(struct bookmarks *out, const struct buf *part)
{
    struct xml_tag tag = { .end = buf_text(part) };
    const char *end = tag.end + part->len;

    while (xml_tag_next(&tag, end)) {
        size_t n = 0;
        const char *name =
            xml_tag_is(&tag, "bookmarkStart") ? xml_tag_attribute(&tag, "name", &n) : NULL;

        if (!name)
            continue;
        buf_put(&out->names, name, n);
        buf_putc(&out->names, '\0');
        out->n++;
    }
}

static int order(const void *one, const void *other)
{
    return strcmp(*(const char *const *) one, *(const char *const *) other);
}

static int sort_names(struct bookmarks *out, struct err *err)
{
    const char *at = buf_text(&out->names), *end = at + out->names.len;

    out->sorted = out->n ? reallocarray(NULL, out->n, sizeof *out->sorted) : NULL;
    if (out->names.failed || (out->n && !out->sorted))
        return err_set(err, ERR_INTERNAL, "out of memory");
    out->n = 0;
    for (; at < end; at += strlen(at) + 1)
        out->sorted[out->n++] = at;
    if (out->n)
        qsort(out->sorted, out->n, sizeof *out->sorted, order);
    return 0;
}

int bookmarks_read(const char *path, struct bookmarks *out, bool *has_fields, struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);
    const char *name;

    *has_fields = false;
    if (!zip)
        return -1;
    for (size_t i = 0; (name = zip_name(zip, i)); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;

        if (!bookmarks_in(name))
            continue;
        if (zip_read(zip, name, PART_BYTES, &part, err) < 0)
            return -1;
        add_names(out, &part);
        *has_fields = *has_fields || (part.len && (memmem(part.data, part.len, "fldChar", 7) ||
                                                   memmem(part.data, part.len, "fldSimple", 9)));
    }
    return sort_names(out, err);
}

bool bookmarks_have(const struct bookmarks *bookmarks, const char *name)
{
    return bookmarks->n &&
           bsearch(&name, bookmarks->sorted, bookmarks->n, sizeof *bookmarks->sorted, order);
}

void bookmarks_free(struct bookmarks *bookmarks)
{
    buf_free(&bookmarks->names);
    free(bookmarks->sorted);
    *bookmarks = (struct bookmarks){ 0 };
}
