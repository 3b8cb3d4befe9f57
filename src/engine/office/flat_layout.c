/* flat_layout: the page layout of a flat ODF document, changed. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "engine/office/flat.h"

#include <fcntl.h>

#define FLAT_BYTES (1U << 30)
#define ELEMENT    "<style:page-layout-properties"
#define TABLE      "<style:table-properties "
#define HIDDEN     "table:display=\"false\""
#define SHOWN      "table:display=\"true\" "
#define MAX_LENGTH 40 /* of a page's side as text */

/* ODF 1.2 part 1, 20.375: scale-to-X and -Y stand against any other scale. */
static const char *const scales[] = { "style:scale-to=", "style:scale-to-pages=",
                                      "style:scale-to-X=", "style:scale-to-Y=", NULL };
static const char *const sides[] = { "fo:page-width=", "fo:page-height=",
                                     "style:print-orientation=", NULL };

const char *const flat_papers[] = { "a3", "a4", "a5", "letter", "legal", "tabloid", NULL };

/* The sides of each, upright. */
static const char *const paper_sides[][2] = {
    { "297mm", "420mm" }, { "210mm", "297mm" }, { "148mm", "210mm" },
    { "8.5in", "11in" },  { "8.5in", "14in" },  { "11in", "17in" },
};
_Static_assert(COUNT(paper_sides) + 1 == COUNT(flat_papers), "each paper has its sides");

static bool among(const char *attribute, const char *const *names)
{
    for (; *names; names++)
        if (strncmp(attribute, *names, strlen(*names)) == 0)
            return true;
    return false;
}

static void put_scale(const struct flat_page *page, struct buf *out)
{
    if (page->one_wide)
        buf_puts(out, " style:scale-to-X=\"1\"");
    if (page->one_high)
        buf_puts(out, " style:scale-to-Y=\"1\"");
}

/* Which of two lengths of one unit is more. */
static bool is_wider(const char *width, const char *height)
{
    return strtod(width, NULL) > strtod(height, NULL);
}

static bool sets_sides(const struct flat_page *page)
{
    return page->orientation || page->paper;
}

/* A paper that is only asked for by name lies as the page did. */
static void put_sides(const struct flat_page *page, const char *width, const char *height,
                      struct buf *out)
{
    bool across =
        page->orientation ? strcmp(page->orientation, "landscape") == 0 : is_wider(width, height);
    bool turn;

    for (size_t i = 0; page->paper && i < COUNT(paper_sides); i++)
        if (strcmp(flat_papers[i], page->paper) == 0) {
            width = paper_sides[i][0];
            height = paper_sides[i][1];
        }
    turn = is_wider(width, height) != across;
    buf_printf(out, " fo:page-width=\"%s\" fo:page-height=\"%s\" style:print-orientation=\"%s\"",
               turn ? height : width, turn ? width : height, across ? "landscape" : "portrait");
}

static void copy_value(const char *attribute, const char *end, char out[static MAX_LENGTH])
{
    const char *quote = memchr(attribute, '"', (size_t) (end - attribute));
    const char *stop = quote ? memchr(quote + 1, '"', (size_t) (end - quote - 1)) : NULL;

    if (stop && stop - quote < MAX_LENGTH)
        snprintf(out, MAX_LENGTH, "%.*s", (int) (stop - quote - 1), quote + 1);
}

/* The attributes from `at` to `end`, those we set ourselves left out. LibreOffice wrote them: one
 * blank before each, values in double quotes and without > or ". */
static void put_attributes(const char *at, const char *end, const struct flat_page *page,
                           struct buf *out)
{
    char width[MAX_LENGTH] = "8.5in", height[MAX_LENGTH] = "11in"; /* not said: the default */
    bool scaled = page->one_wide || page->one_high;

    while (at < end && *at == ' ') {
        const char *open = memchr(at, '"', (size_t) (end - at));
        const char *close = open ? memchr(open + 1, '"', (size_t) (end - open - 1)) : NULL;

        if (!close)
            break;
        if (strncmp(at + 1, sides[0], strlen(sides[0])) == 0)
            copy_value(at, end, width);
        else if (strncmp(at + 1, sides[1], strlen(sides[1])) == 0)
            copy_value(at, end, height);
        if (!(scaled && among(at + 1, scales)) && !(sets_sides(page) && among(at + 1, sides)))
            buf_put(out, at, (size_t) (close + 1 - at));
        at = close + 1;
    }
    put_scale(page, out);
    if (sets_sides(page))
        put_sides(page, width, height, out);
    buf_put(out, at, (size_t) (end - at));
}

int flat_read(const char *path, struct buf *text, struct err *err)
{
    AUTO_CLOSE int in = open(path, O_RDONLY | O_CLOEXEC);

    if (in < 0)
        return err_sys(err, "read the sheets");
    if (fdio_read_all(in, FLAT_BYTES, text, err) < 0)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the sheets are too large to be laid out again");
    return 0;
}

int flat_write(const char *path, const struct buf *text, struct err *err)
{
    AUTO_CLOSE int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (file < 0)
        return err_sys(err, "write the sheets");
    if (text->failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the sheets are too large to be laid out again");
    return fdio_write(file, text->data, text->len, err);
}

/* Shows hidden sheets (ODF 1.2 part 1, 20.249), whose style says that they are: in place, as both
 * values have room there. */
static void show_sheets(struct buf *text)
{
    char *at = text->data, *end = at + text->len;

    while (text->len && (at = memmem(at, (size_t) (end - at), TABLE, strlen(TABLE)))) {
        char *close = memchr(at, '>', (size_t) (end - at));
        char *hidden = close ? memmem(at, (size_t) (close - at), HIDDEN, strlen(HIDDEN)) : NULL;

        if (hidden)
            memcpy(hidden, SHOWN, strlen(SHOWN));
        if (!close)
            return;
        at = close;
    }
}

int flat_show_sheets(const char *from, const char *to, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (flat_read(from, &text, err) < 0)
        return -1;
    show_sheets(&text);
    return flat_write(to, &text, err);
}

int flat_relayout(const char *from, const char *to, const struct flat_page *page, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY, out = BUF_EMPTY;
    const char *at, *end, *found;

    if (flat_read(from, &text, err) < 0)
        return -1;
    at = buf_text(&text);
    end = at + text.len;
    while ((found = memmem(at, (size_t) (end - at), ELEMENT, strlen(ELEMENT)))) {
        const char *attributes = found + strlen(ELEMENT);
        const char *close = memchr(attributes, '>', (size_t) (end - attributes));

        if (!close)
            break;
        buf_put(&out, at, (size_t) (attributes - at));
        put_attributes(attributes, close[-1] == '/' ? close - 1 : close, page, &out);
        at = close[-1] == '/' ? close - 1 : close;
    }
    buf_put(&out, at, (size_t) (end - at));
    return flat_write(to, &out, err);
}
