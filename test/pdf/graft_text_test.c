#include "pdf/graft/graft_text.h"
#include "tap.h"

static struct graft_text text;

static void read_text(const char *bytes)
{
    graft_text_read(&text, bytes, strlen(bytes));
}

int main(void)
{
    read_text("<< /A 1 0 R /B [ 2 0 R 3 4 << /C 5 6 R >> ] >>");
    ok(text.n_refs == 3 && text.refs[0].id == 1 && text.refs[1].id == 2 && text.refs[2].id == 5 &&
           text.refs[2].gen == 6,
       "references are found, and numbers are not taken for references");
    ok(text.refs[0].depth == 1 && text.refs[1].depth == 2 && text.refs[2].depth == 3,
       "references have the depth of the containers around them");
    read_text("<< /A (1 0 R \\) 2 0 R) /B <3020522030> /C#20 7 0 R >>");
    ok(text.n_refs == 1 && text.refs[0].id == 7, "strings hold no references");
    read_text("[ 0 0 R 99999999999999999999 0 R 3 70000 R -1 0 R ]");
    ok(text.n_refs == 0, "numbers that no object can have are not references");
    read_text("<< /AP << /N << /On 1 0 R >> >> /X 2 0 R >>");
    ok(text.n_refs == 2 && text.refs[0].appearance && !text.refs[1].appearance,
       "references to appearances are distinguished from others");
    read_text("<< /Type /Page /X [ << /Type /Font >> ] >>");
    ok(text.marks & GRAFT_PAGE && !(text.marks & GRAFT_FONT),
       "the type is that of the object itself");
    read_text("<< /P 1 0 R /S /Sect /K [ << /StructParent 3 >> ] >>");
    ok(text.marks & GRAFT_STRUCT_ELEM && text.marks & GRAFT_STRUCT_PARENT &&
           text.marks & GRAFT_LONER,
       "keys are marked wherever they stand");
    read_text("<< /Type /Font /BaseFont /Helvetica >>");
    ok(text.marks == GRAFT_FONT, "a font is no loner");
    read_text("]]>>)<");
    ok(text.n_refs == 0, "invalid syntax holds no references");
    graft_text_free(&text);
    return done_testing();
}
