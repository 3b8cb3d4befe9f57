#include "engine/ocr/layer_choice.h"

#include <stdlib.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "engine/layer_fit/layer_words.h"

#define SURE     60  /* least mean confidence of a reading that replaces a layer */
#define FEW      8   /* words of a reading say nothing */
#define SAME     0.7 /* part of the layer's words that are in a reading that says the same */
#define MORE     1.3 /* times as many words as the layer has, of a reading that has more text */
#define LETTERS  3   /* least letters of words that are compared */
#define WORD     100 /* characters of a word that are compared */
#define NO_SCALE 1   /* the places of words do not matter */

static int compare_hashes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

    return (x > y) - (x < y);
}

/* The hashes of the words that were read, in order; to be freed. */
static uint32_t *hash_words(const struct layer_page *page)
{
    uint32_t *hashes = calloc((size_t) page->n_words + 1, sizeof *hashes);

    for (uint32_t i = 0; hashes && i < page->n_words; i++) {
        const struct layer_word *word = &page->words[i];
        uint32_t characters[WORD];
        size_t n = 0, at = 0;

        while (at < word->n && n < WORD)
            characters[n++] = utf8_next(page->text + word->text, word->n, &at);
        hashes[i] = layer_words_hash(characters, n);
    }
    if (hashes)
        qsort(hashes, page->n_words, sizeof *hashes, compare_hashes);
    return hashes;
}

/* The part of the layer's words that were read, too. */
static double agreement(const struct layer_words *layer, const uint32_t *hashes, uint32_t n)
{
    size_t all = 0, same = 0;

    for (size_t i = 0; i < layer->n; i++) {
        if (layer->boxes[i].letters < LETTERS)
            continue;
        all++;
        same += bsearch(&layer->boxes[i].hash, hashes, n, sizeof *hashes, compare_hashes) != NULL;
    }
    return all ? (double) same / (double) all : 0;
}

/* Whether the reading is another one than the layer. */
static bool differs(const struct page_result *page, const struct layer_words *layer, double same)
{
    switch (page->fault) {
    case LAYER_MISPLACED:
        return true;
    case LAYER_SHORT:
        return page->text.n_words > MORE * (double) layer->n;
    case LAYER_ODD:
    case LAYER_FITS:
        break;
    }
    return same < SAME;
}

static int choose_text(struct mupdf_document *doc, size_t number, struct page_result *page,
                       struct err *err)
{
    __attribute__((cleanup(layer_words_free))) struct layer_words layer = { 0 };
    AUTO_FREE uint32_t *hashes = hash_words(&page->text);
    bool sure = page->confidence >= SURE && page->text.n_words >= FEW, other;

    if (!hashes)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there is no memory for the words of a page");
    if (layer_words_read(doc, number, NO_SCALE, &layer, err) < 0)
        return -1;
    other = differs(page, &layer, agreement(&layer, hashes, page->text.n_words));
    if (sure && other)
        return 0;
    page_result_free(page);
    page->outcome = PAGE_HAS_TEXT;
    if (!other)
        page->fault = LAYER_FITS;
    return 0;
}

int layer_choice_make(struct mupdf_document *doc, struct page_result *pages, size_t n,
                      struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (pages[i].fault == LAYER_FITS)
            continue;
        if (pages[i].outcome != PAGE_READ)
            pages[i].outcome = PAGE_HAS_TEXT; /* it could not be read in time, or at all */
        else if (choose_text(doc, i, &pages[i], err) < 0)
            return -1;
    }
    return 0;
}
