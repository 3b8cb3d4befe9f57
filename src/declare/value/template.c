#include "declare/value/template.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "declare/value/text.h"

#define UNKNOWN SIZE_MAX

/* Finds which word begins at the text, after its brace. */
static size_t find_word(const char *text, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        size_t n = strlen(words[i]);

        if (strncmp(text, words[i], n) == 0 && text[n] == '}')
            return i;
    }
    return UNKNOWN;
}

int template_check(const char *text, const char *const *words, struct err *err)
{
    char list[120] = "", shown[32];
    size_t n = 0;

    for (const char *p = strchr(text, '{'); p; p = strchr(p, '{')) {
        if (p[1] == '{') {
            p += 2;
            continue;
        }
        if (find_word(p + 1, words) != UNKNOWN) {
            p++;
            continue;
        }
        for (size_t i = 0; words[i] && n < sizeof list; i++)
            n += (size_t) snprintf(list + n, sizeof list - n, "%s{%s}", i ? ", " : "", words[i]);
        text_for_message(p, strlen(p), shown, sizeof shown);
        return err_set(err, ERR_INVALID_PARAMETER,
                       "at \"%s\": words in braces are %s; write {{ and }} for braces", shown,
                       list);
    }
    return 0;
}

const char *template_word(const char *text, size_t *n)
{
    for (const char *p = strchr(text, '{'); p; p = strchr(p + 2, '{')) {
        if (p[1] != '{') {
            *n = strcspn(p + 1, "}");
            return p + 1;
        }
    }
    return NULL;
}

void template_expand(const char *text, const char *const *words,
                     void (*fill)(void *arg, size_t word, struct buf *out), void *arg,
                     struct buf *out)
{
    while (*text) {
        size_t n = strcspn(text, "{}"), word;

        buf_put(out, text, n);
        text += n;
        if (*text == '\0')
            return;
        word = *text == '{' ? find_word(text + 1, words) : UNKNOWN;
        if (word == UNKNOWN) {
            buf_putc(out, *text);
            text += text[1] == *text ? 2 : 1;
        } else {
            fill(arg, word, out);
            text += strlen(words[word]) + 2;
        }
    }
}
