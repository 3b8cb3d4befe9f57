#include "engine/office_parts/field_code.h"

#include <string.h>
#include <strings.h>

#include "base/scope.h"

#define WORD_BYTES 256

/* LibreOffice shows nothing for these, or shows them twice. */
static const char *const lost[] = { "IF", "MERGEREC", "PRINTDATE", "SYMBOL" };
/* It computes these for the moment of the conversion, or by its own counts, which differ. */
static const char *const computed[] = {
    "DATE",     "TIME",     "SAVEDATE", "CREATEDATE", "SEQ",      "DOCPROPERTY",
    "TITLE",    "SUBJECT",  "KEYWORDS", "COMMENTS",   "AUTHOR",   "LASTSAVEDBY",
    "NUMWORDS", "NUMCHARS", "REVNUM",   "EDITTIME",   "TEMPLATE", "INFO",
};

static bool is_among(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(word, words[i]) == 0)
            return true;
    return false;
}

/* The next word, without the quotation marks round it. */
static const char *next_word(const char *at, char out[static WORD_BYTES])
{
    size_t n = 0, bytes;

    at += strspn(at, " \t\r\n");
    if (*at == '"') {
        at++;
        bytes = strcspn(at, "\"");
    } else {
        bytes = strcspn(at, " \t\r\n");
    }
    n = bytes < WORD_BYTES ? bytes : WORD_BYTES - 1;
    memcpy(out, at, n);
    out[n] = '\0';
    at += bytes;
    return *at == '"' ? at + 1 : at;
}

/* LibreOffice has no path that means anything to a reader. */
static bool shows_path(const char *at)
{
    char word[WORD_BYTES];

    while (*at) {
        at = next_word(at, word);
        if (strcasecmp(word, "\\p") == 0)
            return true;
    }
    return false;
}

bool field_code_shows_stored(const struct buf *code, const struct bookmarks *bookmarks, bool stored)
{
    char name[WORD_BYTES], first[WORD_BYTES];
    const char *at = next_word(buf_text(code), name);

    if (is_among(name, lost, COUNT(lost)))
        return true;
    if (strcasecmp(name, "FILENAME") == 0)
        return shows_path(at);
    if (strcasecmp(name, "REF") == 0 || strcasecmp(name, "PAGEREF") == 0) {
        next_word(at, first);
        return *first && *first != '\\' && !bookmarks_have(bookmarks, first);
    }
    return stored && is_among(name, computed, COUNT(computed));
}
