#include "convert/cipher_text.h"

#include <stdbool.h>
#include <string.h>

#include "layout/page/words.h"

#define LEAST       60   /* characters */
#define STRANGE     0.6F /* the part of the characters that are in strange words, at least */
#define LONGEST     40   /* letters that follow each other */
#define LEAST_WORDS 20   /* words of Latin letters */
#define SPOKEN      4    /* letters of a word that has a vowel */
#define SILENT      0.5F /* the part of the words without one, at least */

struct cipher {
    size_t n, strange;      /* characters */
    size_t n_words, silent; /* words of Latin letters */
};

static bool is_latin(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Letters of other scripts, ligatures and accents count as letters. */
static bool is_word_character(uint32_t c)
{
    return is_latin(c) || (c >= '0' && c <= '9') || c >= 0xa0;
}

/* What stands between the letters and digits of names, numbers, dates and addresses. */
static bool is_joiner(uint32_t c)
{
    return c < 0x80 && c != 0 && strchr("'-.,:/_@", (int) c) != NULL;
}

static void weigh_word(struct cipher *cipher, const struct glyph *word, size_t n)
{
    size_t begin = 0, end = n, latin = 0, run = 0;
    bool strange = false, vowel = false;

    while (begin < end && !is_word_character(word[begin].code))
        begin++;
    while (end > begin && !is_word_character(word[end - 1].code))
        end--;
    for (size_t i = begin; i < end; i++) {
        uint32_t c = word[i].code;

        strange |= !is_word_character(c) && !is_joiner(c);
        latin += is_latin(c);
        run = is_latin(c) ? run + 1 : 0;
        strange |= run > LONGEST;
        vowel |= c >= 0x80 || (is_latin(c) && strchr("aeiouyAEIOUY", (int) c));
    }
    strange |= begin == end && n > SPOKEN;
    cipher->n += n;
    cipher->strange += strange ? n : 0;
    if (latin == end - begin && latin >= SPOKEN) {
        cipher->n_words++;
        cipher->silent += !vowel;
    }
}

size_t cipher_text_count(const struct page_content *content, const struct page *page)
{
    struct cipher cipher = { 0 };

    for (size_t i = 0; i < page->n_words && content->n_fonts; i++) {
        const struct word *word = &page->words[i];

        if (word->n_glyphs > 0 && content->fonts[word->glyphs[0].font].type3)
            weigh_word(&cipher, word->glyphs, word->n_glyphs);
    }
    if (cipher.n < LEAST)
        return 0;
    return (float) cipher.strange >= STRANGE * (float) cipher.n ||
                   (cipher.n_words >= LEAST_WORDS &&
                    (float) cipher.silent >= SILENT * (float) cipher.n_words)
               ? cipher.n
               : 0;
}
