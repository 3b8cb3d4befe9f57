#include "engine/browser/assets.h"

#include <minizip/unzip.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/browser/media_type.h"

#define NAME_BYTES 1024
#define PARTS      10000
#define CHUNK      65536

struct asset {
    char *path;   /* below the origin, decoded */
    size_t input; /* of the file */
    bool packed;  /* it is a part of a ZIP, at `at` */
    unz64_file_pos at;
    int64_t bytes;
};

struct assets {
    const struct tool_input *inputs;
    struct asset *items;
    size_t n, cap;
    unzFile zip;
    char *start;
    const char *const *endings;
    struct buf page; /* what is read in place of the page, if not empty */
    size_t used;     /* bytes that were read */
};

const char *const assets_html[] = { ".html", ".htm", ".xhtml", NULL };

static int no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the files have more parts than there is memory for");
}

static int add_asset(struct assets *assets, struct asset asset, const char *path, struct err *err)
{
    if (assets->n == assets->cap) {
        size_t cap = assets->cap ? assets->cap * 2 : 32;
        struct asset *items = realloc(assets->items, cap * sizeof *items);

        if (!items)
            return no_memory(err);
        assets->items = items;
        assets->cap = cap;
    }
    asset.path = strdup(path);
    if (!asset.path)
        return no_memory(err);
    assets->items[assets->n++] = asset;
    return 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_page(const struct assets *assets, const char *path)
{
    const char *dot = strrchr(last_part(path), '.');

    for (size_t i = 0; dot && assets->endings[i]; i++)
        if (strcasecmp(dot, assets->endings[i]) == 0)
            return true;
    return false;
}

static bool is_index(const struct assets *assets, const char *path)
{
    return is_page(assets, path) && (strncasecmp(last_part(path), "index.", 6) == 0 ||
                                     strncasecmp(last_part(path), "readme.", 7) == 0);
}

static size_t depth(const char *path)
{
    size_t n = 0;

    for (; *path; path++)
        n += *path == '/';
    return n;
}

/* The part that is the page: index.html nearest to the root, else the only page. */
static const struct asset *find_page(const struct assets *assets)
{
    const struct asset *page = NULL, *index = NULL;
    size_t pages = 0;

    for (size_t i = 0; i < assets->n; i++) {
        const struct asset *asset = &assets->items[i];

        if (is_index(assets, asset->path) && (!index || depth(asset->path) < depth(index->path)))
            index = asset;
        if (is_page(assets, asset->path)) {
            page = page ? page : asset;
            pages++;
        }
    }
    return index ? index : pages == 1 ? page : NULL;
}

/* Folders, and what systems add to a ZIP of theirs. */
static bool is_left_out(const char *name)
{
    size_t n = strlen(name);

    return n == 0 || name[n - 1] == '/' || strncmp(name, "__MACOSX/", 9) == 0;
}

static int list_zip(struct assets *assets, size_t input, struct err *err)
{
    int more;

    assets->zip = unzOpen64(assets->inputs[input].path);
    if (!assets->zip)
        return err_set(err, ERR_CORRUPT_FILE, "the ZIP file cannot be read");
    for (more = unzGoToFirstFile(assets->zip); more == UNZ_OK;
         more = unzGoToNextFile(assets->zip)) {
        struct asset asset = { .input = input, .packed = true };
        char name[NAME_BYTES] = "";
        unz_file_info64 info;

        if (unzGetCurrentFileInfo64(assets->zip, &info, name, sizeof name - 1, NULL, 0, NULL, 0) !=
                UNZ_OK ||
            unzGetFilePos64(assets->zip, &asset.at) != UNZ_OK)
            return err_set(err, ERR_CORRUPT_FILE, "the ZIP file cannot be read");
        asset.bytes =
            info.uncompressed_size < INT64_MAX ? (int64_t) info.uncompressed_size : INT64_MAX;
        if (assets->n >= PARTS)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the ZIP file has more than %d parts", PARTS);
        if (!is_left_out(name) && add_asset(assets, asset, name, err) < 0)
            return -1;
    }
    return more == UNZ_END_OF_LIST_OF_FILE
               ? 0
               : err_set(err, ERR_CORRUPT_FILE, "the ZIP file's directory is damaged");
}

static bool is_zip(const struct tool_input *input)
{
    struct err ignored;
    char head[4];

    return fdio_read_at(input->fd, head, sizeof head, 0, &ignored) == (ssize_t) sizeof head &&
           memcmp(head, "PK\3\4", sizeof head) == 0;
}

static int list_files(struct assets *assets, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        struct asset asset = { .input = i, .bytes = assets->inputs[i].bytes };
        const char *name = last_part(assets->inputs[i].name);

        if (!assets->zip && is_zip(&assets->inputs[i])) {
            if (list_zip(assets, i, err) < 0)
                return -1;
        } else if (add_asset(assets, asset, *name ? name : i ? "file" : "index.html", err) < 0) {
            return -1;
        }
    }
    return 0;
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-._~/", c));
}

/* RFC 3986, 2.1. */
static char *address_of(const char *path)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    buf_puts(&out, ASSETS_ORIGIN);
    for (; *path; path++)
        buf_printf(&out, is_unreserved(*path) ? "%c" : "%%%02X", (unsigned char) *path);
    return buf_take(&out);
}

struct assets *assets_open(const struct tool_input *inputs, size_t n, const char *const *endings,
                           struct err *err)
{
    struct assets *assets = calloc(1, sizeof *assets);
    const struct asset *page;

    if (!assets) {
        no_memory(err);
        return NULL;
    }
    assets->inputs = inputs;
    assets->endings = endings;
    if (list_files(assets, n, err) < 0) {
        assets_free(assets);
        return NULL;
    }
    page = find_page(assets);
    if (!page && !assets->zip && assets->n)
        page = &assets->items[0];
    if (page)
        assets->start = address_of(page->path);
    if (!assets->start) {
        err_set(err, ERR_CORRUPT_FILE,
                "the ZIP file has no index%s, and not just one such file either", endings[0]);
        assets_free(assets);
        return NULL;
    }
    return assets;
}

void assets_free(struct assets *assets)
{
    for (size_t i = 0; i < assets->n; i++)
        free(assets->items[i].path);
    free(assets->items);
    free(assets->start);
    buf_free(&assets->page);
    if (assets->zip)
        unzClose(assets->zip);
    free(assets);
}

const char *assets_start(const struct assets *assets)
{
    return assets->start;
}

void assets_replace_page(struct assets *assets, struct buf *html)
{
    buf_free(&assets->page);
    assets->page = *html;
    *html = BUF_EMPTY;
}

bool assets_owns(const char *address)
{
    return strncmp(address, ASSETS_ORIGIN, strlen(ASSETS_ORIGIN)) == 0;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The path of an address without its query and fragment, decoded. */
static void decode_path(const char *address, char out[static NAME_BYTES])
{
    const char *from = address + strlen(ASSETS_ORIGIN);
    size_t n = 0;

    while (*from && *from != '?' && *from != '#' && n + 1 < NAME_BYTES) {
        if (*from == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0) {
            out[n++] = (char) (hex(from[1]) * 16 + hex(from[2]));
            from += 3;
        } else {
            out[n++] = *from++;
        }
    }
    out[n] = '\0';
}

/* Parts of a ZIP are found by their paths, files that were sent alone by their names. */
static const struct asset *find_asset(const struct assets *assets, const char *path)
{
    for (size_t i = 0; i < assets->n; i++)
        if (strcmp(assets->items[i].path, path) == 0)
            return &assets->items[i];
    for (size_t i = 0; i < assets->n; i++)
        if (!assets->items[i].packed && strcmp(assets->items[i].path, last_part(path)) == 0)
            return &assets->items[i];
    return NULL;
}

static bool unpack_asset(struct assets *assets, const struct asset *asset, struct buf *out)
{
    char chunk[CHUNK];
    int n = -1;

    if (unzGoToFilePos64(assets->zip, &asset->at) != UNZ_OK ||
        unzOpenCurrentFile(assets->zip) != UNZ_OK)
        return false;
    while ((n = unzReadCurrentFile(assets->zip, chunk, sizeof chunk)) > 0 &&
           out->len <= ASSETS_BYTES)
        buf_put(out, chunk, (size_t) n);
    return unzCloseCurrentFile(assets->zip) == UNZ_OK && n == 0 && !out->failed;
}

enum assets_found assets_read(struct assets *assets, const char *address, struct buf *out,
                              const char **type)
{
    char path[NAME_BYTES];
    const struct asset *asset;
    struct err ignored;

    if (assets->page.len > 0 && strcmp(assets->start, address) == 0) {
        buf_put(out, assets->page.data, assets->page.len);
        *type = "text/html; charset=utf-8";
        return ASSETS_FOUND;
    }
    decode_path(address, path);
    asset = find_asset(assets, path);
    if (!asset)
        return ASSETS_ABSENT;
    if (asset->bytes > (int64_t) (ASSETS_BYTES - assets->used))
        return ASSETS_TOO_LARGE;
    if (asset->packed ? !unpack_asset(assets, asset, out)
                      : fdio_read_first(assets->inputs[asset->input].fd, (size_t) asset->bytes, out,
                                        &ignored) < 0)
        return ASSETS_BROKEN;
    assets->used += out->len;
    if (assets->used > ASSETS_BYTES)
        return ASSETS_TOO_LARGE;
    *type = media_type_of(
        strcmp(assets->start, address) == 0 && !is_page(assets, path) ? "index.html" : path,
        buf_text(out), out->len);
    return ASSETS_FOUND;
}
