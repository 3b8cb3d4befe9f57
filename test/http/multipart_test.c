#include "server/multipart/multipart.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"
#include "tap.h"

/* What the parser told, as text: "{name}value" for a field, "{name|file name|type}value" for a file
 * and "!code" for the error that ended it. */
struct record {
    struct buf text;
    bool in_part;
};

static int on_begin(void *arg, const struct multipart_part *part, struct err *err)
{
    struct record *record = arg;

    (void) err;
    buf_printf(&record->text, "%s{%s", record->in_part ? "TWICE" : "", part->name);
    if (part->filename)
        buf_printf(&record->text, "|%s", part->filename);
    if (part->content_type)
        buf_printf(&record->text, "|%s", part->content_type);
    buf_puts(&record->text, "}");
    record->in_part = true;
    return 0;
}

static int on_data(void *arg, const void *data, size_t n, struct err *err)
{
    struct record *record = arg;

    (void) err;
    if (!record->in_part || n == 0)
        buf_puts(&record->text, "STRAY");
    for (size_t i = 0; i < n; i++) {
        const char c = ((const char *) data)[i];

        if (c == '\r')
            buf_puts(&record->text, "<CR>");
        else if (c == '\n')
            buf_puts(&record->text, "<LF>");
        else if (c == '\0')
            buf_puts(&record->text, "<NUL>");
        else
            buf_putc(&record->text, c);
    }
    return 0;
}

static int on_end(void *arg, struct err *err)
{
    struct record *record = arg;

    (void) err;
    buf_puts(&record->text, record->in_part ? ";" : "STRAY END");
    record->in_part = false;
    return 0;
}

static const struct multipart_events events = { on_begin, on_data, on_end };
static const struct multipart_limits limits = {
    .max_fields = 3,
    .max_field_bytes = 64,
    .max_files = 3,
    .max_file_bytes = 100,
    .max_total_bytes = 2000,
    .max_header_bytes = 400,
};

/* Feeds the body in pieces of 1 to `most` bytes. The result is the caller's. */
static char *parse(const char *type, const char *body, size_t n, size_t most, struct err *err)
{
    struct record record = { 0 };
    char boundary[MULTIPART_BOUNDARY];
    struct multipart *mp = NULL;
    int failed = multipart_boundary(type, boundary, err);

    if (failed == 0) {
        mp = multipart_new(boundary, &limits, &events, &record);
        failed = mp ? 0 : -1;
    }
    for (size_t at = 0, piece; failed == 0 && at < n; at += piece) {
        AUTO_FREE char *copy = NULL; /* so that a sanitizer sees every read past the piece */

        piece = most == 1 ? 1 : 1 + (size_t) rand() % most;
        if (most >= n || piece > n - at)
            piece = n - at;
        copy = malloc(piece);
        memcpy(copy, body + at, piece);
        failed = multipart_feed(mp, copy, piece, err);
    }
    if (failed == 0)
        failed = multipart_finish(mp, err);
    if (failed)
        buf_printf(&record.text, "!%s", err_name(err->code));
    multipart_free(mp);
    return buf_take(&record.text);
}

struct fact {
    const char *sentence, *type, *body;
    size_t n; /* of body, if it holds NULs */
    const char *want;
    const char *says; /* part of the error's sentence */
};

#define TYPE       "multipart/form-data; boundary=X"
#define D          "Content-Disposition: form-data; "
#define PART(h, b) "--X\r\n" h "\r\n\r\n" b "\r\n"
#define END        "--X--\r\n"
#define NUL(text)  text, sizeof(text) - 1

static const char plain[] = PART(D "name=\"a\"", "1") END;

static const struct fact facts[] = {
    /* the Content-Type */
    { "a boundary may be quoted", "multipart/form-data; boundary=\"X\"", plain, 0, "{a}1;", 0 },
    { "a boundary may be followed by another parameter",
      "multipart/form-data; boundary=X; charset=utf-8", plain, 0, "{a}1;", 0 },
    { "a boundary may come after another parameter", "multipart/form-data;charset=utf-8;boundary=X",
      plain, 0, "{a}1;", 0 },
    { "type and parameter names have no case", "Multipart/Form-Data; BOUNDARY=X", plain, 0, "{a}1;",
      0 },
    { "a quoted boundary may hold what a token cannot", "multipart/form-data; boundary=\"a: b\"",
      "--a: b\r\n" D "name=a\r\n\r\n1\r\n--a: b--", 0, "{a}1;", 0 },
    { "blanks around the parameters do not count", "multipart/form-data ;  boundary=X  ; ", plain,
      0, "{a}1;", 0 },
    { "no boundary is refused", "multipart/form-data", plain, 0, "!invalid_request",
      "no boundary" },
    { "an empty boundary is refused", "multipart/form-data; boundary=", plain, 0,
      "!invalid_request", "1 to 70" },
    { "a boundary of 71 characters is refused",
      "multipart/form-data; "
      "boundary=12345678901234567890123456789012345678901234567890123456789012345678901",
      plain, 0, "!invalid_request", "1 to 70" },
    { "a boundary that ends in a blank is refused", "multipart/form-data; boundary=\"X \"", plain,
      0, "!invalid_request", "1 to 70" },
    { "two boundaries are refused", TYPE "; boundary=Y", plain, 0, "!invalid_request",
      "two boundaries" },
    { "a boundary with a broken quote is refused", "multipart/form-data; boundary=\"X", plain, 0,
      "!invalid_request", "broken parameter" },
    { "a boundary beyond ASCII is refused", "multipart/form-data; boundary=\xc3\xa9", plain, 0,
      "!invalid_request", "invalid character" },
    { "another multipart type is not taken", "multipart/mixed; boundary=X", plain, 0,
      "!unsupported_media_type", "multipart/form-data" },
    { "a type that only begins the same is not taken", "multipart/form-data2; boundary=X", plain, 0,
      "!unsupported_media_type", "multipart/form-data" },
    { "no Content-Type at all is not taken", NULL, plain, 0, "!unsupported_media_type",
      "multipart/form-data" },

    /* parts */
    { "a field has a name and a value", TYPE, plain, 0, "{a}1;", 0 },
    { "a file has a name, a file name and a type", TYPE,
      PART(D "name=\"f\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf", "%PDF") END, 0,
      "{f|a.pdf|application/pdf}%PDF;", 0 },
    { "fields and files come in any order", TYPE,
      PART(D "name=f; filename=x", "1") PART(D "name=a", "2") PART(D "name=f; filename=y", "3") END,
      0, "{f|x}1;{a}2;{f|y}3;", 0 },
    { "unquoted parameters are taken", TYPE, PART(D "name=f; filename=a.pdf", "1") END, 0,
      "{f|a.pdf}1;", 0 },
    { "an unquoted file name may hold a blank", TYPE, PART(D "name=f; filename=a b.pdf", "1") END,
      0, "{f|a b.pdf}1;", 0 },
    { "the file name may come before the name", TYPE,
      PART(D "filename=\"a.pdf\"; name=\"f\"", "1") END, 0, "{f|a.pdf}1;", 0 },
    { "a file name may hold what looks like a parameter", TYPE,
      PART(D "filename=\"q; name=evil\"; name=\"f\"", "1") END, 0, "{f|q; name=evil}1;", 0 },
    { "a quote in a file name is escaped by a backslash", TYPE,
      PART(D "name=\"f\"; filename=\"a\\\"b.pdf\"", "1") END, 0, "{f|a\"b.pdf}1;", 0 },
    { "a file name with an escaped quote may come before the name", TYPE,
      PART(D "filename=\"a\\\"b.pdf\"; name=\"f\"", "1") END, 0, "{f|a\"b.pdf}1;", 0 },
    { "a backslash is escaped by a backslash", TYPE,
      PART(D "name=\"f\"; filename=\"a\\\\b.pdf\"", "1") END, 0, "{f|a\\b.pdf}1;", 0 },
    { "a lone backslash stands for itself", TYPE,
      PART(D "name=\"f\"; filename=\"C:\\dir\\b.pdf\"", "1") END, 0, "{f|C:\\dir\\b.pdf}1;", 0 },
    { "%22 is a quote, as browsers send it", TYPE,
      PART(D "name=\"f%22g\"; filename=\"a%22b.pdf\"", "1") END, 0, "{f\"g|a\"b.pdf}1;", 0 },
    { "%0D and %0A are line breaks, as browsers send them", TYPE,
      PART(D "name=\"f\"; filename=\"a%0D%0ab.pdf\"", "1") END, 0, "{f|a\r\nb.pdf}1;", 0 },
    { "other escapes with a percent sign stay", TYPE,
      PART(D "name=\"f\"; filename=\"100%41.pdf\"", "1") END, 0, "{f|100%41.pdf}1;", 0 },
    { "a file name in bare UTF-8 is taken as it is", TYPE,
      PART(D "name=\"f\"; filename=\"\xc3\xa9.pdf\"", "1") END, 0, "{f|\xc3\xa9.pdf}1;", 0 },
    { "a file name that is not UTF-8 is taken as ISO-8859-1", TYPE,
      PART(D "name=\"f\"; filename=\"\xe9.pdf\"", "1") END, 0, "{f|\xc3\xa9.pdf}1;", 0 },
    { "filename* alone makes a file", TYPE, PART(D "name=f; filename*=UTF-8''%C3%A9.pdf", "1") END,
      0, "{f|\xc3\xa9.pdf}1;", 0 },
    { "filename* wins over a filename before it", TYPE,
      PART(D "name=f; filename=\"e.pdf\"; filename*=utf-8'fr'%C3%A9.pdf", "1") END, 0,
      "{f|\xc3\xa9.pdf}1;", 0 },
    { "filename* wins over a filename behind it", TYPE,
      PART(D "name=f; filename*=UTF-8''%C3%A9.pdf; filename=\"e.pdf\"", "1") END, 0,
      "{f|\xc3\xa9.pdf}1;", 0 },
    { "filename* may be ISO-8859-1", TYPE, PART(D "name=f; filename*=iso-8859-1''%E9.pdf", "1") END,
      0, "{f|\xc3\xa9.pdf}1;", 0 },
    { "an empty file name is a file without a name", TYPE,
      PART(D "name=f; filename=\"\"\r\nContent-Type: application/octet-stream", "") END, 0,
      "{f||application/octet-stream};", 0 },
    { "a path in a file name is passed on, for others to cut", TYPE,
      PART(D "name=f; filename=\"../../etc/passwd\"", "1") END, 0, "{f|../../etc/passwd}1;", 0 },
    { "header names and form-data have no case", TYPE,
      PART("CONTENT-disposition:FORM-data;NAME=a;FileName=b", "1") END, 0, "{a|b}1;", 0 },
    { "a semicolon at the end does no harm", TYPE, PART(D "name=a;", "1") END, 0, "{a}1;", 0 },
    { "unknown headers and parameters are passed over", TYPE,
      PART("X-Other: 1\r\n" D "x=\"y\"; name=a; z=1\r\nContent-Length: 99", "1") END, 0, "{a}1;",
      0 },
    { "the transfer encodings that change nothing are taken", TYPE,
      PART(D "name=a\r\nContent-Transfer-Encoding: binary", "1")
          PART(D "name=b\r\ncontent-transfer-encoding: 8BIT", "2")
              PART(D "name=c\r\nContent-Transfer-Encoding:7bit ", "3") END,
      0, "{a}1;{b}2;{c}3;", 0 },

    /* bodies */
    { "a value may be empty", TYPE, PART(D "name=a", "") END, 0, "{a};", 0 },
    { "a part may end with its headers", TYPE, "--X\r\n" D "name=a\r\n\r\n--X--", 0, "{a};", 0 },
    { "a value may begin with a line end", TYPE, PART(D "name=a", "\r\n1") END, 0, "{a}<CR><LF>1;",
      0 },
    { "a value may end with line ends", TYPE, PART(D "name=a", "1\r\n\r\n") END, 0,
      "{a}1<CR><LF><CR><LF>;", 0 },
    { "a value may hold what almost is a delimiter", TYPE,
      PART(D "name=a", "\r\n--\r\n-X\r\r\n--Y\n--X\r--X\r\n-") END, 0,
      "{a}<CR><LF>--<CR><LF>-X<CR><CR><LF>--Y<LF>--X<CR>--X<CR><LF>-;", 0 },
    { "a value may begin with dashes", TYPE, PART(D "name=a", "--Y") END, 0, "{a}--Y;", 0 },
    { "a value may hold NULs", TYPE, NUL(PART(D "name=a", "1\0002") END), "{a}1<NUL>2;", 0 },
    { "a boundary that begins like another's end is told apart",
      "multipart/form-data; boundary=--X", "----X\r\n" D "name=a\r\n\r\n\r\n--X\r\n---X\r\n----X--",
      0, "{a}<CR><LF>--X<CR><LF>---X;", 0 },
    { "a preamble is passed over", TYPE,
      "This is\r\n\r\n--x\r\n--\r\na preamble\r\n" PART(D "name=a", "1") END, 0, "{a}1;", 0 },
    { "a line end before the first delimiter is passed over", TYPE,
      "\r\n" PART(D "name=a", "1") END, 0, "{a}1;", 0 },
    { "an epilogue is passed over", TYPE, PART(D "name=a", "1") END "and\r\n--X\r\nmore", 0,
      "{a}1;", 0 },
    { "the line end behind the last delimiter may be missing", TYPE, PART(D "name=a", "1") "--X--",
      0, "{a}1;", 0 },
    { "blanks behind a delimiter are passed over", TYPE,
      "--X \t\r\n" D "name=a\r\n\r\n1\r\n--X--  \r\n", 0, "{a}1;", 0 },
    { "a form may have no parts", TYPE, END, 0, "", 0 },

    /* what is broken */
    { "a body without its closing delimiter is refused", TYPE, PART(D "name=a", "1"), 0,
      "{a}1!invalid_request", "closing delimiter" },
    { "a body that ends in a delimiter not closed is refused", TYPE, PART(D "name=a", "1") "--X-",
      0, "{a}1;!invalid_request", "closing delimiter" },
    { "a body that ends in a part's headers is refused", TYPE, "--X\r\n" D "name=a\r\n", 0,
      "!invalid_request", "closing delimiter" },
    { "an empty body is refused", TYPE, "", 0, "!invalid_request", "no delimiter" },
    { "a body of another boundary is refused", TYPE, "--Y\r\n" D "name=a\r\n\r\n1\r\n--Y--", 0,
      "!invalid_request", "no delimiter" },
    { "a delimiter with more behind it is refused", TYPE, PART(D "name=a", "1") "--XY\r\n", 0,
      "{a}1;!invalid_request", "followed by other characters" },
    { "a closing delimiter behind blanks is refused", TYPE, PART(D "name=a", "1") "--X --", 0,
      "{a}1;!invalid_request", "followed by other characters" },
    { "line ends of LF alone are refused", TYPE,
      "--X\nContent-Disposition: form-data; name=a\n\n1\n--X--\n", 0, "!invalid_request", "CR LF" },
    { "headers that end in LF alone are refused", TYPE, "--X\r\n" D "name=a\n\r\n1\r\n--X--", 0,
      "!invalid_request", "CR LF" },
    { "a part without a Content-Disposition is refused", TYPE,
      PART("Content-Type: text/plain", "1") END, 0, "!invalid_request", "no name" },
    { "a part without headers is refused", TYPE, "--X\r\n\r\n1\r\n--X--", 0, "!invalid_request",
      "no name" },
    { "a part without a name is refused", TYPE, PART(D "filename=a", "1") END, 0,
      "!invalid_request", "no name" },
    { "an empty name is refused", TYPE, PART(D "name=\"\"", "1") END, 0, "!invalid_request",
      "no name" },
    { "a part with two names is refused", TYPE, PART(D "name=a; name=b", "1") END, 0,
      "!invalid_request", "two names" },
    { "a part with two file names is refused", TYPE, PART(D "name=a; filename=b; filename=c", "1"),
      0, "!invalid_request", "two file names" },
    { "a part with two Content-Dispositions is refused", TYPE,
      PART(D "name=a\r\n" D "name=b", "1") END, 0, "!invalid_request", "two Content-Disposition" },
    { "a disposition other than form-data is refused", TYPE,
      PART("Content-Disposition: attachment; name=a", "1") END, 0, "!invalid_request",
      "form-data" },
    { "a quote that does not end is refused", TYPE, PART(D "name=\"a", "1") END, 0,
      "!invalid_request", "broken parameter" },
    { "a quoted value with more behind it is refused", TYPE, PART(D "name=\"a\"b", "1") END, 0,
      "!invalid_request", "broken parameter" },
    { "a parameter without a value is refused", TYPE, PART(D "name", "1") END, 0,
      "!invalid_request", "broken parameter" },
    { "a header line without a colon is refused", TYPE, PART(D "name=a\r\nrubbish", "1") END, 0,
      "!invalid_request", "not a header field" },
    { "a blank before the colon is refused", TYPE,
      PART("Content-Disposition : form-data; name=a", "1") END, 0, "!invalid_request",
      "not a header field" },
    { "a folded header is refused", TYPE,
      PART("Content-Disposition: form-data;\r\n name=a", "1") END, 0, "!invalid_request",
      "folded" },
    { "a NUL in a name is refused", TYPE, NUL(PART(D "name=\"a\0b\"", "1") END), "!invalid_request",
      "control character" },
    { "a NUL in a file name is refused", TYPE, NUL(PART(D "name=a; filename=\"a\0b\"", "1") END),
      "!invalid_request", "control character" },
    { "an escaped NUL in filename* is refused", TYPE,
      PART(D "name=a; filename*=UTF-8''a%00b", "1") END, 0, "!invalid_request", "RFC 8187" },
    { "a lone CR in a header is refused", TYPE, PART(D "name=\"a\rb\"", "1") END, 0,
      "!invalid_request", "control character" },
    { "filename* that is not UTF-8 though it says so is refused", TYPE,
      PART(D "name=a; filename*=UTF-8''%E9", "1") END, 0, "!invalid_request", "RFC 8187" },
    { "filename* of another character set is refused", TYPE,
      PART(D "name=a; filename*=koi8-r''%E9", "1") END, 0, "!invalid_request", "RFC 8187" },
    { "filename* with half an escape is refused", TYPE,
      PART(D "name=a; filename*=UTF-8''a%4", "1") END, 0, "!invalid_request", "RFC 8187" },
    { "filename* without a character set is refused", TYPE,
      PART(D "name=a; filename*=a.pdf", "1") END, 0, "!invalid_request", "RFC 8187" },
    { "a name that is not UTF-8 is refused", TYPE, PART(D "name=\"\xe9\"", "1") END, 0,
      "!invalid_request", "UTF-8" },
    { "an overlong UTF-8 form in a name is refused", TYPE, PART(D "name=\"\xc0\xaf\"", "1") END, 0,
      "!invalid_request", "UTF-8" },
    { "base64 is refused", TYPE, PART(D "name=a\r\nContent-Transfer-Encoding: base64", "MQ==") END,
      0, "!invalid_request", "Content-Transfer-Encoding" },
    { "quoted-printable is refused", TYPE,
      PART(D "name=a\r\nContent-Transfer-Encoding: quoted-printable", "1") END, 0,
      "!invalid_request", "Content-Transfer-Encoding" },

    /* limits: 3 fields of 64 bytes, 3 files of 100 bytes, 400 bytes of headers, 2000 in all */
    { "as many fields as allowed are taken", TYPE,
      PART(D "name=a", "1") PART(D "name=a", "2") PART(D "name=a", "3") END, 0, "{a}1;{a}2;{a}3;",
      0 },
    { "one field more is refused", TYPE,
      PART(D "name=a", "1") PART(D "name=a", "2") PART(D "name=a", "3") PART(D "name=a", "4") END,
      0, "{a}1;{a}2;{a}3;!invalid_request", "at most 3 form fields" },
    { "as many files as allowed are taken", TYPE,
      PART(D "name=a; filename=x", "1") PART(D "name=a; filename=x", "2")
          PART(D "name=a; filename=x", "3") END,
      0, "{a|x}1;{a|x}2;{a|x}3;", 0 },
    { "one file more is refused", TYPE,
      PART(D "name=a; filename=x", "1") PART(D "name=a; filename=x", "2")
          PART(D "name=a; filename=x", "3") PART(D "name=a; filename=x", "4") END,
      0, "{a|x}1;{a|x}2;{a|x}3;!too_many_files", "at most 3 files" },
#define TEN   "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN
    { "a field of the greatest length is taken", TYPE, PART(D "name=a", SIXTY "0123") END, 0,
      "{a}" SIXTY "0123;", 0 },
    { "a longer field is refused", TYPE, PART(D "name=a", SIXTY "01234") END, 0,
      "{a}" SIXTY "0123!invalid_request", "at most 64 bytes" },
    { "a file of the greatest length is taken", TYPE,
      PART(D "name=a; filename=x", SIXTY TEN TEN TEN TEN) END, 0, "{a|x}" SIXTY TEN TEN TEN TEN ";",
      0 },
    { "a longer file is refused", TYPE, PART(D "name=a; filename=x", SIXTY SIXTY) END, 0,
      "{a|x}" SIXTY TEN TEN TEN TEN "!file_too_large", "at most 100 bytes" },
    { "headers over the limit are refused", TYPE,
      "--X\r\n" D "name=" SIXTY SIXTY SIXTY SIXTY SIXTY SIXTY "\r\n\r\n1\r\n" END, 0,
      "!invalid_request", "at most 400 bytes" },
    { "many short header lines over the limit are refused", TYPE,
      "--X\r\na:" SIXTY "\r\na:" SIXTY "\r\na:" SIXTY "\r\na:" SIXTY "\r\na:" SIXTY "\r\na:" SIXTY
      "\r\na:" SIXTY "\r\n\r\n1\r\n" END,
      0, "!invalid_request", "at most 400 bytes" },
};

static void check_fact(const struct fact *fact)
{
    size_t n = fact->n ? fact->n : strlen(fact->body);
    struct err err = { 0 };
    AUTO_FREE char *whole = parse(fact->type, fact->body, n, n, &err);
    char sentence[sizeof(err.msg)];
    bool same = true;

    snprintf(sentence, sizeof(sentence), "%s", err.msg);
    is_str(whole, fact->want, "%s", fact->sentence);
    if (fact->says &&
        !ok(strstr(sentence, fact->says), "%s, and the sentence says why", fact->sentence))
        printf("# %s\n", sentence);
    for (size_t round = 0; round < 40; round++) {
        AUTO_FREE char *pieces = NULL;

        err = (struct err){ 0 };
        pieces = parse(fact->type, fact->body, n, round == 0 ? 1 : 1 + round % 11, &err);
        same = same && strcmp(pieces, whole) == 0 && strcmp(err.msg, sentence) == 0;
    }
    ok(same, "%s, in pieces of any size", fact->sentence);
}

static void check_total(void)
{
    struct err err = { 0 };
    AUTO_BUF struct buf body = BUF_EMPTY;

    buf_puts(&body, plain);
    while (body.len < (size_t) limits.max_total_bytes)
        buf_putc(&body, 'e');
    for (int more = 0; more < 2; more++) {
        AUTO_FREE char *whole = parse(TYPE, body.data, body.len, body.len, &err);
        AUTO_FREE char *bytes = parse(TYPE, body.data, body.len, 1, &err);

        is_str(whole, more ? "{a}1;!file_too_large" : "{a}1;",
               more ? "one byte more is refused" : "a body of the greatest length is taken");
        is_str(bytes, whole, "the same in single bytes");
        buf_putc(&body, 'e');
    }
}

static int stop(void *arg, struct err *err)
{
    (void) arg;
    return err_set(err, ERR_STORAGE_FULL, "full");
}

static void check_stop(void)
{
    const struct multipart_events stopping = { on_begin, on_data, stop };
    struct record record = { 0 };
    struct multipart *mp = multipart_new("X", &limits, &stopping, &record);
    struct err err = { 0 };

    is_int(multipart_feed(mp, plain, strlen(plain), &err), -1, "an event that fails stops it");
    is_int(err.code, ERR_STORAGE_FULL, "with the event's own error");
    is_int(multipart_finish(mp, &err), -1, "and it does not finish");
    multipart_free(mp);
    buf_free(&record.text);
    ok(multipart_new("", &limits, &events, NULL) == NULL, "no parser without a boundary");
}

int main(void)
{
    srand(1);
    for (size_t i = 0; i < COUNT(facts); i++)
        check_fact(&facts[i]);
    check_total();
    check_stop();
    return done_testing();
}
