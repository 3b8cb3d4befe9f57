#include "engine/office/sniff.h"

#include <string.h>

#include "base/fdio.h"
#include "base/octets.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"
#include "engine/office/markup.h"
#include "engine/office_binary/ole.h"
#include "engine/office_parts/xml_tag.h"
#include "engine/office_parts/zip.h"

#define TYPES_BYTES   (4U << 20)  /* of [Content_Types].xml and the manifest */
#define TEXT_BYTES    (16U << 20) /* looked through for text */
#define HEAD_BYTES    8192
#define DEEPEST       1000    /* elements in each other: a table in a table takes three */
#define PARAGRAPH     500000U /* bytes of text: the time its layout takes grows faster than they do */
#define PPT_ENCRYPTED 0xf3d1c4dfU /* [MS-PPT] 2.3.2: headerToken of CurrentUserAtom */

static const struct {
    const char *name, *tool;
} tools[] = {
    [KIT_TEXT] = { "a text document", "word-to-pdf" },
    [KIT_SHEET] = { "a spreadsheet", "excel-to-pdf" },
    [KIT_SLIDES] = { "a presentation", "ppt-to-pdf" },
};

static int no_document(const char *what, struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED_FILE_TYPE, "%s", what);
}

static int check_type(const struct sniff *sniff, enum kit_type want, struct err *err)
{
    if (sniff->type == want)
        return 0;
    return err_set(err, ERR_UNSUPPORTED_FILE_TYPE, "the file is %s: use %s",
                   tools[sniff->type].name, tools[sniff->type].tool);
}

static bool holds(const struct buf *text, const char *what)
{
    return text->len && memmem(text->data, text->len, what, strlen(what));
}

/* ECMA-376-2, 10.1.2: the type of the main part says what the package is. */
static const struct {
    const char *part, *extension;
    enum kit_type type;
} main_parts[] = {
    { "wordprocessingml.document.main+xml", "docx", KIT_TEXT },
    { "wordprocessingml.template.main+xml", "dotx", KIT_TEXT },
    { "ms-word.document.macroEnabled.main+xml", "docm", KIT_TEXT },
    { "ms-word.template.macroEnabledTemplate.main+xml", "dotm", KIT_TEXT },
    { "spreadsheetml.sheet.main+xml", "xlsx", KIT_SHEET },
    { "spreadsheetml.template.main+xml", "xltx", KIT_SHEET },
    { "ms-excel.sheet.macroEnabled.main+xml", "xlsm", KIT_SHEET },
    { "ms-excel.template.macroEnabled.main+xml", "xltm", KIT_SHEET },
    { "ms-excel.sheet.binary.macroEnabled.main", "xlsb", KIT_SHEET },
    { "presentationml.presentation.main+xml", "pptx", KIT_SLIDES },
    { "presentationml.slideshow.main+xml", "ppsx", KIT_SLIDES },
    { "presentationml.template.main+xml", "potx", KIT_SLIDES },
    { "ms-powerpoint.presentation.macroEnabled.main+xml", "pptm", KIT_SLIDES },
    { "ms-powerpoint.slideshow.macroEnabled.main+xml", "ppsm", KIT_SLIDES },
    { "ms-powerpoint.template.macroEnabled.main+xml", "potm", KIT_SLIDES },
};

/* ODF 1.2 part 3, 3.3: the media type, also of templates (".text-template"). */
static const struct {
    const char *media_type, *extension, *flat;
    enum kit_type type;
} odf_types[] = {
    { "application/vnd.oasis.opendocument.text", "odt", "fodt", KIT_TEXT },
    { "application/vnd.oasis.opendocument.spreadsheet", "ods", "fods", KIT_SHEET },
    { "application/vnd.oasis.opendocument.presentation", "odp", "fodp", KIT_SLIDES },
};

/* XML that Office 2003 and later write as one file, by the namespace of the root element. */
static const struct {
    const char *space, *extension; /* NULL: LibreOffice cannot open it */
    enum kit_type type;
} office_xml[] = {
    { "http://schemas.microsoft.com/office/word/2003/wordml", "xml", KIT_TEXT },
    { "urn:schemas-microsoft-com:office:spreadsheet", "xml", KIT_SHEET },
    /* The parts of an OOXML package in one file. */
    { "http://schemas.microsoft.com/office/2006/xmlPackage", NULL, KIT_TEXT },
};

/* Whether there is something that is not blank between the end of one of these tags and the next
 * tag. */
static bool has_text_in(const struct buf *xml, const char *tag)
{
    const char *at = buf_text(xml), *end = at + xml->len;
    size_t n = strlen(tag);

    while (at && (at = memmem(at, (size_t) (end - at), tag, n))) {
        at += n;
        if (*at != '>' && *at != ' ')
            continue;
        at = memchr(at, '>', (size_t) (end - at));
        if (at && at[-1] != '/' && at[1 + strspn(at + 1, " \t\r\n")] != '<' && at + 1 < end)
            return true;
    }
    return false;
}

static int look_for_text(struct zip *zip, struct sniff *out, struct err *err)
{
    static const struct {
        enum sniff_form form;
        enum kit_type type;
        const char *part, *tag;
    } texts[] = {
        { SNIFF_OOXML, KIT_TEXT, "word/document.xml", "<w:t" },
        { SNIFF_OOXML, KIT_SLIDES, "ppt/slides/slide1.xml", "<a:t" },
        { SNIFF_ODF, KIT_TEXT, "content.xml", "<text:p" },
    };
    AUTO_BUF struct buf xml = BUF_EMPTY;

    for (size_t i = 0; i < COUNT(texts); i++) {
        if (texts[i].form != out->form || texts[i].type != out->type)
            continue;
        if (zip_read(zip, texts[i].part, TEXT_BYTES, &xml, err) < 0)
            return -1;
        out->has_text = has_text_in(&xml, texts[i].tag);
    }
    return 0;
}

static void feed(void *arg, const char *data, size_t n)
{
    markup_feed(arg, data, n);
}

/* What LibreOffice would not end with in the time of a job. */
static int check_markup(struct zip *zip, struct err *err)
{
    const char *name;

    for (size_t i = 0; (name = zip_name(zip, i)); i++) {
        struct markup markup = { 0 };

        if (!zip_is_xml(name))
            continue;
        bool body = strncmp(name, "word/", 5) == 0 || strcmp(name, "content.xml") == 0;
        if (zip_unpack(zip, feed, &markup, err) < 0)
            return -1;
        if (markup.deepest > DEEPEST)
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "the document has tables or other parts nested too deeply: more than "
                           "%d elements in each other",
                           DEEPEST);
        if (body && markup.longest > PARAGRAPH)
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "a paragraph of the document has more than %u bytes of text: divide it",
                           PARAGRAPH);
    }
    return 0;
}

static int check_odf(struct zip *zip, const struct buf *media_type, struct sniff *out,
                     struct err *err)
{
    AUTO_BUF struct buf manifest = BUF_EMPTY;

    for (size_t i = 0; i < COUNT(odf_types); i++) {
        size_t n = strlen(odf_types[i].media_type);

        if (media_type->len < n || memcmp(media_type->data, odf_types[i].media_type, n) != 0)
            continue;
        *out = (struct sniff){ SNIFF_ODF, odf_types[i].type, odf_types[i].extension, false, false };
        if (zip_read(zip, "META-INF/manifest.xml", TYPES_BYTES, &manifest, err) < 0)
            return -1;
        out->encrypted = holds(&manifest, "encryption-data");
        if (out->encrypted)
            return 0;
        return check_markup(zip, err) < 0 ? -1 : look_for_text(zip, out, err);
    }
    return no_document("the file is not a document that can be converted", err);
}

/* The media type of a document without the file "mimetype", which it should have and need not
 * (OpenDocument 1.2 part 3, 3.3), is that of its root in the manifest (4.3). */
static int read_manifest_type(struct zip *zip, struct buf *type, struct err *err)
{
    AUTO_BUF struct buf manifest = BUF_EMPTY;
    struct xml_tag tag;

    if (zip_read(zip, "META-INF/manifest.xml", TYPES_BYTES, &manifest, err) < 0)
        return -1;
    tag = (struct xml_tag){ .end = buf_text(&manifest) };
    for (const char *end = tag.end + manifest.len; xml_tag_next(&tag, end);) {
        size_t path_n = 0, n = 0;
        const char *full = xml_tag_attribute(&tag, "full-path", &path_n);
        const char *media = xml_tag_attribute(&tag, "media-type", &n);

        if (full && media && path_n == 1 && *full == '/')
            buf_put(type, media, n);
    }
    return 0;
}

static int check_zip(const char *path, struct sniff *out, struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);
    AUTO_BUF struct buf text = BUF_EMPTY;
    int found;

    if (!zip)
        return -1;
    found = zip_read(zip, "mimetype", 256, &text, err);
    if (found != 0)
        return found < 0 ? -1 : check_odf(zip, &text, out, err);
    found = zip_read(zip, "[Content_Types].xml", TYPES_BYTES, &text, err);
    if (found < 0)
        return -1;
    if (found == 0) {
        if (read_manifest_type(zip, &text, err) < 0)
            return -1;
        return text.len ? check_odf(zip, &text, out, err)
                        : no_document("the file is a ZIP file but no document", err);
    }
    zip_drop_nuls(&text);
    for (size_t i = 0; i < COUNT(main_parts); i++) {
        if (!holds(&text, main_parts[i].part))
            continue;
        *out = (struct sniff){ SNIFF_OOXML, main_parts[i].type, main_parts[i].extension, false,
                               false };
        return check_markup(zip, err) < 0 ? -1 : look_for_text(zip, out, err);
    }
    return no_document("the file is a ZIP file but no document", err);
}

static int is_ppt_encrypted(struct ole *ole, bool *encrypted, struct err *err)
{
    AUTO_BUF struct buf user = BUF_EMPTY;
    const unsigned char *p;

    if (ole_read(ole, "Current User", 64, &user, err) < 0)
        return -1;
    p = (const unsigned char *) user.data;
    *encrypted = user.len >= 16 && octets_le32(p + 12) == PPT_ENCRYPTED;
    return 0;
}

static int check_ole(int fd, enum kit_type want, struct sniff *out, struct err *err)
{
    AUTO_OLE struct ole *ole = ole_open(fd, err);
    static const char *const packages[] = { "docx", "xlsx", "pptx" };
    bool encrypted = false;

    if (!ole)
        return -1;
    *out = (struct sniff){ .form = SNIFF_OLE };
    if (ole_has(ole, "EncryptedPackage")) {
        /* [MS-OFFCRYPTO] 2.3: what is inside shows when it is open. */
        *out = (struct sniff){ SNIFF_OLE, want, packages[want], true, false };
        return 0;
    }
    if (ole_has(ole, "WordDocument")) {
        *out = (struct sniff){ SNIFF_OLE, KIT_TEXT, "doc", false, false };
    } else if (ole_has(ole, "Workbook") || ole_has(ole, "Book")) {
        *out = (struct sniff){ SNIFF_OLE, KIT_SHEET, "xls", false, false };
    } else if (ole_has(ole, "PowerPoint Document")) {
        if (is_ppt_encrypted(ole, &encrypted, err) < 0)
            return -1;
        if (encrypted) /* LibreOffice does not know its encryption */
            return err_set(err, ERR_UNSUPPORTED_CONTENT,
                           "the presentation is encrypted as PowerPoint did it until 2003: save it "
                           "without a password, or as pptx");
        *out = (struct sniff){ SNIFF_OLE, KIT_SLIDES, "ppt", false, false };
    } else {
        return no_document("the file is not a Word, Excel or PowerPoint document", err);
    }
    return 0;
}

/* The tag of the root element in XML, of which `xml` is the beginning; with a DTD, all from there
 * on. */
static void find_root(const char *xml, struct buf *root)
{
    static const struct {
        const char *begin, *end;
    } before[] = { { "<?", "?>" }, { "<!--", "-->" } };
    const char *at = xml + strspn(xml, " \t\r\n");

    for (size_t i = 0; i < COUNT(before);) {
        const char *end;

        if (strncmp(at, before[i].begin, strlen(before[i].begin)) != 0) {
            i++;
            continue;
        }
        end = strstr(at, before[i].end);
        if (!end)
            return;
        at = end + strlen(before[i].end);
        at += strspn(at, " \t\r\n");
        i = 0;
    }
    if (*at == '<')
        buf_put(root, at, at[1] == '!' ? strlen(at) : strcspn(at, ">"));
}

static int refuse_dtd(const char *xml, struct err *err)
{
    if (strcasestr(xml, "<!doctype") || strcasestr(xml, "<!entity"))
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the document declares a DTD, which no office program writes");
    return 0;
}

/* Returns 1 if it is XML of Microsoft Office, 0 if not. */
static int check_office_xml(const char *xml, struct sniff *out, struct err *err)
{
    AUTO_BUF struct buf root = BUF_EMPTY;

    find_root(xml, &root);
    for (size_t i = 0; i < COUNT(office_xml); i++) {
        if (!holds(&root, office_xml[i].space))
            continue;
        if (!office_xml[i].extension)
            return no_document("the file is a document as one XML file (Flat OPC): save it as "
                               "docx, xlsx or pptx first",
                               err);
        *out =
            (struct sniff){ SNIFF_XML, office_xml[i].type, office_xml[i].extension, false, false };
        return refuse_dtd(xml, err) < 0 ? -1 : 1;
    }
    if (root.len && strstr(xml, "<?mso-application"))
        return no_document("the file is XML of Microsoft Office that cannot be read: save it as "
                           "docx, xlsx or pptx first",
                           err);
    return 0;
}

/* A web page with its pictures in one file (RFC 2557), which Word and others save as .doc. A
 * message that is only text stays text. */
static bool is_mhtml(const char *text)
{
    AUTO_BUF struct buf header = BUF_EMPTY;
    const char *end = strstr(text, "\n\n"), *end_crlf = strstr(text, "\r\n\r\n");

    if (strcspn(text, ":") >= strcspn(text, " \t\r\n"))
        return false;
    if (!end || (end_crlf && end_crlf < end))
        end = end_crlf;
    buf_putc(&header, '\n');
    buf_put(&header, text, end ? (size_t) (end - text) : strlen(text));
    return strcasestr(buf_text(&header), "\nmime-version:") &&
           strcasestr(buf_text(&header), "\ncontent-type: multipart/related") &&
           strcasestr(text, "text/html");
}

/* The text in a head of `*n` bytes, after a byte order mark; of UTF-16 only what is ASCII. */
static const char *text_of_head(char *head, size_t *n)
{
    size_t kept = 0;

    if (*n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        return head + 3;
    if (!file_kind_utf16(head, *n < FILE_KIND_HEAD ? *n : FILE_KIND_HEAD))
        return head;
    for (size_t i = 0; i < *n; i++)
        if (head[i] > 0)
            head[kept++] = head[i];
    head[kept] = '\0';
    *n = kept;
    return head;
}

/* XML, HTML, RTF or plain text. */
static int check_text(int fd, enum kit_type want, struct sniff *out, struct err *err)
{
    char head[HEAD_BYTES + 1];
    ssize_t got = fdio_read_at(fd, head, HEAD_BYTES, 0, err);
    size_t n = got > 0 ? (size_t) got : 0;
    const char *start;
    int found;

    if (got < 0)
        return -1;
    head[n] = '\0';
    start = text_of_head(head, &n);
    start += strspn(start, " \t\r\n");
    if (strncmp(start, "{\\rtf", 5) == 0) {
        *out = (struct sniff){ SNIFF_RTF, KIT_TEXT, "rtf", false, false };
        return 0;
    }
    if (*start == '<' && strstr(start, "office:document")) {
        for (size_t i = 0; i < COUNT(odf_types); i++) {
            if (!strstr(start, odf_types[i].media_type))
                continue;
            *out = (struct sniff){ SNIFF_FLAT, odf_types[i].type, odf_types[i].flat, false, false };
            return refuse_dtd(start, err);
        }
    }
    found = check_office_xml(start, out, err);
    if (found != 0)
        return found < 0 ? -1 : 0;
    /* After a comment longer than the part that the server reads. */
    if (file_kind_is_html(head, n) || is_mhtml(start))
        return no_document("the file is an HTML page: save it as a document first", err);
    if (want == KIT_SLIDES || (*start == '<' && want == KIT_SHEET))
        return no_document("the file is text and no document", err);
    *out = (struct sniff){ SNIFF_PLAIN, want, want == KIT_SHEET ? "fods" : "fodt", false, false };
    return 0;
}

int sniff_classify(const struct tool_input *input, enum kit_type want, struct sniff *out,
                   struct err *err)
{
    char head[4] = "";
    int checked;

    if (fdio_read_at(input->fd, head, sizeof head, 0, err) < 0)
        return -1;
    if (memcmp(head, "PK\3\4", 4) == 0)
        checked = check_zip(input->path, out, err);
    else if (memcmp(head, "\xd0\xcf\x11\xe0", 4) == 0)
        checked = check_ole(input->fd, want, out, err);
    else if (head[0] == 9 && head[3] == 0)
        checked = (*out = (struct sniff){ SNIFF_OLE, KIT_SHEET, "xls", false, false }, 0);
    else
        checked = check_text(input->fd, want, out, err);
    return checked < 0 ? -1 : check_type(out, want, err);
}
