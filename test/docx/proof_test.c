/* proof: what was written is read again, and what is missing is noticed. */
#include "write/docx/proof.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout/page/coverage.h"
#include "tap.h"
#include "write/docx/docx.h"

#define PAGE                                                                                       \
    "<w:document><w:body><w:p><w:pPr/><w:bookmarkStart w:id=\"1\" w:name=\"_Page1\"/>"             \
    "<w:bookmarkEnd w:id=\"1\"/><w:r><w:t xml:space=\"preserve\">Text &amp; more</w:t><w:tab/>"    \
    "<w:t>hy</w:t><w:softHyphen/><w:t>phen</w:t></w:r></w:p></w:body></w:document>"

static struct glyph letters[200];
static size_t n_letters;

static struct word word_of(const char *text)
{
    struct word word = { .glyphs = &letters[n_letters], .n_glyphs = strlen(text) };

    for (size_t i = 0; text[i]; i++)
        letters[n_letters++] = (struct glyph){ .code = (unsigned char) text[i] };
    return word;
}

static bool holds(const struct proof *proof, const char *first, const char *second)
{
    struct word words[] = { word_of(first), word_of(second) };

    n_letters = 0;
    return coverage_holds(&proof->text, words, 2);
}

static void test_text(void)
{
    struct proof proof = { .keep = true };

    for (size_t i = 0; i < strlen(PAGE); i++)
        proof_feed(&proof, &PAGE[i], 1);
    ok(proof.n_sums == 1 && proof.depth == 0, "a page begins with its bookmark");
    ok(holds(&proof, "Text", "more"), "its words are found");
    ok(holds(&proof, "hy-", "phen"), "a word is found that was broken by a hyphen");
    ok(holds(&proof, "&", "erom"), "entities are characters, and words may stand backwards");
    ok(!holds(&proof, "Text", "missing"), "a word that is missing is missed");
    ok(!holds(&proof, "Textmore", "Text"), "words that were torn apart are missed");
    proof_free(&proof);
}

static int write_document(const char *path, struct err *err)
{
    struct document_facts options = { .family = "Arial", .size = 10 };
    struct docx *docx = docx_open(path, &options, err);
    struct page_content content = { .width = 100, .height = 100 };
    struct page page = { .width = 100, .height = 100 };
    struct numbering numbering = { 0 };
    struct header_sets headers = { 0 };
    struct page_font font = { .family = "Arial" };
    int done = docx_page(docx, &page, &content, err);
    struct word word = word_of("lost");

    ok(done == 0, "a page without words is written");
    page.words = &word;
    page.n_words = 1;
    ok(docx_page(docx, &page, &content, err) == 1, "a page that would lose a word is taken back");
    page.plain = true;
    ok(docx_page(docx, &page, &content, err) == 0, "and written as it is when it is plain");
    done = docx_end(docx, &numbering, &headers, &font, err);
    docx_free(docx);
    return done;
}

static void test_file(void)
{
    char path[] = "/tmp/proof-test-XXXXXX", byte = 0;
    int fd = mkstemp(path);
    struct err err = { 0 };
    struct proof other = { 0 };
    off_t at;

    ok(fd >= 0 && write_document(path, &err) == 0, "a whole document proves sound: %s", err.msg);
    ok(proof_file(path, "word/document.xml", &other, &err) < 0,
       "with other pages than were written it does not");
    at = lseek(fd, 0, SEEK_END) / 2;
    ok(pread(fd, &byte, 1, at) == 1, "a byte in the middle");
    byte ^= 0x55;
    ok(pwrite(fd, &byte, 1, at) == 1 && proof_file(path, "word/document.xml", &other, &err) < 0 &&
           strstr(err.msg, "cannot be read"),
       "is not turned over unnoticed");
    close(fd);
    unlink(path);
}

int main(void)
{
    test_text();
    test_file();
    return done_testing();
}
