#include "write/docx/headers.h"

#include <stdio.h>

#include "write/docx/parts.h"

/* A header or footer. */
static int put_one(struct package *package, const struct sections *sections, bool foot,
                   const char *name, const struct block_list *blocks, const struct page_font *fonts,
                   struct buf *types, struct err *err)
{
    struct body body = { .fonts = fonts,
                         .family = sections->options->family,
                         .size = sections->options->size };
    const char *element = foot ? "ftr" : "hdr";
    char part[80];
    int done;

    buf_printf(&body.xml, XML_HEAD "<w:%s " XML_W " " XML_R ">", element);
    if (blocks->n)
        body_blocks(&body, blocks->items, blocks->n);
    else
        body_spacer(&body, 1);
    buf_printf(&body.xml, "</w:%s>", element);
    parts_type(types, name, foot ? "footer" : "header");
    snprintf(part, sizeof part, "word/%s", name);
    done = package_part(package, part, body.xml.data, body.xml.len, false, err);
    if (done == 0 && body.n_rels) {
        snprintf(part, sizeof part, "word/_rels/%s.rels", name);
        done = package_rels(package, part, &body.rels, err);
    }
    body_free(&body);
    return done;
}

int headers_put(struct package *package, const struct sections *sections,
                const struct header_sets *headers, const struct page_font *fonts, struct buf *types,
                struct err *err)
{
    static const struct block_list nothing;
    int done = 0;

    for (size_t i = 0; i < sections->n_sets; i++)
        for (int part = 0; part < 4 && done == 0; part++) {
            bool foot = part / 2;
            int side = part % 2;
            const struct section_rels *rels = &sections->sets[i];
            const struct header_set *set = header_sets_find(headers, i, side);

            if (set && (foot ? rels->foot[side] : rels->head[side]))
                done = put_one(package, sections, foot,
                               section_part(foot ? "footer" : "header", i, side).text,
                               foot ? &set->foot[side] : &set->head[side], fonts, types, err);
        }
    for (int part = 0; part < 4 && done == 0; part++) {
        bool foot = part / 2, only_number = part % 2;
        const struct section_rels *rels = only_number ? &sections->only_number : &sections->none;
        const struct block_list *blocks = foot ? &headers->number_foot : &headers->number_head;

        if (foot ? rels->foot[0] : rels->head[0])
            done = put_one(package, sections, foot,
                           section_part(foot ? "footer" : "header",
                                        only_number ? SECTION_ONLY_NUMBER : SECTION_NO_HEADER, 0)
                               .text,
                           only_number ? blocks : &nothing, fonts, types, err);
    }
    return done;
}
