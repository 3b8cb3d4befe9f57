#include "layout/difference/text_words.h"

#include <stdlib.h>

void text_words_free(struct text_words *list)
{
    free(list->words);
    free(list->pages);
    buf_free(&list->texts);
    *list = (struct text_words){ 0 };
}
