/*
 * layout_dump: who owns each word and fill of a page, for those who tune the layout analysis.
 *
 *     layout_dump FILE PAGE
 *
 * prints one line for each pass that ran ("pass NAME: N words, N fills"), for each owner the number
 * of characters that it claimed and that are in the model, and then every word and every fill with
 * its owner and area. The exit status is 2 if a pass claimed what it does not declare to claim.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "convert/convert.h"
#include "declare/tool_run/result.h"
#include "layout/complete.h"
#include "layout/page/unicode.h"
#include "layout/page/words.h"

static const char *const roles[] = {
    [ROLE_TEXT] = "",
    [ROLE_LABEL] = " label",
    [ROLE_LEADER] = " leader",
    [ROLE_AFTER_DOTS] = " after_dots",
    [ROLE_ELSEWHERE] = " elsewhere",
};

struct dump {
    size_t number; /* of the page, from 0 */
    size_t n_words, n_fills;
    bool there, faulty;
};

static size_t count_words(const struct page *page)
{
    size_t n = 0;

    for (size_t i = 0; i < page->n_words; i++)
        n += page->words[i].claimed_by != OWNER_NONE;
    return n;
}

static size_t count_fills(const struct page_content *content)
{
    size_t n = 0;

    for (size_t i = 0; i < content->n_fills; i++)
        n += content->fills[i].claimed_by != OWNER_NONE;
    return n;
}

static void print_word(const struct word *word)
{
    printf("word %s%s %.1f %.1f %.1f %.1f ", claim_name(word->claimed_by), roles[word->role],
           (double) word->area.x0, (double) word->area.y0, (double) word->area.x1,
           (double) word->area.y1);
    for (size_t i = 0; i < word->n_glyphs; i++) {
        char text[8];
        size_t n =
            unicode_is_text(word->glyphs[i].code) ? utf8_encode(word->glyphs[i].code, text) : 0;

        printf("%.*s", (int) n, text);
    }
    printf("\n");
}

static void print_page(const struct page_content *content, const struct page *page)
{
    struct complete_counts counts;

    complete_count(page, page->words, page->n_words, &counts);
    for (enum owner owner = OWNER_NONE; owner < OWNERS; owner++)
        if (counts.wanted[owner] || counts.found[owner])
            printf("owner %s: %zu characters, %zu in the model\n", claim_name(owner),
                   counts.wanted[owner], counts.found[owner]);
    for (size_t i = 0; i < page->n_words; i++)
        print_word(&page->words[i]);
    for (size_t i = 0; i < content->n_fills; i++) {
        const struct fill *fill = &content->fills[i];

        printf("fill %s %.1f %.1f %.1f %.1f\n", claim_name(fill->claimed_by),
               (double) fill->area.x0, (double) fill->area.y0, (double) fill->area.x1,
               (double) fill->area.y1);
    }
}

static void passed(void *hand, const struct layout_pass *pass, const struct page_content *content,
                   const struct page *page, bool last)
{
    struct dump *dump = hand;
    size_t n_words = count_words(page), n_fills = count_fills(content);

    if (content->number != dump->number)
        return;
    printf("pass %s: %zu words, %zu fills\n", pass->name, n_words, n_fills);
    if ((n_words != dump->n_words && !(pass->claims & LAYOUT_WORDS)) ||
        (n_fills != dump->n_fills && !(pass->claims & LAYOUT_FILLS))) {
        printf("pass %s claims what it does not declare\n", pass->name);
        dump->faulty = true;
    }
    dump->n_words = n_words;
    dump->n_fills = n_fills;
    dump->there = true;
    if (last)
        print_page(content, page);
}

static int write_nothing(void *to, const struct document_facts *facts,
                         const struct numbering *numbering, struct err *err)
{
    (void) to, (void) facts, (void) numbering, (void) err;
    return 0;
}

static int write_no_page(void *to, const struct page *page, const struct page_content *content,
                         struct err *err)
{
    (void) to, (void) page, (void) content, (void) err;
    return 0;
}

static int write_no_end(void *to, const struct header_sets *headers, const struct page_font *fonts,
                        struct err *err)
{
    (void) to, (void) headers, (void) fonts, (void) err;
    return 0;
}

static void ignore_progress(void *arg, double fraction)
{
    (void) arg, (void) fraction;
}

static void print_warning(void *arg, const char *code, const char *message)
{
    (void) arg;
    fprintf(stderr, "layout_dump: %s: %s\n", code, message);
}

static int convert(const char *path, struct dump *dump, struct err *err)
{
    static const struct tool tool = { .name = "layout_dump" };
    const struct tool_sink sink = { .progress = ignore_progress, .warning = print_warning };
    const struct writer writer = { .open = write_nothing,
                                   .page = write_no_page,
                                   .end = write_no_end };
    const struct layout_watch watch = { .passed = passed, .hand = dump };
    const struct convert_options options = { .pages = "all", .pictures = true, .watch = &watch };
    const struct tool_input input = { .path = path, .name = path };
    int output = memfd_create("layout_dump", MFD_CLOEXEC), done = -1;
    struct tool_result *result = tool_result_new(&tool, output, output, &sink, err);
    struct tool_run run = { .inputs = &input, .n_inputs = 1, .result = result };
    size_t n_pages;

    if (result)
        done = convert_document(&run, &options, &writer, &n_pages, err);
    tool_result_free(result);
    close(output);
    return done;
}

int main(int argc, char **argv)
{
    struct dump dump = { 0 };
    struct err err;

    if (argc != 3 || strtoul(argv[2], NULL, 10) == 0) {
        fprintf(stderr, "usage: layout_dump FILE PAGE\n");
        return 1;
    }
    dump.number = strtoul(argv[2], NULL, 10) - 1;
    if (convert(argv[1], &dump, &err) < 0) {
        fprintf(stderr, "layout_dump: %s\n", err.msg);
        return 1;
    }
    if (!dump.there) {
        fprintf(stderr, "layout_dump: there is no page %s\n", argv[2]);
        return 1;
    }
    return dump.faulty ? 2 : 0;
}
