/* Markdown of hostile documents. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "write/article/article.h"

static void ignore(void *hand, const char *code, const char *sentence)
{
    (void) hand;
    if (!*code || !*sentence)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct article_options options = { .title = "title",
                                       .contents = true,
                                       .depth = 6,
                                       .math = true,
                                       .html = size % 2,
                                       .style = size % 3,
                                       .warn = ignore };
    struct buf html = BUF_EMPTY;
    struct err err = { 0 };

    if (article_write((const char *) data, size, &options, &html, &err) < 0 ||
        !strstr(html.data, "</html>") || !utf8_is_valid(html.data, html.len))
        abort();
    buf_free(&html);
    return 0;
}
