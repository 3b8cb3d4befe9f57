#include "layout/page/page_content.h"

#include <stdlib.h>

void page_content_free(struct page_content *content)
{
    for (size_t i = 0; i < content->n_pictures; i++)
        free(content->pictures[i].bytes);
    for (size_t i = 0; i < content->n_links; i++)
        free(content->links[i].uri);
    free(content->glyphs);
    free(content->fills);
    free(content->pictures);
    free(content->links);
    for (size_t i = 0; i < content->n_notes; i++) {
        free(content->notes[i].author);
        free(content->notes[i].text);
        free(content->notes[i].picture);
    }
    free(content->notes);
    for (size_t i = 0; i < content->n_fields; i++) {
        free(content->fields[i].name);
        free(content->fields[i].options);
        free(content->fields[i].value);
    }
    free(content->fields);
    free(content->unread);
    free(content->drawings);
    free(content->own_fonts);
    free(content->reaches);
    language_tags_free(&content->languages);
    *content = (struct page_content){ 0 };
}
