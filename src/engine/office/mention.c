#include "engine/office/mention.h"

#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/office_parts/zip.h"

#define PART_BYTES (8U << 20)
#define FILE_BYTES (256U << 20)

static bool holds(const struct buf *text, const char *what, size_t n)
{
    return n > 0 && text->len && memmem(text->data, text->len, what, n);
}

/* As it is, in Latin-1; and in UTF-16LE. */
static bool holds_name(const struct buf *text, const char *font)
{
    char wide[256];
    size_t n = strlen(font);

    if (holds(text, font, n))
        return true;
    if (n > sizeof wide / 2)
        return false;
    for (size_t i = 0; i < n; i++) {
        wide[i * 2] = font[i];
        wide[i * 2 + 1] = '\0';
    }
    return holds(text, wide, n * 2);
}

/* A theme names a font for every script there is (ECMA-376-1, 20.1.4.1.16): only that for Latin
 * ones counts. */
static bool theme_names(const struct buf *theme, const char *font)
{
    AUTO_BUF struct buf latin = BUF_EMPTY;

    buf_printf(&latin, "latin typeface=\"%s\"", font);
    return holds(theme, buf_text(&latin), latin.len);
}

static bool zip_names(const char *path, const char *font)
{
    struct err ignored;
    AUTO_ZIP struct zip *zip = zip_open(path, &ignored);
    const char *name;
    bool found = false;

    for (size_t i = 0; zip && !found && (name = zip_name(zip, i)); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;
        size_t n = strlen(name);

        if (n < 4 || strcmp(name + n - 4, ".xml") != 0 ||
            zip_read(zip, name, PART_BYTES, &part, &ignored) <= 0)
            continue;
        found = strstr(name, "theme/") ? theme_names(&part, font) : holds_name(&part, font);
    }
    return found;
}

bool mention_of(const char *font, const struct tool_input *input, enum sniff_form form,
                bool encrypted)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct err ignored;

    if (form == SNIFF_PLAIN)
        return false;
    if (form == SNIFF_OOXML || form == SNIFF_ODF)
        return !encrypted && zip_names(input->path, font);
    return !encrypted && lseek(input->fd, 0, SEEK_SET) == 0 &&
           fdio_read_all(input->fd, FILE_BYTES, &text, &ignored) == 0 && holds_name(&text, font);
}
