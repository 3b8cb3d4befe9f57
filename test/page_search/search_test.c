/* Tests of engine/page_search/search and presets: what is found in text. */
#include "engine/page_search/search.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "engine/page_search/presets.h"
#include "tap.h"

struct result {
    const struct plain_source *source;
    struct buf out;
    size_t found[20][2], n;
};

static void note(void *arg, const struct search_term *term, size_t begin, size_t end)
{
    struct result *result = arg;

    (void) term;
    /* The same place may be found in several ways. */
    for (size_t i = 0; i < result->n; i++)
        if (result->found[i][0] == begin && result->found[i][1] == end)
            return;
    result->found[result->n][0] = begin;
    result->found[result->n++][1] = end;
    buf_puts(&result->out, result->out.len ? "|" : "");
    for (size_t i = begin; i < end; i++)
        utf8_put(result->source->codes[i], &result->out);
}

/* What is found in the text, whose lines end with \n. */
static void finds(const struct search_wish *wish, const char *text, const char *wanted,
                  const char *what)
{
    AUTO_SEARCH struct search search = { 0 };
    uint32_t codes[300];
    bool line[300] = { true };
    struct plain_source source = { codes, line, 0 };
    struct result result = { .source = &source, .out = BUF_EMPTY };
    struct err err = { 0 };

    for (size_t at = 0, n = strlen(text); at < n;) {
        if (text[at] == '\n') {
            at++;
            line[source.n] = true;
        } else {
            line[source.n] = source.n == 0 || line[source.n];
            codes[source.n++] = utf8_next(text, n, &at);
            line[source.n] = false;
        }
    }
    ok(search_open(&search, wish, &err) == 0 &&
           search_source(&search, &source, note, &result, &err) == 0,
       "searched");
    is_str(buf_text(&result.out), wanted, "%s", what);
    buf_free(&result.out);
}

static void texts(void)
{
    const struct search_wish name = { .text = "John  Smith" };
    const struct search_wish word = { .text = "well-known" };
    const struct search_wish street = { .text = "Stra\xc3\x9f"
                                                "e" };
    const struct search_wish accent = { .text = "caf\xc3\xa9" };
    const struct search_wish whole = { .text = "art", .whole_words = true };

    finds(&name, "a JOHN\nSMITH b", "JOHNSMITH", "text on two lines");
    finds(&name, "JohnSmith", "JohnSmith", "text without its space");
    finds(&name, "John\xc2\xa0 Smith", "John\xc2\xa0 Smith", "text with other spaces");
    finds(&word, "well-\nknown", "well-known", "a hyphen at the end of a line that belongs there");
    finds(&word, "well\xe2\x80\x91known", "well\xe2\x80\x91known", "another kind of hyphen");
    finds(&street, "STRASSE", "STRASSE", "sharp s in capitals");
    finds(&accent, "cafe\xcc\x81", "cafe\xcc\x81", "a letter with its accent apart");
    finds(&accent, "\xef\xbd\x83\xef\xbd\x81\xef\xbd\x86\xc3\xa9",
          "\xef\xbd\x83\xef\xbd\x81\xef\xbd\x86\xc3\xa9", "full-width letters");
    finds(&(struct search_wish){ .text = "important" }, "im\nportant\nim\nport", "important",
          "a word that a line cuts without a hyphen");
    finds(&(struct search_wish){ .text = "the" }, "t\nhe", "", "but no short word");
    finds(&whole, "party art, Arthur", "art", "whole words only");
    finds(&(struct search_wish){ .text = "important" }, "im\xc2\xadpor\xc2\xad\ntant",
          "im\xc2\xadpor\xc2\xadtant", "soft hyphens");
    finds(&(struct search_wish){ .text = "\xe6\x9d\xb1\xe4\xba\xac" }, "\xe6\x9d\xb1\n\xe4\xba\xac",
          "\xe6\x9d\xb1\xe4\xba\xac", "text of a script without spaces on two lines");
}

static uint64_t bit(const char *name)
{
    for (size_t i = 0; presets_names[i]; i++)
        if (strcmp(presets_names[i], name) == 0)
            return UINT64_C(1) << i;
    return 0;
}

static void preset(const char *name, const char *text, const char *wanted)
{
    finds(&(struct search_wish){ .presets = bit(name) }, text, wanted, name);
}

int main(void)
{
    texts();
    preset("email", "<ada.l@sub.example.org>, x@y", "ada.l@sub.example.org");
    preset("iban", "GB29 NWBK 6016 1331 9268 19 and DE00", "GB29 NWBK 6016 1331 9268 19");
    preset("card", "4111-1111-1111-1111 12/26", "4111-1111-1111-1111");
    preset("phone", "+49 (0)30 123456-7, 030/1234567, (212) 555-0123, 12",
           "+49 (0)30 123456-7|030/1234567|(212) 555-0123");
    preset("date", "2024-02-30 2024-02-28 1. M\xc3\xa4rz 2020 March 3, 2021 5/6/99",
           "2024-02-28|1. M\xc3\xa4rz 2020|March 3, 2021|5/6/99");
    preset("ip", "10.0.0.256 10.0.0.1 2001:db8::1", "10.0.0.1|2001:db8::1");
    preset("url", "see https://a.example/b.", "https://a.example/b");
    preset("mac", "00:1B:44:11:3a:b7", "00:1B:44:11:3a:b7");
    preset("de-steuer-id", "86 095 742 719 86095742718", "86 095 742 719");
    preset("fr-nir", "2 55 08 14 168 025 38", "2 55 08 14 168 025 38");
    preset("uk-nino", "AB 12 34 56 C", "AB 12 34 56 C");
    return done_testing();
}
