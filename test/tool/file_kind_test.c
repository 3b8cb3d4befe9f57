#include "declare/value/file_kind.h"

#include "tap.h"

static const char *kind(const char *head, size_t n)
{
    const char *found = file_kind_of(head, n);

    return found ? found : "none";
}

#define KIND(text) kind(text, sizeof(text) - 1)

/* What qpdf, MuPDF and poppler open. */
static void damaged_headers(void)
{
    is_str(KIND("%DF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type /Catalog"), "pdf",
           "a header that lost a letter and an object are a PDF");
    is_str(KIND("PDF-1.4\r1 0 obj\r<</Type /Catalog"), "pdf",
           "a header that lost its first letter and an object are a PDF");
    is_str(KIND("\n% \n\n12 0  obj [1 2]"), "pdf",
           "an object after comments and empty lines is a PDF");
    is_str(KIND("1 0 obj<<>>"), "pdf", "an object at the beginning is a PDF");
    is_str(KIND("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\n7 0 obj\n<<"), "pdf",
           "an object after overwritten bytes is a PDF");
    is_str(KIND("%DF-1.4\nA text that has a line with\n1 0 obj\n<<"), "text",
           "a text with a damaged header and an object's number is a text");
    is_str(KIND("How PDF works, by example\n1 0 obj\n<<"), "text",
           "a text about PDF with an object is a text");
    is_str(KIND("PDF-1.4\nobj 1 0\n"), "text", "a damaged header without an object is a text");
    is_str(KIND("1 0 object\n<<"), "text", "a number followed by \"object\" is a text");
    is_str(KIND("1 0 obj\n<"), "text", "an object that begins with a single < is a text");
    is_str(KIND("1\t0 obj"), "text", "an object's number alone is a text");
    is_str(KIND("\1\2\3 1 0 obj <<"), "none",
           "binary data with an object within a line has no kind");
}

static void pages_of_html(void)
{
    is_str(KIND("<html><body>"), "html", "HTML begins with <html>");
    is_str(KIND("\xef\xbb\xbf\r\n <!DOCTYPE html>\n"), "html", "HTML begins with a document type");
    is_str(KIND("<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">"), "html",
           "HTML begins with an old document type");
    is_str(KIND("<?xml version=\"1.0\"?>\n<!-- saved --> <!---->\n<HTML lang=\"de\">"), "html",
           "HTML may begin with a declaration and comments");
    is_str(KIND("<html"), "html", "HTML may end after <html");
    is_str(KIND("How to begin: <html><body>"), "text", "text that mentions HTML is text");
    is_str(KIND("<p> and <html> are tags"), "text", "a text with tags in it is a text");
    is_str(KIND("<htmlx>"), "text", "a text that begins with <htmlx> is a text");
    is_str(KIND("<!-- <html>"), "text", "a comment that does not end is a text");
    is_str(KIND("<?xml version=\"1.0\"?><office:document/>"), "text", "XML is a text");
    is_str(KIND("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), "svg", "SVG begins with <svg>");
    is_str(KIND("<?xml version=\"1.0\"?>\n<!-- drawn --><!DOCTYPE svg PUBLIC \"-//W3C"), "svg",
           "or with its document type");
    is_str(KIND("<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\">"), "svg", "or with a prefix");
    is_str(KIND("<svgs/>"), "text", "a text that begins with <svgs> is a text");
    is_str(KIND("<p><svg>"), "text", "a drawing within other tags is not a drawing");
    is_str(KIND("<html>\n%PDF-1.4\n"), "pdf", "a PDF after a line of HTML is a PDF");
}

static void films_and_pictures(void)
{
    is_str(kind("RIFF\1\2\3\4WEBPVP8 ", 16), "webp", "a WebP");
    is_str(kind("RIFF\1\2\3\4WAVEfmt ", 16), "none", "a RIFF file that is not WebP has no kind");
    is_str(kind("\0\0\0\34ftypheic\0\0\0\0", 16), "heic", "a HEIC");
    is_str(kind("\0\0\0\34ftypmif1\0\0\0\0", 16), "heic", "a HEIC whose brand names no coding");
    is_str(kind("\0\0\0\34ftypavif\0\0\0\0", 16), "avif", "an AVIF");
    is_str(kind("\0\0\0\34ftypisom\0\0\0\0", 16), "none", "a film has no kind");
}

static void check_utf16(void)
{
    is_str(kind("\xff\xfe"
                "a\0",
                4),
           "text", "UTF-16 with a byte order mark is a text");
    is_str(kind("a\0,\0b\0\n\0", 8), "text", "UTF-16 without one is a text, too");
    is_str(kind("\0a\0,\0b\0\n", 8), "text", "in both orders of bytes");
    is_str(kind("a\0\0\0b\0\n\0", 8), "none", "zeros that UTF-16 has not are no text");
    is_str(kind("a\0\0\xd8"
                "b\0",
                6),
           "none", "halves of surrogate pairs are no text");
}

int main(void)
{
    char head[2048];

    is_str(kind("%PDF-1.7\n", 9), "pdf", "the header %%PDF- is a PDF");
    is_str(kind("\xef\xbb\xbf%PDF-1.7\n", 12), "pdf",
           "the header %%PDF- after a byte order mark is a PDF");
    memset(head, ' ', sizeof head);
    memcpy(head + 1000, "%PDF-", 5);
    is_str(kind(head, sizeof head), "pdf", "%%PDF- within 1024 bytes is a PDF");
    memset(head, ' ', sizeof head);
    memcpy(head + 1500, "%PDF-", 5);
    is_str(kind(head, sizeof head), "text",
           "the header %%PDF- after the first 1024 bytes is not a PDF");
    damaged_headers();
    films_and_pictures();
    check_utf16();
    pages_of_html();
    is_str(kind("PK\3\4", 4), "zip", "PK and the signature of a member is a ZIP");
    is_str(kind(" PK\3\4", 5), "none", "a ZIP's signature after a blank has no kind");
    is_str(kind("\xff\xd8\xff\xe0", 4), "jpg", "a JPEG");
    is_str(kind("\x89PNG\r\n\x1a\n", 8), "png", "a PNG");
    is_str(kind("GIF89a", 6), "gif", "a GIF");
    is_str(kind("II*\0", 4), "tiff", "II begins a TIFF");
    is_str(kind("MM\0*", 4), "tiff", "MM begins a TIFF");
    is_str(kind("BM\1\2\3\4\0\0\0\0\66\0\0\0\50\0\0\0", 18), "bmp",
           "a BMP with a header of 40 bytes is a BMP");
    is_str(kind("BM\1\2\3\4\7\0\7\0\32\0\0\0\14\0\0\0", 18), "bmp", "a BMP with a hot spot");
    is_str(kind("BMW drives and brakes", 21), "text", "a text that begins with BM is a text");
    is_str(kind("\xff\xd8\xff\xfe\0\7%PDF-1.7", 14), "jpg",
           "a JPEG that says PDF inside is a JPEG");
    is_str(kind("%PDF-1.7 \xff\xd8\xff", 12), "pdf", "a PDF that contains a JPEG is a PDF");
    is_str(kind("", 0), "none", "an empty file has no kind");
    is_str(kind("%PDF", 4), "text", "an incomplete header is a text");
    is_str(kind("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8), "ole", "a compound file is ole");
    is_str(kind("\x09\x02\x06\x00\x00\x00\x10\x00", 8), "biff", "an Excel 2 file is biff");
    is_str(kind("{\\rtf1", 6), "text", "RTF is text");
    is_str(kind("gr\xfc\xdf", 4), "text", "text in any encoding is a text");
    is_str(kind("\x7f"
                "ELF\2\1\1\0",
                8),
           "none", "a file with a NUL has no kind");
    is_str(kind("a\001b", 3), "none", "a file with other control characters has no kind");
    is_str(file_kind_media_type("pdf"), "application/pdf", "kinds have media types");
    is_str(file_kind_extension("zip"), "zip", "a kind has an extension");
    ok(file_kind_media_type("exe") == NULL, "an unknown kind has no media type");
    is_str(file_kind_of_name("a.pdf"), "pdf", "the extension .pdf is a PDF");
    is_str(file_kind_of_name("x.y/a.JPEG"), "jpg", "the extension .JPEG is a JPEG");
    is_str(file_kind_of_name("a.tiff"), "tiff", "the extension .tiff is a TIFF");
    ok(!file_kind_of_name("a.pdf/b") && !file_kind_of_name("pdf") && !file_kind_of_name("a.exe"),
       "a folder's name, a missing extension and an unknown one give no kind");
    ok(file_kind_fits("docx", "PK\3\4 and more", 13), "a ZIP fits the kind docx");
    ok(!file_kind_fits("docx", "%PDF-1.7", 8), "a PDF does not fit the kind docx");
    ok(file_kind_fits("pdf", "%PDF-1.7", 8) && !file_kind_fits("pdf", "PK\3\4", 4),
       "a file fits the kind that its first bytes say");
    return done_testing();
}
