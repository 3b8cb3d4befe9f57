#include "update/section.h"

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

    is_int(find("%PDF-1.4\nxref\n0 0\nstartxref\n9\n%%EOF\n"), 0, "a table is found");
    ok(!section.stream && section.offset == 9 && section.header == 0 && section.newline,
       "where it is, and that the file ends with a line");
    is_int(find("%PDF-1.5\n7 0 obj\nstartxref\n9\n%%EOF"), 0, "a stream is found");
    ok(section.stream && !section.newline, "and that its file does not");
    is_int(section.number, 7, "and its number");
    is_int(find("mail\n%PDF-1.4\nxref\n0 0\nstartxref\n9\n%%EOF\n"), 0,
           "offsets count from the header");
    is_int(section.header, 5, "wherever that is");
    is_int(find("%PDF-1.4\nxref\nstartxref\n1\nstartxref\n9\n%%EOF\n"), 0,
           "the last startxref is the one");
    is_int(section.offset, 9, "of several");
    is_int(find("%PDF-1.4\n  \r\n xref\n0 0\nstartxref\n9\n%%EOF\n"), 0, "blanks may come first");

    is_int(find(""), -1, "an empty file has none");
    is_int(find("%PDF-1.4\nxref\n"), -1, "nor has one without startxref");
    is_int(find("%PDF-1.4\nxref\nstartxref\n"), -1, "or without its number");
    is_int(find("%PDF-1.4\nxref\nstartxref\n-9\n"), -1, "or with a negative one");
    is_int(find("%PDF-1.4\nxref\nstartxref\n99999999999999999999\n"), -1, "or with a huge one");
    is_int(find("%PDF-1.4\nxref\nstartxref\n4096\n"), -1, "or with one behind its end");
    is_int(find("%PDF-1.4\nxref\nstartxref\n0\n"), -1, "or with none");
    is_int(find("%PDF-1.4\ntable\nstartxref\n9\n"), -1, "or with one of something else");
    is_int(find("xref\nstartxref\n0\n"), -1, "or without a header");
    is_int(find("%PDF-1.4\nxref\nstartxref\n9\nstartxref9\n"), -1,
           "one that is no word is none to some readers");
    is_int(find("%PDF-1.4\nxref\nstartxref\n9\n0startxref 9\n"), -1, "on either side");
    is_int(find("%PDF-1.4\nxref\nstartxref\n9x\n"), -1, "nor may its number go on");
    buf_puts(&far, "%PDF-1.4\nxref\nstartxref\n9\n");
    for (int i = 0; i < 2000; i++)
        buf_putc(&far, 'x');
    is_int(find(buf_text(&far)), -1, "or far from its end, where nobody looks");
    return done_testing();
}
