#include "engine/browser/media_type.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/utf8.h"

#define DECLARED_WITHIN 1024 /* where a page says its character set (HTML, 4.2.5.4) */

static const struct {
    const char *extension, *type, *unicode; /* unicode: with the character set; NULL: not text */
} types[] = {
    { "html", "text/html", "text/html; charset=utf-8" },
    { "htm", "text/html", "text/html; charset=utf-8" },
    { "xhtml", "application/xhtml+xml", NULL },
    { "css", "text/css", "text/css; charset=utf-8" },
    { "js", "text/javascript", "text/javascript; charset=utf-8" },
    { "mjs", "text/javascript", "text/javascript; charset=utf-8" },
    { "json", "application/json", NULL },
    { "svg", "image/svg+xml", NULL },
    { "xml", "application/xml", NULL },
    { "txt", "text/plain", "text/plain; charset=utf-8" },
    { "csv", "text/csv", "text/csv; charset=utf-8" },
    { "png", "image/png", NULL },
    { "apng", "image/apng", NULL },
    { "jpg", "image/jpeg", NULL },
    { "jpeg", "image/jpeg", NULL },
    { "gif", "image/gif", NULL },
    { "webp", "image/webp", NULL },
    { "avif", "image/avif", NULL },
    { "bmp", "image/bmp", NULL },
    { "ico", "image/x-icon", NULL },
    { "woff", "font/woff", NULL },
    { "woff2", "font/woff2", NULL },
    { "ttf", "font/ttf", NULL },
    { "otf", "font/otf", NULL },
    { "mp4", "video/mp4", NULL },
    { "webm", "video/webm", NULL },
    { "mp3", "audio/mpeg", NULL },
    { "wasm", "application/wasm", NULL },
};

static bool declares_charset(const char *data, size_t n)
{
    static const char word[] = "charset";
    size_t within = n < DECLARED_WITHIN ? n : DECLARED_WITHIN;

    for (size_t i = 0; i + sizeof word - 1 <= within; i++)
        if (strncasecmp(data + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

const char *media_type_of(const char *name, const char *data, size_t n)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < COUNT(types); i++)
        if (strcasecmp(dot + 1, types[i].extension) == 0)
            return types[i].unicode && !declares_charset(data, n) && utf8_is_valid(data, n)
                       ? types[i].unicode
                       : types[i].type;
    return "application/octet-stream";
}
