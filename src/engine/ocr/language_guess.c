#include "engine/ocr/language_guess.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/scope.h"

#define WORD       24   /* bytes of a longest word in the lists, and more */
#define LEAST_HITS 6    /* words of the language that a text must have */
#define LEAST_PART 0.08 /* part of the text's words that they are */
#define LEAD       1.5  /* times as many as of the language after it */

/* The words are compared in lower case without what is not ASCII, so that a wrong accent does not
 * matter; those that several languages share say nothing between them. */
static const struct {
    const char *code, *words;
} known[] = {
    { "eng", " the of and to in is that for it with as was on be by this are or from at which not "
             "have an they you were their been has would there will its these than when " },
    { "deu", " der die und den von zu das mit sich des auf ist im dem nicht ein eine als auch es "
             "an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem oder war "
             "fur uber zum zur durch kann " },
    { "fra", " de la le et les des en un du une que est dans qui par pour au il sur ce pas plus ne "
             "se sont avec son ou aux cette ont mais nous comme leur sa ces ses etre ete " },
    { "spa", " de la que el en y los se del las por un para con no una su al es lo como mas pero "
             "sus le ha este si entre cuando muy sin sobre ser tiene hasta hay esta desde " },
    { "ita",
      " di e il la che in un per del non una sono da con si le della dei alla nel come anche "
      "gli al lo ha delle questo piu ma nella dal essere ed stato " },
    { "por",
      " de a o que e do da em um para com uma os no se na por mais as dos como mas foi ao "
      "ele das tem seu sua ou ser quando muito nos ja eu tambem pelo pela ate isso nao sao " },
    { "nld", " de het een en van in is dat op te zijn met voor niet aan er om ook als dan maar bij "
             "nog uit naar heeft door over ze werd wordt deze worden hij kan " },
    { "pol",
      " w i na z sie nie do to ze jest o jak za od po przez dla byl ktory oraz tym jego tego "
      "ma przy czy moze ich lub juz tylko jako " },
    { "ces", " a se v na je ze o s z do i to za by pro k po jako ve od byl ale nebo jsou aby podle "
             "ktery kter tak jeho bylo pri roku jeste " },
    { "swe", " och i att det som en av for den med ett inte om har de var till vid men kan sig man "
             "fran eller ska efter nar under ar pa " },
    { "dan", " og i at det er en til af den for med de ikke der som et har om var fra han vi kan "
             "blev ved eller efter sig ogs vil men pa " },
    { "tur", " ve bir bu da de icin ile olarak daha olan gibi en kadar ne sonra cok var ancak "
             "tarafindan ise her ya iki " },
    { "ron", " de si in a la cu pe din care nu un este o se pentru mai ca sau fost prin sunt ale "
             "lui ai cele dar au al " },
    { "hun", " a az es hogy nem is egy ez volt meg csak azt de van ha vagy mint el ki ezt kell "
             "lehet mar majd " },
    { "fin", " ja on ei se ett oli en ovat mutta joka kun niin mit tai voi kuin my sen sit jos "
             "hn vuonna " },
};

static const struct {
    const char *script, *codes[7];
} scripts[] = {
    { "Cyrillic", { "rus", "ukr", "bul", "srp", "bel", "mkd" } },
    { "Greek", { "ell", "grc" } },
    { "Arabic", { "ara", "fas", "urd" } },
    { "Hebrew", { "heb", "yid" } },
    { "Han", { "chi_sim", "chi_tra", "jpn" } },
    { "HanS", { "chi_sim", "chi_tra" } },
    { "HanT", { "chi_tra", "chi_sim" } },
    { "Japanese", { "jpn" } },
    { "Hiragana", { "jpn" } },
    { "Katakana", { "jpn" } },
    { "Korean", { "kor" } },
    { "Hangul", { "kor" } },
    { "Devanagari", { "hin", "mar", "nep", "san" } },
    { "Bengali", { "ben", "asm" } },
    { "Gujarati", { "guj" } },
    { "Gurmukhi", { "pan" } },
    { "Kannada", { "kan" } },
    { "Malayalam", { "mal" } },
    { "Tamil", { "tam" } },
    { "Telugu", { "tel" } },
    { "Thai", { "tha" } },
    { "Georgian", { "kat" } },
    { "Armenian", { "hye" } },
    { "Fraktur", { "frk", "deu" } },
};

/* " word " in lower case, of its ASCII letters; false if it has too many. */
static bool plain(const char *text, size_t n, char out[static WORD + 3])
{
    size_t used = 0;

    out[used++] = ' ';
    for (size_t i = 0; i < n; i++) {
        if (!isalpha((unsigned char) text[i]))
            continue;
        if (used > WORD)
            return false;
        out[used++] = (char) tolower((unsigned char) text[i]);
    }
    out[used++] = ' ';
    out[used] = '\0';
    return used > 2;
}

const char *language_guess(const struct layer_page *page)
{
    size_t hits[COUNT(known)] = { 0 }, n = 0, best = 0, second;

    for (uint32_t i = 0; i < page->n_words; i++) {
        const struct layer_word *word = &page->words[i];
        char text[WORD + 3];

        if (!plain(page->text + word->text, word->n, text))
            continue;
        n++;
        for (size_t k = 0; k < COUNT(known); k++)
            hits[k] += strstr(known[k].words, text) != NULL;
    }
    for (size_t k = 1; k < COUNT(known); k++)
        best = hits[k] > hits[best] ? k : best;
    second = best == 0;
    for (size_t k = 0; k < COUNT(known); k++)
        second = k != best && hits[k] > hits[second] ? k : second;
    if (hits[best] < LEAST_HITS || (double) hits[best] < LEAST_PART * (double) n ||
        (double) hits[best] < LEAD * (double) hits[second])
        return NULL;
    return known[best].code;
}

const char *const *language_guess_of_script(const char *script)
{
    for (size_t i = 0; i < COUNT(scripts); i++)
        if (strcmp(scripts[i].script, script) == 0)
            return scripts[i].codes;
    return NULL;
}
