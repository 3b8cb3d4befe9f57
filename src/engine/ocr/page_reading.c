#include "engine/ocr/page_reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/ocr/language_guess.h"
#include "engine/ocr/languages.h"

/* A page that is read with less confidence may be turned, or in another script. */
#define DOUBTFUL  65
#define FEW_WORDS 8 /* so few words say nothing about a page */
/* Of a page with so little text, in bytes, Tesseract cannot tell which way up it is. Read upside
 * down it has such a confidence. */
#define LITTLE_TEXT 400
#define ABSURD      50
/* Least sureness of Tesseract in the way a page that reads badly is turned, and in its script. */
#define SURE_TURN   6.0
#define SURE_SCRIPT 1.0
/* Points of confidence that a language may lose against another that fits less. */
#define WORSE 3

const char *page_reading_first(const struct page_reading *reading)
{
    if (reading->languages)
        return reading->languages;
    if (reading->hint)
        return reading->hint;
    return languages_has("eng") || !languages_installed[1] ? "eng" : languages_installed[1];
}

/* Reads into a second recognition with the same room. NULL if there is no memory, or reading fails:
 * the first one then stays. */
static struct recognition *read_again(struct scan *scan, const struct recognizer_options *options,
                                      const struct recognition *like)
{
    size_t lines = like->max_lines * sizeof *like->page.lines;
    size_t words = like->max_words * sizeof *like->page.words;
    struct recognition *again = calloc(1, sizeof *again + lines + words + like->max_text);
    struct err ignored;

    if (!again)
        return NULL;
    again->max_lines = like->max_lines;
    again->max_words = like->max_words;
    again->max_text = like->max_text;
    again->page.lines = (struct layer_line *) (void *) (again + 1);
    again->page.words = (struct layer_word *) (void *) ((char *) (again + 1) + lines);
    again->page.text = (char *) (again + 1) + lines + words;
    if (recognizer_read(scan, options, again, &ignored) == 0)
        return again;
    free(again);
    return NULL;
}

static void use_instead(struct recognition *out, const struct recognition *from)
{
    struct layer_page page = out->page;

    memcpy(page.lines, from->page.lines, from->page.n_lines * sizeof *page.lines);
    memcpy(page.words, from->page.words, from->page.n_words * sizeof *page.words);
    memcpy(page.text, from->page.text, from->page.n_text);
    page.n_lines = from->page.n_lines;
    page.n_words = from->page.n_words;
    page.n_text = from->page.n_text;
    *out = *from;
    out->page = page;
}

/* How much was read, and how well. */
static double worth(const struct recognition *r)
{
    return (double) r->confidence * r->confidence * r->page.n_text;
}

static bool is_doubtful(const struct recognition *r)
{
    return r->confidence < DOUBTFUL || r->page.n_words < FEW_WORDS;
}

/* The first language of a script that is installed; NULL if there is none. */
static const char *installed_of(const char *script)
{
    const char *const *codes = language_guess_of_script(script);

    for (; codes && *codes; codes++)
        if (languages_has(*codes))
            return *codes;
    return NULL;
}

/* Reads the page again, and keeps what is worth more. Whether that is the new reading. */
static bool try_again(struct scan *scan, const struct recognizer_options *options,
                      struct recognition *out)
{
    AUTO_FREE struct recognition *again = read_again(scan, options, out);

    if (!again || worth(again) <= worth(out))
        return false;
    snprintf(again->script, sizeof again->script, "%s", out->script);
    use_instead(out, again);
    return true;
}

/* Reads the page turned by half: its lines are level then, too. */
static void try_upside_down(struct scan *scan, struct recognizer_options *options,
                            struct recognition *out)
{
    options->turn = 180;
    if (!try_again(scan, options, out))
        options->turn = 0;
}

/* Reads the page once more with the language's data for vertical lines, if these are installed. */
static void try_vertical(struct scan *scan, const struct recognizer_options *options,
                         const char *language, struct recognition *out)
{
    struct recognizer_options vertical = *options;
    char code[sizeof out->language];

    snprintf(code, sizeof code, "%.20s_vert", language);
    vertical.languages = code;
    if (languages_has(code))
        try_again(scan, &vertical, out);
}

/* Looks which way up the page is, and in which script, and reads it again if that differs from how
 * it was read. */
static void look_again(struct scan *scan, const struct page_reading *reading,
                       struct recognizer_options *options, struct recognition *out)
{
    struct recognizer_view view;
    const char *language = NULL;

    if (!recognizer_look(scan, &view))
        return;
    if (!reading->languages && view.script_sure >= SURE_SCRIPT) {
        language = installed_of(view.script);
        snprintf(out->script, sizeof out->script, "%s", view.script);
    }
    if (language)
        options->languages = language;
    if (view.turn_sure >= SURE_TURN)
        options->turn = view.turn;
    if (!language && options->turn == 0)
        return;
    try_again(scan, options, out);
    if (language && is_doubtful(out))
        try_vertical(scan, options, language, out);
}

/* Reads the page in the language that its words are of, if that is another one. */
static void settle_language(struct scan *scan, struct recognizer_options *options,
                            struct recognition *out)
{
    const char *guess = language_guess(&out->page);
    AUTO_FREE struct recognition *again = NULL;

    if (!guess || strcmp(guess, out->language) == 0)
        return;
    snprintf(out->wanted, sizeof out->wanted, "%s", guess);
    if (!languages_has(guess))
        return;
    options->languages = guess;
    again = read_again(scan, options, out);
    if (again && again->confidence + WORSE >= out->confidence)
        use_instead(out, again);
    *out->wanted = '\0';
}

int page_reading_read(struct scan *scan, const struct page_reading *reading,
                      struct recognition *out, struct err *err)
{
    struct recognizer_options options = { .languages = page_reading_first(reading),
                                          .stop = reading->stop };

    if (recognizer_read(scan, &options, out, err) < 0)
        return -1;
    if (is_doubtful(out))
        look_again(scan, reading, &options, out);
    if (options.turn == 0 && out->page.n_words > 0 && out->confidence < ABSURD &&
        out->page.n_text < LITTLE_TEXT)
        try_upside_down(scan, &options, out);
    if (!reading->languages)
        settle_language(scan, &options, out);
    return 0;
}
