#include "tool/file_kind.h"

#include <string.h>

#include "base/scope.h"

static const struct {
    const char *name, *media_type, *extension;
    const char *magic;
    size_t within; /* the magic may begin up to here */
} kinds[] = {
    { "zip", "application/zip", "zip", "PK\3\4", 0 },
    { "jpg", "image/jpeg", "jpg", "\xff\xd8\xff", 0 },
    { "png", "image/png", "png", "\x89PNG\r\n\x1a\n", 0 },
    /* PDF 32000-1, Annex H, note 13: readers find the header in the first 1024 bytes. Last, because
     * a ZIP of PDF files has it there too. */
    { "pdf", "application/pdf", "pdf", "%PDF-", FILE_KIND_HEAD },
};

const char *file_kind_of(const void *head, size_t n)
{
    if (n > FILE_KIND_HEAD)
        n = FILE_KIND_HEAD;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        size_t len = strlen(kinds[i].magic);
        const char *found = head ? memmem(head, n, kinds[i].magic, len) : NULL;

        if (found && (size_t) (found - (const char *) head) <= kinds[i].within)
            return kinds[i].name;
    }
    return NULL;
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
