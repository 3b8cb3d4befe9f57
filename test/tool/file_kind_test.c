#include "tool/file_kind.h"

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
           "a PDF whose header lost a letter");
    is_str(KIND("PDF-1.4\r1 0 obj\r<</Type /Catalog"), "pdf", "or its first");
    is_str(KIND("\n% \n\n12 0  obj [1 2]"), "pdf", "or the whole of it");
    is_str(KIND("1 0 obj<<>>"), "pdf", "or the line");
    is_str(KIND("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\n7 0 obj\n<<"), "pdf",
           "or is overwritten");
    is_str(KIND("%DF-1.4\nA text that has a line with\n1 0 obj\n<<"), "text",
           "but no text about PDF");
    is_str(KIND("How PDF works, by example\n1 0 obj\n<<"), "text", "of many words or few");
    is_str(KIND("PDF-1.4\nobj 1 0\n"), "text", "nor one without an object");
    is_str(KIND("1 0 object\n<<"), "text", "or with something like one");
    is_str(KIND("1 0 obj\n<"), "text", "or with half of one");
    is_str(KIND("1\t0 obj"), "text", "or with the name of one");
    is_str(KIND("\1\2\3 1 0 obj <<"), "none", "and nothing else with one within a line");
}

static void pages_of_html(void)
{
    is_str(KIND("<html><body>"), "html", "a page of HTML");
    is_str(KIND("\xef\xbb\xbf\r\n <!DOCTYPE html>\n"), "html", "with a document type");
    is_str(KIND("<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">"), "html", "an old one");
    is_str(KIND("<?xml version=\"1.0\"?>\n<!-- saved --> <!---->\n<HTML lang=\"de\">"), "html",
           "behind a declaration and comments");
    is_str(KIND("<html"), "html", "as short as it gets");
    is_str(KIND("How to begin: <html><body>"), "text", "text that mentions HTML is text");
    is_str(KIND("<p> and <html> are tags"), "text", "also one with angles");
    is_str(KIND("<htmlx>"), "text", "and one that is something else");
    is_str(KIND("<!-- <html>"), "text", "or a comment that does not end");
    is_str(KIND("<?xml version=\"1.0\"?><office:document/>"), "text", "and XML");
    is_str(KIND("<html>\n%PDF-1.4\n"), "pdf", "a PDF behind HTML is a PDF");
}

int main(void)
{
    char head[2048];

    is_str(kind("%PDF-1.7\n", 9), "pdf", "a PDF");
    is_str(kind("\xef\xbb\xbf%PDF-1.7\n", 12), "pdf", "a PDF behind a byte order mark");
    memset(head, ' ', sizeof head);
    memcpy(head + 1000, "%PDF-", 5);
    is_str(kind(head, sizeof head), "pdf", "a PDF behind other bytes, up to 1024");
    memset(head, ' ', sizeof head);
    memcpy(head + 1500, "%PDF-", 5);
    is_str(kind(head, sizeof head), "text", "not behind more of them");
    damaged_headers();
    pages_of_html();
    is_str(kind("PK\3\4", 4), "zip", "a ZIP file");
    is_str(kind(" PK\3\4", 5), "none", "which begins at the start");
    is_str(kind("\xff\xd8\xff\xe0", 4), "jpg", "a JPEG");
    is_str(kind("\x89PNG\r\n\x1a\n", 8), "png", "a PNG");
    is_str(kind("GIF89a", 6), "gif", "a GIF");
    is_str(kind("RIFF\1\2\3\4WEBPVP8 ", 16), "webp", "a WebP");
    is_str(kind("RIFF\1\2\3\4WAVEfmt ", 16), "none", "but not another RIFF file");
    is_str(kind("II*\0", 4), "tiff", "a TIFF of low bytes first");
    is_str(kind("MM\0*", 4), "tiff", "or of high ones");
    is_str(kind("BM\1\2\3\4\0\0\0\0\66\0\0\0\50\0\0\0", 18), "bmp", "a BMP");
    is_str(kind("BM\1\2\3\4\7\0\7\0\32\0\0\0\14\0\0\0", 18), "bmp", "with a pointer's tip");
    is_str(kind("BMW drives and brakes", 21), "text", "which is more than two letters");
    is_str(kind("\xff\xd8\xff\xfe\0\7%PDF-1.7", 14), "jpg",
           "a JPEG that says PDF inside is a JPEG");
    is_str(kind("%PDF-1.7 \xff\xd8\xff", 12), "pdf", "and a PDF with a JPEG inside a PDF");
    is_str(kind("", 0), "none", "an empty file is none");
    is_str(kind("%PDF", 4), "text", "half a header is text");
    is_str(kind("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8), "ole",
           "an old Word, Excel or PowerPoint file");
    is_str(kind("\x09\x02\x06\x00\x00\x00\x10\x00", 8), "biff", "a very old Excel file");
    is_str(kind("{\\rtf1", 6), "text", "RTF is text");
    is_str(kind("gr\xfc\xdf", 4), "text", "in any encoding");
    is_str(kind("\xff\xfe"
                "a\0",
                4),
           "text", "UTF-16 that says so");
    is_str(kind("\x7f"
                "ELF\2\1\1\0",
                8),
           "none", "a NUL makes it none");
    is_str(kind("a\001b", 3), "none", "and so do other control characters");
    is_str(file_kind_media_type("pdf"), "application/pdf", "kinds have media types");
    is_str(file_kind_extension("zip"), "zip", "and extensions");
    ok(file_kind_media_type("exe") == NULL, "others have none");
    is_str(file_kind_of_name("a.pdf"), "pdf", "a name's ending says a kind");
    is_str(file_kind_of_name("x.y/a.JPEG"), "jpg", "of either case, and by other endings too");
    is_str(file_kind_of_name("a.tiff"), "tiff", "such as .tiff");
    ok(!file_kind_of_name("a.pdf/b") && !file_kind_of_name("pdf") && !file_kind_of_name("a.exe"),
       "a folder's name, no ending and others say none");
    ok(file_kind_fits("docx", "PK\3\4 and more", 13), "a Word document begins as a ZIP does");
    ok(!file_kind_fits("docx", "%PDF-1.7", 8), "and not as a PDF does");
    ok(file_kind_fits("pdf", "%PDF-1.7", 8) && !file_kind_fits("pdf", "PK\3\4", 4),
       "others begin as they are");
    return done_testing();
}
