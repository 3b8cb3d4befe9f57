#include "engine/office_parts/chunks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/office_parts/zip.h"

#define RELS_BYTES  (4U << 20)
#define PART_BYTES  (256U << 20) /* the most XML that a document may have */
#define NAMES_BYTES 300
#define NAME_BYTES  1024
#define RELS_FOLDER "/_rels/"

/* The value of an attribute in a tag of n bytes, up to the quote that ends it; NULL: none. */
static const char *attribute(const char *tag, size_t n, const char *name, size_t *bytes)
{
    size_t name_bytes = strlen(name);

    for (size_t i = 1; i + name_bytes < n; i++) {
        size_t at = i + name_bytes;
        const char *end;

        if (!strchr(" \t\r\n", tag[i - 1]) || memcmp(tag + i, name, name_bytes) != 0)
            continue;
        while (at < n && strchr(" \t\r\n=", tag[at]))
            at++;
        if (at == n || (tag[at] != '"' && tag[at] != '\''))
            continue;
        end = memchr(tag + at + 1, tag[at], n - at - 1);
        *bytes = end ? (size_t) (end - tag) - at - 1 : 0;
        return end ? tag + at + 1 : NULL;
    }
    return NULL;
}

/* Whether the part has an altChunk with this relationship. */
static bool part_shows(const struct buf *part, const char *id, size_t n)
{
    const char *at = buf_text(part), *end = at + part->len;

    while ((at = memmem(at, (size_t) (end - at), "altChunk", 8))) {
        const char *close = memchr(at, '>', (size_t) (end - at));
        const char *found;

        if (!close)
            return false;
        found = memmem(at, (size_t) (close - at), id, n);
        if (found && n > 0 && strchr("\"'", found[-1]) && strchr("\"'", found[n]))
            return true;
        at = close;
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
    const char *at = buf_text(rels), *end = at + rels->len;

    while ((at = memmem(at, (size_t) (end - at), "Relationship", 12))) {
        const char *close = memchr(at, '>', (size_t) (end - at));
        size_t n = close ? (size_t) (close - at) : 0, type_n, id_n, target_n;
        const char *type = attribute(at, n, "Type", &type_n);
        const char *id = attribute(at, n, "Id", &id_n);
        const char *target = attribute(at, n, "Target", &target_n);

        if (!close)
            return 0;
        if (type && id && target && type_n > 8 && memcmp(type + type_n - 8, "/aFChunk", 8) == 0 &&
            part_shows(part, id, id_n) && add_chunk(zip, folder, target, target_n, names, err) < 0)
            return -1;
        at = close;
    }
    return 0;
}

/* "word/_rels/document.xml.rels" is of word/document.xml. */
static int look_at(struct zip *zip, const char *rels_name, struct buf *names, struct err *err)
{
    AUTO_BUF struct buf rels = BUF_EMPTY, part = BUF_EMPTY;
    char folder[NAME_BYTES + 1], name[NAME_BYTES + 1];
    const char *slash = strstr(rels_name, RELS_FOLDER);
    size_t n = strlen(rels_name);

    if (!slash || n > NAME_BYTES || n < 5 || strcmp(rels_name + n - 5, ".rels") != 0)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int) (slash - rels_name) + 1, rels_name);
    snprintf(name, sizeof name, "%s%.*s", folder,
             (int) (n - 5 - (size_t) (slash - rels_name) - strlen(RELS_FOLDER)),
             slash + strlen(RELS_FOLDER));
    if (zip_read(zip, rels_name, RELS_BYTES, &rels, err) < 0)
        return -1;
    zip_drop_nuls(&rels);
    if (rels.len == 0 || !memmem(rels.data, rels.len, "/aFChunk", 8))
        return 0;
    if (zip_read(zip, name, PART_BYTES, &part, err) < 0)
        return -1;
    zip_drop_nuls(&part);
    return add_chunks(zip, &rels, &part, folder, names, err);
}

int chunks_left_out(const char *path, struct buf *names, struct err *err)
{
    AUTO_ZIP struct zip *list = zip_open(path, err);
    AUTO_ZIP struct zip *zip = list ? zip_open(path, err) : NULL;
    const char *name;

    if (!zip)
        return -1;
    for (size_t i = 0; (name = zip_name(list, i)); i++)
        if (look_at(zip, name, names, err) < 0)
            return -1;
    return 0;
}
