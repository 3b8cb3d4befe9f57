#include "layout/complete.h"

static size_t in_paragraph(const struct paragraph *p)
{
    size_t n = p->n_label;

    for (size_t i = 0; i < p->n_runs; i++)
        for (size_t k = 0; p->runs[i].footnote && k < p->runs[i].footnote->n_paragraphs; k++)
            n += in_paragraph(&p->runs[i].footnote->paragraphs[k]);

    /* A character begins with a byte that is not a continuation byte of UTF-8. */
    for (size_t i = 0; i < p->n_runs; i++)
        for (size_t k = 0; k < p->runs[i].len; k++)
            n += p->runs[i].text[k] != ' ' && p->runs[i].text[k] != '\t' &&
                 ((unsigned char) p->runs[i].text[k] & 0xc0) != 0x80;
    return n;
}

static size_t in_blocks(const struct block *blocks, size_t n)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (blocks[i].kind == BLOCK_PARAGRAPH)
            sum += in_paragraph(&blocks[i].paragraph);
        if (blocks[i].kind == BLOCK_TABLE)
            for (size_t k = 0; k < blocks[i].table.n_cells; k++)
                sum +=
                    in_blocks(blocks[i].table.cells[k].blocks, blocks[i].table.cells[k].n_blocks);
    }
    return sum;
}

void complete_count(const struct page *page, const struct word *words, size_t n,
                    struct complete_counts *counts)
{
    *counts = (struct complete_counts){ 0 };
    for (size_t i = 0; i < n; i++) {
        enum owner owner = words[i].claimed_by;

        counts->wanted[owner] += words[i].dots && words_is_apart(&words[i]) ? 0 : words[i].n_glyphs;
        if (owner == OWNER_HEADER_FOOTER || owner == OWNER_CHART)
            counts->found[owner] += words[i].n_glyphs;
    }
    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            const struct block *block = &page->sections[i].blocks.items[k];

            if (block->owner != OWNER_HEADER_FOOTER) /* counted above */
                counts->found[block->owner] += in_blocks(block, 1);
        }
    for (size_t i = 0; i < page->n_text_boxes; i++)
        counts->found[page->text_boxes[i].owner] += in_paragraph(&page->text_boxes[i].paragraph);
}

bool complete_is(const struct page *page, const struct word *words, size_t n)
{
    struct complete_counts counts;
    size_t wanted = 0, found = 0;

    complete_count(page, words, n, &counts);
    for (size_t i = 0; i < OWNERS; i++) {
        wanted += counts.wanted[i];
        found += counts.found[i];
    }
    return found * 100 >= wanted * 98;
}
