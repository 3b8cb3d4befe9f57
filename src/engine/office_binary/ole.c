#include "engine/office_binary/ole.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/fdio.h"
#include "base/octets.h"
#include "base/scope.h"

#define HEADER      512
#define HEADER_FATS 109
#define LAST_SECTOR 0xfffffffaU /* MAXREGSECT; what is above ends a chain */
#define ENTRY       128
#define MINI_CUTOFF 4096
#define MINI_SHIFT  6
#define TYPE_STREAM 2
#define TYPE_ROOT   5

struct ole {
    int fd;
    int64_t bytes;
    unsigned shift; /* of a sector */
    struct buf fat, mini_fat, entries, mini;
};

static int damaged(struct err *err)
{
    return err_set(err, ERR_CORRUPT_FILE, "the document's directory is damaged");
}

static int put_sector(const struct ole *ole, uint32_t sector, struct buf *out, struct err *err)
{
    char data[4096];
    size_t size = (size_t) 1 << ole->shift;
    ssize_t got = fdio_read_at(ole->fd, data, size, ((int64_t) sector + 1) << ole->shift, err);

    if (got <= 0)
        return got < 0 ? -1 : damaged(err);
    memset(data + got, 0, size - (size_t) got); /* the last one may be cut off */
    buf_put(out, data, size);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

static uint32_t next_of(const struct buf *fat, uint32_t sector)
{
    return sector < fat->len / 4 ? octets_le32(buf_text(fat) + (size_t) sector * 4) : LAST_SECTOR;
}

/* A chain longer than the file has sectors goes round in a circle. */
static int put_chain(const struct ole *ole, uint32_t sector, size_t max, struct buf *out,
                     struct err *err)
{
    int64_t left = (ole->bytes >> ole->shift) + 1;

    for (; sector < LAST_SECTOR && out->len < max; sector = next_of(&ole->fat, sector)) {
        if (left-- == 0)
            return damaged(err);
        if (put_sector(ole, sector, out, err) < 0)
            return -1;
    }
    return 0;
}

static int put_fat_sectors(struct ole *ole, const char *list, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t sector = octets_le32(list + i * 4);

        if (sector < LAST_SECTOR && put_sector(ole, sector, &ole->fat, err) < 0)
            return -1;
    }
    return 0;
}

/* The FAT's own sectors are listed in the header, and further on in a chain of lists. */
static int read_fat(struct ole *ole, const char *header, struct err *err)
{
    uint32_t more = octets_le32(header + 68);
    int64_t left = (ole->bytes >> ole->shift) + 1;
    size_t n = octets_le32(header + 44); /* what is beyond is not always empty */
    size_t per_list = ((size_t) 1 << ole->shift) / 4 - 1;

    if (put_fat_sectors(ole, header + 76, n < HEADER_FATS ? n : HEADER_FATS, err) < 0)
        return -1;
    while (more < LAST_SECTOR) {
        AUTO_BUF struct buf list = BUF_EMPTY;

        if (left-- == 0)
            return damaged(err);
        if (put_sector(ole, more, &list, err) < 0 ||
            put_fat_sectors(ole, buf_text(&list), per_list, err) < 0)
            return -1;
        more = octets_le32(buf_text(&list) + per_list * 4);
        if ((int64_t) ole->fat.len / 4 > (ole->bytes >> ole->shift) * 2 + 4096)
            return damaged(err);
    }
    return 0;
}

static int read_ole(struct ole *ole, struct err *err)
{
    static const unsigned char magic[] = { 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1 };
    char header[HEADER];
    ssize_t got = fdio_read_at(ole->fd, header, sizeof header, 0, err);

    if (got < 0)
        return -1;
    if (got < HEADER || memcmp(header, magic, sizeof magic) != 0)
        return damaged(err);
    ole->shift = octets_le16(header + 30);
    if (ole->shift != 9 && ole->shift != 12)
        return damaged(err);
    if (read_fat(ole, header, err) < 0 ||
        put_chain(ole, octets_le32(header + 48), SIZE_MAX, &ole->entries, err) < 0 ||
        put_chain(ole, octets_le32(header + 60), SIZE_MAX, &ole->mini_fat, err) < 0)
        return -1;
    return ole->entries.len < ENTRY || ole->entries.data[66] != TYPE_ROOT ? damaged(err) : 0;
}

struct ole *ole_open(int fd, struct err *err)
{
    struct ole *ole = calloc(1, sizeof *ole);
    struct stat st;

    if (!ole || fstat(fd, &st) < 0) {
        free(ole);
        err_sys(err, "document");
        return NULL;
    }
    ole->fd = fd;
    ole->bytes = st.st_size;
    if (read_ole(ole, err) < 0) {
        ole_close(ole);
        return NULL;
    }
    return ole;
}

void ole_close(struct ole *ole)
{
    if (!ole)
        return;
    buf_free(&ole->fat);
    buf_free(&ole->mini_fat);
    buf_free(&ole->entries);
    buf_free(&ole->mini);
    free(ole);
}

/* UTF-16LE against ASCII; letters' case does not count. */
static bool is_named(const char *entry, const char *name)
{
    size_t n = strlen(name);

    if (octets_le16(entry + 64) != (n + 1) * 2 || n > 31)
        return false;
    for (size_t i = 0; i < n; i++)
        if (entry[i * 2 + 1] || strncasecmp(entry + i * 2, name + i, 1) != 0)
            return false;
    return true;
}

/* The top's entries are a tree by their names; a damaged one may go round in circles. */
static const char *find_entry(const struct ole *ole, const char *name)
{
    size_t n = ole->entries.len / ENTRY, depth = 0;
    AUTO_FREE uint32_t *stack = calloc(n + 1, sizeof *stack);
    AUTO_FREE bool *seen = calloc(n + 1, sizeof *seen);
    uint32_t sides[2];

    if (!stack || !seen)
        return NULL;
    stack[depth++] = octets_le32(ole->entries.data + 76);
    while (depth > 0) {
        uint32_t i = stack[--depth];
        const char *entry = ole->entries.data + (size_t) i * ENTRY;

        if (i >= n || seen[i])
            continue;
        seen[i] = true;
        if (is_named(entry, name))
            return entry;
        sides[0] = octets_le32(entry + 68);
        sides[1] = octets_le32(entry + 72);
        for (int k = 0; k < 2; k++)
            if (sides[k] < n && !seen[sides[k]] && depth < n)
                stack[depth++] = sides[k];
    }
    return NULL;
}

bool ole_has(const struct ole *ole, const char *name)
{
    return find_entry(ole, name) != NULL;
}

/* Streams below 4096 bytes lie in small sectors within the top's own stream. */
static int put_mini_chain(struct ole *ole, uint32_t sector, size_t max, struct buf *out,
                          struct err *err)
{
    size_t left = ole->mini_fat.len / 4 + 1;

    if (!ole->mini.len &&
        put_chain(ole, octets_le32(ole->entries.data + 116), SIZE_MAX, &ole->mini, err) < 0)
        return -1;
    for (; sector < LAST_SECTOR && out->len < max; sector = next_of(&ole->mini_fat, sector)) {
        if (left-- == 0 || ((size_t) sector + 1) << MINI_SHIFT > ole->mini.len)
            return damaged(err);
        buf_put(out, ole->mini.data + ((size_t) sector << MINI_SHIFT), (size_t) 1 << MINI_SHIFT);
    }
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int ole_read(struct ole *ole, const char *name, size_t max, struct buf *out, struct err *err)
{
    const char *entry = find_entry(ole, name);
    uint32_t size, start;
    int done;

    if (!entry || entry[66] != TYPE_STREAM)
        return 0;
    start = octets_le32(entry + 116);
    size = octets_le32(entry + 120);
    if (max > size)
        max = size;
    done = size < MINI_CUTOFF ? put_mini_chain(ole, start, max, out, err)
                              : put_chain(ole, start, max, out, err);
    if (out->len > max)
        out->len = max;
    return done < 0 ? -1 : 1;
}
