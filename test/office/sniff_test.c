/* sniff: documents are known by their content; damaged ones end in an error and nothing else. */
#include "engine/office/sniff.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "tap.h"

#define DAMAGES 300

static int judge(const struct buf *data, enum kit_type want, struct sniff *out, struct err *err)
{
    AUTO_CLOSE int fd = fdio_memory_file(err);
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || fdio_write(fd, data->data, data->len, err) < 0)
        return -1;
    return sniff_classify(
        &(struct tool_input){ .fd = fd, .path = path, .name = "", .bytes = (int64_t) data->len },
        want, out, err);
}

static void load(const char *folder, const char *name, struct buf *out)
{
    char path[4096];
    struct err err;

    snprintf(path, sizeof path, "%s/office/%s", folder, name);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fdio_read_all(fd, 1 << 20, out, &err) < 0)
        fprintf(stderr, "%s cannot be read\n", path);
}

static void check_kinds(const char *folder)
{
    static const struct {
        const char *name, *extension;
        enum kit_type type;
        bool encrypted;
    } documents[] = {
        { "plain.docx", "docx", KIT_TEXT, false },  { "plain.doc", "doc", KIT_TEXT, false },
        { "plain.odt", "odt", KIT_TEXT, false },    { "plain.rtf", "rtf", KIT_TEXT, false },
        { "plain.xlsx", "xlsx", KIT_SHEET, false }, { "plain.xls", "xls", KIT_SHEET, false },
        { "plain.ods", "ods", KIT_SHEET, false },   { "plain.pptx", "pptx", KIT_SLIDES, false },
        { "plain.odp", "odp", KIT_SLIDES, false },  { "slides.fodp", "fodp", KIT_SLIDES, false },
        { "locked.docx", "docx", KIT_TEXT, true },  { "locked.odt", "odt", KIT_TEXT, true },
    };

    for (size_t i = 0; i < COUNT(documents); i++) {
        AUTO_BUF struct buf data = BUF_EMPTY;
        struct sniff sniff = { 0 };
        struct err err = { 0 };

        load(folder, documents[i].name, &data);
        ok(judge(&data, documents[i].type, &sniff, &err) == 0, "%s", documents[i].name);
        is_str(sniff.extension ? sniff.extension : "", documents[i].extension, "is known");
        ok(sniff.encrypted == documents[i].encrypted, "and whether it is encrypted");
        ok(judge(&data, (documents[i].type + 1) % 3, &sniff, &err) < 0 ||
               (documents[i].encrypted && sniff.form == SNIFF_OLE),
           "and is not for another tool");
    }
}

static void check_xml(void)
{
    static const struct {
        const char *text, *extension, *what;
        enum kit_type type;
    } texts[] = {
        { "<?xml version='1.0'?>\n<!-- > --><w:wordDocument "
          "xmlns:w='http://schemas.microsoft.com/office/word/2003/wordml'>",
          "xml", "XML of Word 2003", KIT_TEXT },
        { "\xef\xbb\xbf<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">", "xml",
          "XML of Excel 2003", KIT_SHEET },
        { "<note about='x'>http://schemas.microsoft.com/office/word/2003/wordml</note>", "fodt",
          "a text that has the name of its namespace", KIT_TEXT },
        { "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\nonly text", "fodt",
          "a message without HTML", KIT_TEXT },
        { "<package xmlns='http://schemas.microsoft.com/office/2006/xmlPackage'>", NULL,
          "a package as one XML file", KIT_TEXT },
        { "Date: today\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n "
          "type=\"text/html\"\r\n\r\n",
          NULL, "MHTML", KIT_TEXT },
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        AUTO_BUF struct buf data = BUF_EMPTY;
        struct sniff sniff = { 0 };
        struct err err = { 0 };

        buf_puts(&data, texts[i].text);
        if (!texts[i].extension) {
            ok(judge(&data, texts[i].type, &sniff, &err) < 0, "%s is refused", texts[i].what);
            continue;
        }
        ok(judge(&data, texts[i].type, &sniff, &err) == 0, "%s is accepted", texts[i].what);
        is_str(sniff.extension ? sniff.extension : "", texts[i].extension, "and known");
    }
}

/* Bytes overwritten, ends cut off: always the same ones. */
static void check_damaged(const char *folder)
{
    static const char *const names[] = { "plain.docx",  "plain.doc", "plain.xls",
                                         "locked.docx", "plain.odt", "slides.fodp" };

    for (size_t i = 0; i < COUNT(names); i++) {
        AUTO_BUF struct buf data = BUF_EMPTY;
        unsigned seed = 1;
        bool sane = true;

        load(folder, names[i], &data);
        for (int k = 0; k < DAMAGES && data.len; k++) {
            AUTO_BUF struct buf copy = BUF_EMPTY;
            struct sniff sniff;
            struct err err = { 0 };

            buf_put(&copy, data.data, data.len);
            for (int n = 0; n < 20; n++) {
                seed = seed * 1103515245 + 12345;
                /* Much of what counts stands at the start. */
                copy.data[(seed >> 8) % (n % 2 ? copy.len : 1024)] = (char) (seed >> 24);
            }
            if (k % 3 == 0)
                copy.len = (seed >> 4) % copy.len;
            if (judge(&copy, KIT_TEXT, &sniff, &err) < 0)
                sane = sane && *err.msg;
        }
        ok(sane, "%s, damaged: an error says what is wrong", names[i]);
    }
}

int main(void)
{
    const char *folder = getenv("SAMPLES");

    check_kinds(folder ? folder : "test/samples");
    check_xml();
    check_damaged(folder ? folder : "test/samples");
    return done_testing();
}
