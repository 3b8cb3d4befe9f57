#include "write/mathml/tex_token.h"

#include <stdbool.h>

#include "base/utf8.h"

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_space(struct tex_text *text)
{
    for (; text->at < text->n; text->at++) {
        char c = text->text[text->at];

        if (c == '%')
            while (text->at + 1 < text->n && text->text[text->at] != '\n')
                text->at++;
        else if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return;
    }
}

static struct tex_token command(struct tex_text *text)
{
    const char *name = text->text + text->at;
    size_t room = text->n - text->at, n = 0;

    while (n < room && is_name_letter(name[n]))
        n++;
    if (n == 0) {
        uint32_t character;

        n = room > 0 ? utf8_decode(name, room, &character) : 0;
        if (n == 0) /* a backslash at the very end */
            n = room > 0;
    } else if (n < room && name[n] == '*' && n == 12 && name[0] == 'o') {
        n++; /* \operatorname* */
    }
    text->at += n;
    if (n == 1 && name[0] == '\\')
        return (struct tex_token){ .kind = TEX_TOKEN_ROW };
    return (struct tex_token){ .kind = TEX_TOKEN_COMMAND, .name = name, .n = n };
}

struct tex_token tex_token_next(struct tex_text *text)
{
    struct tex_token token = { .kind = TEX_TOKEN_END };

    skip_space(text);
    if (text->at >= text->n)
        return token;
    if (text->text[text->at] == '\\') {
        text->at++;
        return command(text);
    }
    token.character = utf8_next(text->text, text->n, &text->at);
    token.kind = token.character == '{'   ? TEX_TOKEN_OPEN
                 : token.character == '}' ? TEX_TOKEN_CLOSE
                                          : TEX_TOKEN_CHARACTER;
    return token;
}

struct tex_token tex_token_peek(const struct tex_text *text)
{
    struct tex_text copy = *text;

    return tex_token_next(&copy);
}

const char *tex_token_raw(struct tex_text *text, char open, char close, size_t *n)
{
    size_t depth = 0, from;

    skip_space(text);
    from = text->at;
    if (from >= text->n || text->text[from] != open)
        return NULL;
    for (size_t i = from; i < text->n; i++) {
        char c = text->text[i];

        if (c == '\\')
            i++;
        else if (c == open)
            depth++;
        else if (c == close && --depth == 0) {
            *n = i - from - 1;
            text->at = i + 1;
            return text->text + from + 1;
        }
    }
    return NULL;
}
