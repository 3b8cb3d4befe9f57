#include "engine/office_parts/values.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"
#include "engine/office_parts/functions.h"
#include "engine/office_parts/rewrite.h"
#include "engine/office_parts/xml_tag.h"
#include "engine/office_parts/zip.h"

#define WORKBOOK_BYTES (16U << 20)
#define SHEET_BYTES    (256U << 20)
#define SHARED         4096 /* shared formulas of a sheet that are told apart */

/* Of one sheet. */
struct sheet {
    struct values *values;
    struct buf *part;
    bool shared_unknown[SHARED]; /* by the index of the shared formula */
    size_t n_dropped;
};

static bool is_set(const struct xml_tag *tag, const char *name, const char *number,
                   const char *word)
{
    size_t n = 0;
    const char *value = xml_tag_attribute(tag, name, &n);

    return value && ((n == 1 && *value == *number) ||
                     (n == strlen(word) && strncasecmp(value, word, n) == 0));
}

/* Excel computes a workbook that an interrupted calculation left unfinished, but not where the user
 * starts calculations. */
static bool asks_for_calculation(const struct buf *workbook)
{
    struct xml_tag tag = { .end = buf_text(workbook) };
    const char *end = buf_text(workbook) + workbook->len;
    size_t n = 0;
    const char *mode;

    while (xml_tag_next(&tag, end))
        if (!tag.closing && xml_tag_is(&tag, "calcPr")) {
            mode = xml_tag_attribute(&tag, "calcMode", &n);
            return is_set(&tag, "fullCalcOnLoad", "1", "true") ||
                   is_set(&tag, "forceFullCalc", "1", "true") ||
                   (is_set(&tag, "calcCompleted", "0", "false") &&
                    !(mode && n == 6 && memcmp(mode, "manual", 6) == 0));
        }
    return false;
}

static int workbook_asks(const char *path, struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);
    const char *name;

    if (!zip)
        return -1;
    for (size_t i = 0; (name = zip_name(zip, i)); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;
        const char *slash = strrchr(name, '/');

        if (!zip_is_xml(name) || strncasecmp(slash ? slash + 1 : name, "workbook", 8) != 0)
            continue;
        if (zip_read(zip, name, WORKBOOK_BYTES, &part, err) < 0)
            return -1;
        if (asks_for_calculation(&part))
            return 1;
    }
    return 0;
}

/* The end of what stands between quotation marks or apostrophes; doubled ones begin again. */
static const char *skip_quoted(const char *at, const char *end)
{
    const char *close = memchr(at + 1, *at, (size_t) (end - at) - 1);

    return close ? close + 1 : end;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char) c) || c == '_' || c == '.' || (unsigned char) c >= 0x80;
}

/* The first part of a formula that LibreOffice cannot compute: a function that it does not know, or
 * a reference to another workbook ("[1]Sheet1!A1"). NULL: none. */
static const char *find_unknown(const char *at, const char *end, size_t *n)
{
    while (at < end) {
        const char *from = at;

        if (*at == '[' && at + 1 < end && isdigit((unsigned char) at[1])) {
            *n = 1;
            return at;
        }
        if (*at == '"' || *at == '\'') {
            at = skip_quoted(at, end);
            continue;
        }
        while (at < end && is_letter(*at))
            at++;
        *n = (size_t) (at - from);
        if (*n && at < end && *at == '(' && !functions_known(from, *n))
            return from;
        at += *n == 0;
    }
    return NULL;
}

/* XML has quotation marks as entities. */
static void unescape(const char *at, const char *end, struct buf *out)
{
    for (; at < end; at++)
        if (end - at >= 6 && memcmp(at, "&quot;", 6) == 0) {
            buf_putc(out, '"');
            at += 5;
        } else if (end - at >= 6 && memcmp(at, "&apos;", 6) == 0) {
            buf_putc(out, '\'');
            at += 5;
        } else {
            buf_putc(out, *at);
        }
}

static size_t shared_index(const struct xml_tag *tag)
{
    size_t n = 0, index = 0;
    const char *digits = xml_tag_attribute(tag, "si", &n);

    if (!digits)
        return SHARED;
    for (size_t i = 0; i < n && isdigit((unsigned char) digits[i]) && index < SHARED; i++)
        index = index * 10 + (size_t) (digits[i] - '0');
    return index < SHARED ? index : SHARED - 1;
}

/* Whether LibreOffice can compute the formula from `at` to `end` of the element `tag`. */
static bool is_computable(struct sheet *sheet, const struct xml_tag *tag, const char *at,
                          const char *end)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    size_t index = shared_index(tag), n = 0;
    const char *name;

    unescape(at, end, &text);
    name = find_unknown(buf_text(&text), buf_text(&text) + text.len, &n);
    if (name && index < SHARED)
        sheet->shared_unknown[index] = true;
    if (!name)
        return !(index < SHARED && sheet->shared_unknown[index]);
    /* "_xlfn." and the like are no part of the name. */
    for (; n > 6 && memcmp(name, "_xl", 3) == 0 && name[5] == '.'; n -= 6)
        name += 6;
    if (sheet->values->n_unknown == 0)
        snprintf(sheet->values->unknown, sizeof sheet->values->unknown, "%.*s", (int) n, name);
    return false;
}

/* The result that follows a formula: blanks instead of the element, unless it is to be kept. */
static void drop_value(struct sheet *sheet, struct xml_tag *tag, const char *end, bool computable)
{
    struct xml_tag value = *tag, close;
    size_t n;

    if (!xml_tag_next(&value, end) || value.closing || value.empty || !xml_tag_is(&value, "v"))
        return;
    close = value;
    if (!xml_tag_next(&close, end) || !close.closing || !xml_tag_is(&close, "v"))
        return;
    n = (size_t) (close.begin - value.end);
    if (computable || (n == 1 && *value.end == '0')) {
        memset(sheet->part->data + (value.begin - sheet->part->data), ' ',
               (size_t) (close.end - value.begin));
        sheet->n_dropped++;
    }
    *tag = close;
}

static bool drop_values(void *arg, const char *name, struct buf *part)
{
    struct sheet sheet = { .values = arg, .part = part };
    struct xml_tag tag = { .end = part->data };
    const char *end = part->data + part->len;

    (void) name;
    while (xml_tag_next(&tag, end)) {
        const struct xml_tag formula = tag;
        bool computable;

        if (tag.closing || !xml_tag_is(&tag, "f"))
            continue;
        if (!tag.empty && !xml_tag_next(&tag, end))
            break;
        computable =
            is_computable(&sheet, &formula, formula.end, formula.empty ? formula.end : tag.begin);
        sheet.values->n_unknown += !computable;
        drop_value(&sheet, &tag, end, computable);
    }
    return sheet.n_dropped > 0;
}

static bool is_sheet(void *arg, const char *name)
{
    (void) arg;
    return strstr(name, "worksheets/") && zip_is_xml(name);
}

int values_drop(const char *from, const char *to, struct values *values, struct err *err)
{
    const struct rewrite what = {
        .part_bytes = SHEET_BYTES, .wants = is_sheet, .change = drop_values, .arg = values
    };
    int asks = workbook_asks(from, err);

    return asks > 0 ? rewrite_parts(from, to, &what, err) : asks;
}
