/* Claims of words and fills, and the count of what they put into the model. */
#include "layout/complete.h"
#include "layout/page/words.h"
#include "tap.h"

static void claims(void)
{
    struct word word = { 0 }, reserved = { 0 };
    struct fill fill = { 0 };

    ok(claim_word(&word, OWNER_RULED_TABLE) && word.claimed_by == OWNER_RULED_TABLE,
       "a word belongs to the first that claims it");
    ok(claim_word(&word, OWNER_RULED_TABLE), "who may claim it again");
    ok(!claim_word(&word, OWNER_TEXT) && word.claimed_by == OWNER_RULED_TABLE,
       "and keeps it when another one does");
    claim_reserve(&reserved);
    ok(!claim_word(&reserved, OWNER_HEADER_FOOTER) && reserved.claimed_by == OWNER_NONE,
       "a word that is reserved for a table is not in a header");
    ok(claim_word(&reserved, OWNER_BORDERLESS_TABLE), "but in any kind of table");
    ok(claim_fill(&fill, OWNER_DECORATION) && !claim_fill(&fill, OWNER_RULED_TABLE) &&
           fill.claimed_by == OWNER_DECORATION,
       "a fill has one owner too");
    for (enum owner owner = OWNER_NONE; owner < OWNERS; owner++)
        ok(claim_name(owner) && *claim_name(owner), "owner %d has a name", (int) owner);
}

static void counts(void)
{
    struct run run = { .text = "seven", .len = 5 };
    struct block block = { .kind = BLOCK_PARAGRAPH,
                           .owner = OWNER_FRAME,
                           .paragraph = { .runs = &run, .n_runs = 1 } };
    struct section section = { .n_columns = 1, .blocks = { .items = &block, .n = 1 } };
    struct page page = { .sections = &section, .n_sections = 1 };
    struct word words[] = { { .n_glyphs = 5, .claimed_by = OWNER_FRAME },
                            { .n_glyphs = 4, .claimed_by = OWNER_RULED_TABLE },
                            { .n_glyphs = 3, .claimed_by = OWNER_HEADER_FOOTER } };
    struct complete_counts counts;

    complete_count(&page, words, 3, &counts);
    ok(counts.wanted[OWNER_FRAME] == 5 && counts.found[OWNER_FRAME] == 5,
       "the characters of a frame are in the model");
    ok(counts.wanted[OWNER_RULED_TABLE] == 4 && counts.found[OWNER_RULED_TABLE] == 0,
       "those that a table claimed and lost are counted as its");
    is_int((int) counts.found[OWNER_HEADER_FOOTER], 3, "those of a header are in it");
    ok(!complete_is(&page, words, 3), "the page is not complete");
    words[1].n_glyphs = 0;
    ok(complete_is(&page, words, 3), "without them it is");
}

int main(void)
{
    claims();
    counts();
    return done_testing();
}
