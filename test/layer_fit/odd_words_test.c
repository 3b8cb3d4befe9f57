/* odd_words: words of several languages are none that is odd; what was read in another script is.
 */
#include <string.h>

#include "base/utf8.h"
#include "engine/layer_fit/odd_words.h"
#include "tap.h"

static struct odd_words count(const char *text)
{
    struct odd_words words = { 0 };
    size_t n = strlen(text), at = 0, used = 0;
    uint32_t token[100], c;

    do {
        c = utf8_next(text, n, &at);
        if (c > ' ' && used < 100)
            token[used++] = c;
        else if (used > 0) {
            odd_words_count(&words, token, used);
            used = 0;
        }
    } while (c);
    return words;
}

int main(void)
{
    struct odd_words words =
        count("The harbour-master's list, 3rd of May 1953: 12,000 items (see A4) \u2013 don't e.g. "
              "Stra\u00dfen \u00c9tat \u00f1and\u00fa \u0141\u00f3d\u017a pr\u00e8s NATO II. "
              "\u0411\u044b\u043b\u0438 \u03bb\u03b9\u03bc\u03ad\u03bd\u03b1\u03c2 "
              "\u00b5\u03ad\u03c1\u03bf\u03c2 "
              "\u5de5\u5834 \u05e1\u05e4\u05d9\u05e0\u05d4");

    ok(words.odd == 0, "words of several languages are not odd");
    ok(words.words >= 20, "and all are counted");
    words = count("Konn4uecTso pacctosHue qzxv th~e aaaa 1l1iI");
    ok(words.words == 6 && words.odd == 6,
       "capitals, digits and signs in words are odd, and words without vowels");
    words = count("c\u043et");
    ok(words.odd == 1, "so is a word of two scripts");
    words = count("~~ | . \xef\xbf\xbd\xef\xbf\xbd");
    ok(words.words == 0 && words.symbols == 4, "signs alone are no words");
    ok(words.unknown == 2 && words.known == 4, "characters that say nothing are counted");
    return done_testing();
}
