#include "engine/office_text/missing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/scope.h"
#include "engine/office_text/folded.h"
#include "engine/office_text/shown.h"

#define HEADS       65536
#define STEPS       400000000 /* places that are looked at, all together: a second or two */
#define WORDS_BYTES 90        /* of the words that are named */
#define PLACE_BYTES 40

/* Where the letters have each sequence of three bytes: the head of a list by their hash, and in
 * `next` the position before that. Positions are from 1. */
struct index {
    struct buf letters;
    uint32_t heads[HEADS], *next;
    uint64_t found[HEADS]; /* hashes of words that are there, by the hash */
    size_t steps;
    struct buf word;
    struct missing *out;
    char last[PLACE_BYTES];
};

static size_t hash(const char *at)
{
    const unsigned char *p = (const unsigned char *) at;

    return (p[0] * 7919U ^ p[1] * 263U ^ p[2]) % HEADS;
}

static bool make_index(struct index *index)
{
    index->next = calloc(index->letters.len + 1, sizeof *index->next);
    for (size_t i = 0; index->next && i + 2 < index->letters.len; i++) {
        uint32_t *head = &index->heads[hash(index->letters.data + i)];

        index->next[i + 1] = *head;
        *head = (uint32_t) i + 1;
    }
    return index->next;
}

static bool has_word(struct index *index, const char *word, size_t n)
{
    uint64_t of_word = fnv_bytes(FNV_START, word, n), *found = &index->found[of_word % HEADS];

    if (n < 3 || *found == of_word)
        return true;
    for (uint32_t i = index->heads[hash(word)]; i; i = index->next[i]) {
        bool same =
            i - 1 + n <= index->letters.len && memcmp(index->letters.data + i - 1, word, n) == 0;

        if (same)
            *found = of_word;
        if (same || ++index->steps > STEPS)
            return true;
    }
    return false;
}

static void check_word(void *arg, const char *word, size_t n, const char *place)
{
    struct index *index = arg;
    struct missing *out = index->out;

    index->word.len = 0;
    folded_put(&index->word, word, n);
    if (has_word(index, buf_text(&index->word), index->word.len))
        return;
    if (out->n++ == 0)
        buf_puts(&out->place, place);
    else if (strcmp(place, index->last) != 0)
        out->more++;
    snprintf(index->last, sizeof index->last, "%s", place);
    if (out->words.len + n < WORDS_BYTES && out->more == 0) {
        buf_puts(&out->words, out->words.len ? " " : "");
        buf_put(&out->words, word, n);
    }
}

static int compare_words(const char *path, const struct wanted *what, struct index *index,
                         struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);

    if (!zip)
        return -1;
    if (!make_index(index))
        return err_set(err, ERR_INTERNAL, "out of memory");
    return wanted_words(zip, what, check_word, index, err);
}

int missing_words(const char *path, const struct wanted *what, qpdf_data q, size_t n_pages,
                  struct missing *out, struct err *err)
{
    AUTO_FREE struct index *index = calloc(1, sizeof *index);
    bool whole;
    int done;

    *out = (struct missing){ 0 };
    if (!index)
        return err_set(err, ERR_INTERNAL, "out of memory");
    index->out = out;
    done = shown_letters(q, n_pages, &index->letters, &whole, err);
    if (done == 0 && whole)
        done = compare_words(path, what, index, err);
    free(index->next);
    buf_free(&index->letters);
    buf_free(&index->word);
    return done;
}

void missing_free(struct missing *missing)
{
    buf_free(&missing->words);
    buf_free(&missing->place);
}
