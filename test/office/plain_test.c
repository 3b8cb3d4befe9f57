/* plain: what text and tables of text become. */
#include "engine/office/plain.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/office/flat.h"
#include "tap.h"

static char path[64];
static const char *encoding, *guessed;
static struct encoding_found found;

/* Writes the text as a document and reads that back. */
static const char *made(const char *text, size_t n, bool sheet)
{
    static struct buf out;
    AUTO_CLOSE int in = -1, from = -1;
    AUTO_BUF struct buf utf8 = BUF_EMPTY;
    static struct err err;

    buf_free(&out);
    out = BUF_EMPTY;
    guessed = NULL;
    in = fdio_memory_file(&err);
    if (in < 0 || fdio_write(in, text, n, &err) < 0 ||
        plain_read(in, encoding, &utf8, &found, &err) < 0 ||
        (sheet ? csv_write_sheet : plain_write_text)(&utf8, path, &err) < 0)
        return err.msg;
    guessed = found.guessed ? found.name : NULL;
    from = open(path, O_RDONLY | O_CLOEXEC);
    return fdio_read_all(from, 1 << 20, &out, &err) < 0 ? err.msg : buf_text(&out);
}

static bool text_has(const char *text, const char *what)
{
    return strstr(made(text, strlen(text), false), what);
}

static bool sheet_has(const char *text, const char *what)
{
    return strstr(made(text, strlen(text), true), what);
}

static void check_text(void)
{
    ok(text_has("a<b&c>", "a&lt;b&amp;c&gt;"), "what XML uses is escaped");
    ok(text_has("a   b\tc", "a<text:s text:c=\"3\"/>b<text:tab/>c"), "blanks and tabs stay");
    ok(text_has("a\r\nb", "a</text:p>\n<text:p text:style-name=\"Standard\">b"),
       "lines end as on Windows");
    ok(text_has("a\fb", "style-name=\"B\">b"), "a form feed begins a page");
    ok(text_has("\xef\xbb\xbfgr\xc3\xbc\xc3\x9f", ">gr\xc3\xbc\xc3\x9f<"), "UTF-8 with its mark");
    ok(text_has("gr\xfc\xdf \x80", "gr\xc3\xbc\xc3\x9f\xe2\x82\xac") ||
           text_has("gr\xfc\xdf\x80", "gr\xc3\xbc\xc3\x9f\xe2\x82\xac"),
       "Windows-1252");
    ok(strstr(made("\xff\xfe\x3d\xd8\x00\xde", 6, false), "\xf0\x9f\x98\x80"),
       "UTF-16 with characters beyond the first 65536");
    ok(text_has("a\x1b\x01z", ">az<"), "what XML has no place for is left out");
    ok(text_has("", "<office:text>"), "nothing is an empty document");
}

static void check_encodings(void)
{
    static const struct {
        const char *bytes, *name, *text;
    } texts[] = {
        { "\x8d\xb2\x93\xa1,30,\x93\x8c\x8b\x9e", "shift_jis", "佐藤" },
        { "\xa5\xc6\xa5\xb9\xa5\xc8,\xc5\xec\xb5\xfe", "euc-jp", "テスト" },
        { "\xbc\xad\xbf\xef,\xba\xce\xbb\xea", "euc-kr", "서울" },
        { "\xb1\xb1\xbe\xa9,\xd6\xd0\xb9\xfa", "gb18030", "北京" },
        { "\xa5\x5f\xa8\xca,\xa4\xa4\xb0\xea,\xa4\x48\xa4\x6a\xb8\x67", "big5", "北京" },
        { "\xcc\xee\xf1\xea\xe2\xe0,\xee\xf2\xe5\xeb\xfc", "windows-1251", "Москва" },
        { "\xed\xcf\xd3\xcb\xd7\xc1,\xcf\xd4\xc5\xcc\xd8", "koi8-r", "Москва" },
        { "K\xe4se,\x93gut\x94,it\x92s,\x80", "windows-1252", "Käse" },
        { "caf\xe9,na\xefve \x96 \xab oui \xbb,No\xebl", "windows-1252", "café" },
        { "gr\xc3\xbc\xc3\x9f", NULL, "grüß" },
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        ok(text_has(texts[i].bytes, texts[i].text), "%s is read",
           texts[i].name ? texts[i].name : "UTF-8");
        is_str(guessed ? guessed : "", texts[i].name ? texts[i].name : "", "and said to be that");
    }
    encoding = "windows-1253";
    ok(text_has("\xc1\xe8\xde\xed\xe1", "Αθήνα") && !guessed, "an encoding that is named is used");
    encoding = "shift_jis";
    ok(text_has("a\xfd"
                "z",
                "a\xef\xbf\xbdz"),
       "what is not a character is U+FFFD");
    is_int((int64_t) found.n_wrong, 1, "and counted");
    ok(text_has("a\nb\n\xfd\xfd", "\xef\xbf\xbd") && found.n_wrong == 2 && found.first_wrong == 3,
       "with the line of the first one");
    encoding = "utf-8";
    ok(text_has("gr\xfc\xdf", "gr\xef\xbf\xbd") && found.n_wrong == 2,
       "so it is in UTF-8 that is named");
    encoding = "windows-1258";
    ok(text_has("ab", ">ab<"), "the last letter of an encoding with marks is there");
    encoding = NULL;
    ok(text_has("\xef\xbb\xbfgr\xc3\xbc\xc3\x9f \xff", "gr\xc3\xbc\xc3\x9f \xef\xbf\xbd") &&
           !guessed && found.n_wrong == 1,
       "a text with the mark of UTF-8 is UTF-8, whatever bytes it has");
    ok(text_has("K\xe4se \x81", "K\xc3\xa4se \xef\xbf\xbd") && found.n_wrong == 1,
       "what is not a character of a guessed encoding is counted");
}

static void check_unmarked(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *name, *text;
    } texts[] = {
        { "a\0,\0b\0\n\0", 8, "utf-16le", "a,b" },
        { "\0a\0,\0b\0\n", 8, "utf-16be", "a,b" },
        { "\x17\x53\xac\x4e,\0a\0", 8, "utf-16le", "北京,a" },
        { "\x53\x17\x4e\xac\0,\0a", 8, "utf-16be", "北京,a" },
        { "\x1b$B:4F#\x1b(B,30", 13, "iso-2022-jp", "佐藤,30" },
        { "a\x1b[0mz", 6, NULL, "a[0mz" },
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        ok(strstr(made(texts[i].bytes, texts[i].n, false), texts[i].text),
           "%s without a mark is read", texts[i].name ? texts[i].name : "ASCII with other escapes");
        is_str(guessed ? guessed : "", texts[i].name ? texts[i].name : "",
               "and said to be guessed");
    }
}

static void check_sheet(void)
{
    ok(sheet_has("a,b\n\"x,y\",2\n", "<text:p>x,y</text:p>"), "a separator between quotes is text");
    ok(sheet_has("a;b\n1,5;2\n", "<text:p>1,5</text:p>"), "the separator that fits best is taken");
    ok(sheet_has("a\tb\n1,5\t2,5\n", "<text:p>1,5</text:p>"), "tabs too");
    ok(sheet_has("sep=|\na|b\n", "<text:p>a</text:p>") && !sheet_has("sep=|\na|b\n", "sep"),
       "and the one the first line names");
    ok(sheet_has("\"say \"\"hi\"\"\",1\n", "say \"hi\""), "two quotes are one");
    ok(sheet_has("\"a\nb\",1\n", "<text:p>a</text:p><text:p>b</text:p>"), "lines within a field");
    ok(sheet_has("x,-1.5\n", "style-name=\"R\" office:value-type=\"string\"><text:p>-1.5"),
       "numbers stand at the right, as written");
    ok(sheet_has("\"open", "<text:p>open</text:p>"), "a quote that is never closed");
    ok(sheet_has("", "<table:table-column"), "nothing is an empty sheet");
}

static bool relaid(const char *attributes, const struct flat_page *page, const char *want)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;
    char to[80];
    struct err err;
    FILE *file = fopen(path, "we");

    fprintf(file, "<a><style:page-layout-properties%s/></a>", attributes);
    fclose(file);
    snprintf(to, sizeof to, "%s.to", path);
    if (flat_relayout(path, to, page, &err) < 0)
        return false;
    fd = open(to, O_RDONLY | O_CLOEXEC);
    unlink(to);
    return fdio_read_all(fd, 1 << 20, &out, &err) == 0 && strstr(buf_text(&out), want);
}

static void check_layout(void)
{
    const struct flat_page wide = { .one_wide = true }, lies = { .orientation = "landscape" };
    const struct flat_page large = { .paper = "a3" };

    ok(relaid(" style:scale-to=\"100%\" x=\"y\"", &wide,
              "properties x=\"y\" style:scale-to-X=\"1\"/>"),
       "a scale takes the place of another");
    ok(relaid(" fo:page-width=\"210mm\" fo:page-height=\"297mm\"", &lies,
              "fo:page-width=\"297mm\" fo:page-height=\"210mm\" "
              "style:print-orientation=\"landscape\"/></a>"),
       "a page is turned by its sides");
    ok(relaid(" fo:page-width=\"297mm\" fo:page-height=\"210mm\"", &lies,
              "fo:page-width=\"297mm\" fo:page-height=\"210mm\""),
       "one that lies stays");
    ok(relaid(" fo:page-width=\"297mm\" fo:page-height=\"210mm\"", &large,
              "fo:page-width=\"420mm\" fo:page-height=\"297mm\" "
              "style:print-orientation=\"landscape\"/>"),
       "another paper lies as the page did");
    ok(relaid("", &large,
              "fo:page-width=\"297mm\" fo:page-height=\"420mm\" "
              "style:print-orientation=\"portrait\"/>"),
       "and stands where nothing was said");
    ok(relaid(" fo:page-width=\"29", &wide, "fo:page-width=\"29"), "what is cut off stays");
}

int main(void)
{
    int fd;

    snprintf(path, sizeof path, "/tmp/platen-plain-test.XXXXXX");
    fd = mkstemp(path);
    close(fd);
    check_text();
    check_encodings();
    check_unmarked();
    check_sheet();
    check_layout();
    unlink(path);
    return done_testing();
}
