#include "pdf/redact/redact_words.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/list.h"
#include "base/utf8.h"

#define MARK       "***"
#define SEPARATORS 2 /* characters between two words that are joined, at most */

static bool is_white(uint32_t c)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t) c);

    return c <= ' ' || category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

static bool joins_words(uint32_t c)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t) c);

    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_MN) ||
           category == UTF8PROC_CATEGORY_ND;
}

static bool add_folded(struct redact_folded *f, uint32_t c, size_t from)
{
    if (is_white(c)) {
        if (f->n && f->at[f->n - 1] == ' ')
            return true;
        c = ' ';
    }
    if (!LIST_ROOM(f->at, f->n, f->cap) || !LIST_ROOM(f->from, f->n + 1, f->cap_from))
        return false;
    f->at[f->n] = c;
    f->from[f->n++] = from;
    return true;
}

bool redact_words_fold(struct redact_folded *f, const char *text, size_t n)
{
    utf8proc_option_t options = UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_IGNORE;

    if (!f->exact)
        options |= UTF8PROC_CASEFOLD;
    f->n = 0;
    if (!LIST_ROOM(f->from, f->n + 1, f->cap_from))
        return false;
    for (size_t i = 0; i < n;) {
        utf8proc_int32_t out[32];
        uint32_t c;
        size_t length = utf8_decode(text + i, n - i, &c);
        int boundary = 0;
        utf8proc_ssize_t count;

        if (!length) {
            i++;
            continue;
        }
        if (c < 0x80) {
            if (!add_folded(f, c >= 'A' && c <= 'Z' && !f->exact ? c + 32 : c, i))
                return false;
            i += length;
            continue;
        }
        count = utf8proc_decompose_char((utf8proc_int32_t) c, out, 32, options, &boundary);
        for (utf8proc_ssize_t k = 0; k < count && k < 32; k++)
            if (!add_folded(f, (uint32_t) out[k], i))
                return false;
        i += length;
    }
    f->from[f->n] = n;
    return true;
}

void redact_words_unfold(struct redact_folded *f)
{
    free(f->at);
    free(f->from);
    *f = (struct redact_folded){ 0 };
}

static bool is_known(const struct redact_words *words, const uint32_t *at, size_t n, bool bounded)
{
    for (size_t i = 0; i < words->n; i++)
        if (words->items[i].n == n && words->items[i].bounded == bounded &&
            memcmp(words->items[i].at, at, n * sizeof *at) == 0)
            return true;
    return false;
}

void redact_words_add(struct redact_words *words, const char *text, bool bounded)
{
    struct redact_folded f = { .exact = words->exact };
    size_t begin = 0, letters = 0;
    struct redact_word word = { 0 };

    if (!redact_words_fold(&f, text, strlen(text))) {
        words->failed = true;
        redact_words_unfold(&f);
        return;
    }
    while (begin < f.n && f.at[begin] == ' ')
        begin++;
    while (f.n > begin && f.at[f.n - 1] == ' ')
        f.n--;
    for (size_t i = begin; i < f.n; i++)
        letters += joins_words(f.at[i]);
    word.n = f.n - begin;
    word.bounded = bounded || word.n <= REDACT_WORDS_SHORT;
    if (letters && !is_known(words, f.at + begin, word.n, word.bounded)) {
        word.at = malloc(word.n * sizeof *word.at);
        word.text = strdup(text);
        if (word.at && word.text && LIST_ROOM(words->items, words->n, words->cap)) {
            memcpy(word.at, f.at + begin, word.n * sizeof *word.at);
            words->items[words->n++] = word;
        } else {
            free(word.at);
            free(word.text);
            words->failed = true;
        }
    }
    redact_words_unfold(&f);
}

void redact_words_free(struct redact_words *words)
{
    for (size_t i = 0; i < words->n; i++) {
        free(words->items[i].at);
        free(words->items[i].text);
    }
    free(words->items);
    *words = (struct redact_words){ 0 };
}

static bool is_separator(uint32_t c)
{
    return c == ' ' || c == '_' || c == '-' || c == '.' || c == '+' || c == ',';
}

/* How many characters a word has at a place; 0: it is not there. */
static size_t length_at(const struct redact_words *words, const struct redact_word *word,
                        const struct redact_folded *f, size_t at)
{
    size_t end = at;

    for (size_t i = 0; i < word->n; i++) {
        if (words->joined && word->at[i] == ' ') {
            for (int k = 0; k < SEPARATORS && end < f->n && is_separator(f->at[end]); k++)
                end++;
            continue;
        }
        if (end >= f->n || f->at[end] != word->at[i])
            return 0;
        end++;
    }
    if (word->bounded &&
        ((at && joins_words(f->at[at - 1]) && joins_words(word->at[0])) ||
         (end < f->n && joins_words(f->at[end]) && joins_words(word->at[word->n - 1]))))
        return 0;
    return end - at;
}

size_t redact_words_find(const struct redact_words *words, const struct redact_folded *f,
                         size_t *at, size_t *n)
{
    for (size_t i = *at; i < f->n; i++) {
        size_t best = SIZE_MAX, longest = 0;

        for (size_t k = 0; k < words->n; k++) {
            const struct redact_word *word = &words->items[k];
            size_t length = word->at[0] == f->at[i] ? length_at(words, word, f, i) : 0;

            if (length > longest) {
                best = k;
                longest = length;
            }
        }
        if (best != SIZE_MAX) {
            *at = i;
            *n = longest;
            return best;
        }
    }
    return SIZE_MAX;
}

size_t redact_words_search(struct redact_words *words, const char *text, size_t n)
{
    struct redact_folded f = { .exact = words->exact };
    size_t at = 0, length, found = SIZE_MAX;

    if (redact_words_fold(&f, text, n))
        found = redact_words_find(words, &f, &at, &length);
    else
        words->failed = true;
    redact_words_unfold(&f);
    return found;
}

size_t redact_words_replace(struct redact_words *words, const char *text, size_t n, struct buf *out)
{
    struct redact_folded f = { .exact = words->exact };
    size_t at = 0, length, copied = 0, count = 0;

    if (!redact_words_fold(&f, text, n))
        words->failed = true;
    while (f.at && redact_words_find(words, &f, &at, &length) != SIZE_MAX) {
        if (f.from[at] > copied)
            buf_put(out, text + copied, f.from[at] - copied);
        buf_puts(out, MARK);
        copied = f.from[at + length];
        at += length;
        count++;
    }
    if (n > copied)
        buf_put(out, text + copied, n - copied);
    words->failed |= out->failed;
    redact_words_unfold(&f);
    return count;
}
