#include "engine/office_parts/chunks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/office_parts/rels.h"
#include "engine/office_parts/xml_tag.h"
#include "engine/office_parts/zip.h"

#define PART_BYTES  (256U << 20) /* the most XML that a document may have */
#define NAMES_BYTES 300

/* Whether the part has an altChunk (ECMA-376-1, 17.17.2.1) with this relationship. */
static bool part_shows(const struct buf *part, const char *id, size_t n)
{
    struct xml_tag tag = { .end = buf_text(part) };
    const char *end = tag.end + part->len;

    while (xml_tag_next(&tag, end)) {
        size_t bytes = 0;
        const char *found = NULL;

        if (!tag.closing && xml_tag_is(&tag, "altChunk"))
            found = xml_tag_attribute(&tag, "id", &bytes);
        if (found && bytes == n && memcmp(found, id, n) == 0)
            return true;
    }
    return false;
}

/* The target of a relationship as the name of a part (ECMA-376-2, 9.3.2). */
static void resolve(const char *folder, const char *target, size_t n, struct buf *name)
{
    if (n > 0 && target[0] == '/') {
        buf_put(name, target + 1, n - 1);
        return;
    }
    buf_puts(name, folder);
    while (n > 3 && target[0] == '.') {
        bool up = memcmp(target, "../", 3) == 0;

        if (!up && target[1] != '/')
            break;
        if (up && name->len)
            name->len--;
        while (up && name->len && name->data[name->len - 1] != '/')
            name->len--;
        target += up ? 3 : 2;
        n -= up ? 3 : 2;
    }
    buf_put(name, target, n);
}

static int add_chunk(struct zip *zip, const char *folder, const char *target, size_t n,
                     struct buf *names, struct err *err)
{
    AUTO_BUF struct buf name = BUF_EMPTY, head = BUF_EMPTY;

    resolve(folder, target, n, &name);
    if (name.failed || zip_read(zip, buf_text(&name), 4, &head, err) < 0)
        return name.failed ? err_set(err, ERR_INTERNAL, "out of memory") : -1;
    if (head.len == 4 && memcmp(head.data, "PK\3\4", 4) == 0)
        return 0;
    if (names->len + name.len + 2 > NAMES_BYTES)
        buf_puts(names, names->len == 0 ? "with a long name" : "");
    else
        buf_printf(names, "%s%s", names->len ? ", " : "", buf_text(&name));
    return 0;
}

/* `rels`: the relationships of the part. */
static int add_chunks(struct zip *zip, const struct buf *rels, const struct buf *part,
                      const char *folder, struct buf *names, struct err *err)
{
    struct xml_tag tag = { .end = buf_text(rels) };
    const char *end = tag.end + rels->len;

    while (xml_tag_next(&tag, end)) {
        size_t type_n, id_n, target_n;
        const char *type = xml_tag_attribute(&tag, "Type", &type_n);
        const char *id = xml_tag_attribute(&tag, "Id", &id_n);
        const char *target = xml_tag_attribute(&tag, "Target", &target_n);

        if (type && id && target && type_n > 8 && memcmp(type + type_n - 8, "/aFChunk", 8) == 0 &&
            part_shows(part, id, id_n) && add_chunk(zip, folder, target, target_n, names, err) < 0)
            return -1;
    }
    return 0;
}

static int look_at(struct zip *zip, const char *rels_name, struct buf *names, struct err *err)
{
    AUTO_BUF struct buf rels = BUF_EMPTY, part = BUF_EMPTY;
    char name[RELS_NAME_BYTES];

    if (!rels_part(rels_name, name))
        return 0;
    if (zip_read(zip, rels_name, RELS_BYTES, &rels, err) < 0)
        return -1;
    zip_drop_nuls(&rels);
    if (rels.len == 0 || !memmem(rels.data, rels.len, "/aFChunk", 8))
        return 0;
    if (zip_read(zip, name, PART_BYTES, &part, err) < 0)
        return -1;
    zip_drop_nuls(&part);
    strrchr(name, '/')[1] = '\0'; /* its folder, from which targets go out */
    return add_chunks(zip, &rels, &part, name, names, err);
}

int chunks_left_out(const char *path, struct buf *names, struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);
    const char *name;

    if (!zip)
        return -1;
    for (size_t i = 0; (name = zip_name(zip, i)); i++)
        if (look_at(zip, name, names, err) < 0)
            return -1;
    return 0;
}
