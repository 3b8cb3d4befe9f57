/* The text that programs take out of a layer: right-to-left and vertical lines, marks that belong
 * to a letter, letters outside of the first 65,536, spaces; and what a page keeps. */
#include "pdf/text_layer/text_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "tap.h"

#define OUT   "text_layer_test.pdf"
#define FOUND "text_layer_test.txt"

static struct layer_word words[8];
static struct layer_line lines[4];
static char text[200];

static void put(struct layer_page *page, const char *word, float x0, float y0, float x1, float y1)
{
    struct layer_word *w = &page->words[page->n_words++];

    *w = (struct layer_word){ .text = page->n_text,
                              .n = (uint32_t) strlen(word),
                              .x0 = x0,
                              .y0 = y0,
                              .x1 = x1,
                              .y1 = y1,
                              .spaced = true };
    memcpy(page->text + page->n_text, word, w->n);
    page->n_text += w->n;
    page->lines[page->n_lines - 1].n++;
}

static void begin(struct layer_page *page, enum layer_direction direction)
{
    page->lines[page->n_lines++] = (struct layer_line){
        .word = page->n_words, .ascent = 16, .descent = 4, .direction = direction
    };
}

static struct layer_page empty(void)
{
    return (struct layer_page){ .lines = lines, .words = words, .text = text };
}

/* Writes a page with the layer, and returns what pdftotext finds in it. */
static const char *read_back(const struct layer_page *page, const char *option)
{
    static char found[1000];
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_TEXT_LAYER struct text_layer *layer = NULL;
    AUTO_FCLOSE FILE *file = NULL;
    struct err err;
    pid_t child;
    size_t n;

    if (pdf_doc_new(&doc, &err) < 0)
        return "";
    AUTO_OBJ struct obj bare = obj_parse(
        doc.q, "<</Type/Page/MediaBox[0 0 300 300]/Resources<</XObject<</OcrText 5>>>>>>");
    AUTO_OBJ struct obj sheet = obj_indirect(bare);
    qpdf_add_page(doc.q, doc.q, sheet.oh, QPDF_FALSE);
    doc.n_pages = 1;
    AUTO_OBJ struct obj first = obj_page(doc.q, 0);
    layer = text_layer_new(doc.q, &err);
    if (!layer || text_layer_add(layer, first, page, &err) < 0 ||
        text_layer_finish(layer, &err) < 0 || pdf_doc_save(&doc, OUT, NULL, &err) < 0)
        return "";
    child = fork();
    if (child == 0) {
        execlp("pdftotext", "pdftotext", option, OUT, FOUND, (char *) NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
    file = fopen(FOUND, "re");
    n = file ? fread(found, 1, sizeof found - 1, file) : 0;
    found[n] = '\0';
    for (char *c = found; *c; c++)
        *c = *c == '\n' || *c == '\f' ? '|' : *c;
    return found;
}

int main(void)
{
    struct layer_page page = empty();

    begin(&page, LAYER_RIGHTWARDS);
    put(&page, "Re\xcc\x81sume\xcc\x81", 20, 200, 80, 200);
    put(&page, "\xf0\x9d\x92\x9c\xf0\x9f\x98\x80", 90, 201, 120, 201);
    put(&page, "end.", 130, 200, 160, 200);
    begin(&page, LAYER_RIGHTWARDS);
    put(&page, "next", 20, 170, 60, 170);
    is_str(read_back(&page, "-q"),
           "Re\xcc\x81sume\xcc\x81 \xf0\x9d\x92\x9c\xf0\x9f\x98\x80 end.|next|||",
           "marks and letters of four bytes are read, with spaces and lines");

    page = empty();
    begin(&page, LAYER_LEFTWARDS);
    put(&page, "שלום", 200, 200, 240, 200);
    put(&page, "12א", 160, 200, 190, 200);
    put(&page, "עולם", 100, 200, 150, 200);
    /* pdftotext marks the line and the number in it by U+202B, U+202A and U+202C. */
    is_str(read_back(&page, "-q"), "\u202bשלום \u202a12\u202cא עולם\u202c|||",
           "a line from right to left is read so");

    page = empty();
    begin(&page, LAYER_DOWNWARDS);
    put(&page, "縦書", 150, 250, 150, 210);
    put(&page, "文字", 150, 205, 150, 165);
    is_str(read_back(&page, "-raw"), "縦書|文字||", "a line downwards");

    page = empty();
    is_str(read_back(&page, "-q"), "|", "a page without words");
    unlink(OUT);
    unlink(FOUND);
    return done_testing();
}
