#include "pdf/update/section.h"

#include "base/fdio.h"
#include "base/scope.h"
#include "tap.h"

static struct section section;

/* What section_find makes of a file. */
static int find(const char *text)
{
    struct err err;
    AUTO_CLOSE int fd = fdio_memory_file(&err);
    int found;

    if (fd < 0 || fdio_write(fd, text, strlen(text), &err) < 0)
        return -2;
    found = section_find(fd, (int64_t) strlen(text), &section, &err);
    return found < 0 && err.code != ERR_CORRUPT_FILE ? -2 : found;
}

int main(void)
{
    AUTO_BUF struct buf far = BUF_EMPTY;

    is_int(find("%PDF-1.4\nxref\n0 0\nstartxref\n9\n%%EOF\n"), 0,
           "a cross-reference table is found");
    ok(!section.stream && section.offset == 9 && section.header == 0 && section.newline,
       "the table's offset and the line feed at the end of the file are reported");
    is_int(find("%PDF-1.5\n7 0 obj\nstartxref\n9\n%%EOF"), 0, "a cross-reference stream is found");
    ok(section.stream && !section.newline,
       "a cross-reference stream and a file without a line feed at its end are reported");
    is_int(section.number, 7, "the object number of a cross-reference stream is reported");
    is_int(find("mail\n%PDF-1.4\nxref\n0 0\nstartxref\n9\n%%EOF\n"), 0,
           "offsets are counted from the header");
    is_int(section.header, 5, "the header's position is reported");
    is_int(find("%PDF-1.4\nxref\nstartxref\n1\nstartxref\n9\n%%EOF\n"), 0,
           "a file with several startxref is accepted");
    is_int(section.offset, 9, "the last startxref is used");
    is_int(find("%PDF-1.4\n  \r\n xref\n0 0\nstartxref\n9\n%%EOF\n"), 0,
           "white space may precede a cross-reference table");

    is_int(find(""), -1, "an empty file has no section");
    is_int(find("%PDF-1.4\nxref\n"), -1, "a file without startxref has no section");
    is_int(find("%PDF-1.4\nxref\nstartxref\n"), -1, "a startxref without a number is refused");
    is_int(find("%PDF-1.4\nxref\nstartxref\n-9\n"), -1, "a negative offset is refused");
    is_int(find("%PDF-1.4\nxref\nstartxref\n99999999999999999999\n"), -1,
           "an offset of 20 digits is refused");
    is_int(find("%PDF-1.4\nxref\nstartxref\n4096\n"), -1,
           "an offset beyond the end of the file is refused");
    is_int(find("%PDF-1.4\nxref\nstartxref\n0\n"), -1, "the offset 0 is refused");
    is_int(find("%PDF-1.4\ntable\nstartxref\n9\n"), -1, "an offset of something else is refused");
    is_int(find("xref\nstartxref\n0\n"), -1, "a file without a header has no section");
    is_int(find("%PDF-1.4\nxref\nstartxref\n9\nstartxref9\n"), -1,
           "a startxref that is joined to its number is refused, as some readers do");
    is_int(find("%PDF-1.4\nxref\nstartxref\n9\n0startxref 9\n"), -1,
           "a startxref that is joined to what precedes it is refused");
    is_int(find("%PDF-1.4\nxref\nstartxref\n9x\n"), -1, "an offset that letters follow is refused");
    buf_puts(&far, "%PDF-1.4\nxref\nstartxref\n9\n");
    for (int i = 0; i < 2000; i++)
        buf_putc(&far, 'x');
    is_int(find(buf_text(&far)), -1, "a startxref far from the end of the file is not found");
    return done_testing();
}
