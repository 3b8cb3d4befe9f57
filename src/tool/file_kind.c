#include "tool/file_kind.h"

#include <stdbool.h>
#include <string.h>

#include "base/scope.h"

#define TEXT_KIND "text"
#define BIFF_KIND "biff" /* Excel 2 to 4: a sheet that is a file by itself */

static const struct {
    const char *name, *media_type, *extension;
    const char *magic;
    size_t within; /* the magic may begin up to here */
} kinds[] = {
    { "zip", "application/zip", "zip", "PK\3\4", 0 },
    /* [MS-CFB] 2.2 */
    { "ole", "application/x-ole-storage", "ole", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0 },
    /* PDF 32000-1, Annex H, note 13: readers find the header in the first 1024 bytes. Last, because
     * a ZIP of PDF files has it there too. */
    { "pdf", "application/pdf", "pdf", "%PDF-", FILE_KIND_HEAD },
    /* Told otherwise: what has no mark of another kind and no bytes that text has not. */
    { BIFF_KIND, "application/vnd.ms-excel", "xls", "", 0 },
    { TEXT_KIND, "text/plain", "txt", "", 0 },
};

/* A record "beginning of file" of 4 or 6 bytes ([MS-XLS] 2.4.21 in its older forms). */
static bool is_biff(const unsigned char *head, size_t n)
{
    return n >= 8 && head[0] == 9 && (head[1] == 0 || head[1] == 2 || head[1] == 4) &&
           (head[2] == 4 || head[2] == 6) && head[3] == 0;
}

/* No control characters but those of text, or UTF-16 that says so. RTF and XML are text too. */
static bool is_text(const unsigned char *head, size_t n)
{
    if (n >= 4 && ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff)))
        return true;
    for (size_t i = 0; i < n; i++)
        if (head[i] == 0 || (head[i] < ' ' && !strchr("\t\n\v\f\r\x1a\x1b", head[i])))
            return false;
    return n > 0;
}

const char *file_kind_of(const void *head, size_t n)
{
    if (n > FILE_KIND_HEAD)
        n = FILE_KIND_HEAD;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!*kinds[i].magic)
            continue;
        size_t len = strlen(kinds[i].magic);
        const char *found = head ? memmem(head, n, kinds[i].magic, len) : NULL;

        if (found && (size_t) (found - (const char *) head) <= kinds[i].within)
            return kinds[i].name;
    }
    if (head && is_biff(head, n))
        return BIFF_KIND;
    return head && is_text(head, n) ? TEXT_KIND : NULL;
}

const char *file_kind_media_type(const char *kind)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].media_type;
    return NULL;
}

const char *file_kind_extension(const char *kind)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].extension;
    return NULL;
}
