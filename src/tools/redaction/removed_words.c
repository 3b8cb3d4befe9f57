#include "tools/redaction/removed_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"

int removed_words_add_lines(struct redact_words *words, const char *lines, bool whole,
                            struct err *err)
{
    AUTO_FREE char *copy = strdup(lines ? lines : "");
    char *rest = NULL;

    if (!copy)
        return pdf_doc_no_memory(err);
    for (char *line = strtok_r(copy, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        redact_words_add(words, line, whole);
    return words->failed ? pdf_doc_no_memory(err) : 0;
}

void removed_words_add_hit(struct redact_words *words, const struct redact_hit *hit, bool whole)
{
    if (strcmp(hit->kind, "region") != 0)
        redact_words_add(words, hit->text, whole || strcmp(hit->kind, "text") != 0);
}
