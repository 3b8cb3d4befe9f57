#include "base/language_tags.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define SUBTAG 8 /* characters of a part of a tag, at most */

static bool is_tag_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int language_tags_clean(const char *text, char tag[static LANGUAGE_TAGS_LENGTH])
{
    size_t n = strlen(text), part = 0;

    if (n >= LANGUAGE_TAGS_LENGTH || (n > 0 && !is_tag_letter(text[0])))
        return -1;
    for (size_t i = 0; i < n; i++) {
        bool divides = text[i] == '-' || text[i] == '_';

        if (!divides && !is_tag_letter(text[i]) && !(text[i] >= '0' && text[i] <= '9'))
            return -1;
        if ((divides && (part == 0 || i + 1 == n)) || (!divides && part == SUBTAG))
            return -1;
        part = divides ? 0 : part + 1;
        tag[i] = divides ? '-' : text[i];
    }
    tag[n] = '\0';
    return 0;
}

uint8_t language_tags_add(struct language_tags *list, const char *text)
{
    char tag[LANGUAGE_TAGS_LENGTH];

    if (language_tags_clean(text, tag) < 0)
        return 0;
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i], tag) == 0)
            return (uint8_t) (i + 1);
    if (list->n == UINT8_MAX || !LIST_ROOM(list->items, list->n, list->cap))
        return 0;
    memcpy(list->items[list->n++], tag, sizeof tag);
    return (uint8_t) list->n;
}

const char *language_tags_find(const struct language_tags *list, uint8_t number)
{
    return number > 0 && number <= list->n ? list->items[number - 1] : NULL;
}

void language_tags_free(struct language_tags *list)
{
    free(list->items);
    *list = (struct language_tags){ 0 };
}
