/* metadata: what leaves an XMP packet, and what stays. */
#include "compress/streams/metadata.h"

#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "tap.h"

#define PACKET "<?xpacket begin='' id='W5'?>"
#define XMP    "xmlns:xap=\"http://ns.adobe.com/xap/1.0/\""

/* The result; "" if there is none. */
static const char *shorten(const char *text)
{
    static char result[1000];
    AUTO_BUF struct buf out = BUF_EMPTY;
    bool done = metadata_shorten((const unsigned char *) text, strlen(text), &out);

    snprintf(result, sizeof result, "%s", done ? buf_text(&out) : "");
    return result;
}

int main(void)
{
    is_str(shorten(PACKET "\n<a>\n  <b>x</b>\n  <c/>\n</a>\n   \n  <?xpacket end='w'?>\n"),
           PACKET "<a><b>x</b><c/></a><?xpacket end='w'?>", "indentation and padding are removed");
    is_str(shorten("<a> <b> </b> <c> x </c> </a>"), "<a><b> </b><c> x </c></a>",
           "white space in values stays");
    is_str(shorten("<a b=' > ' > <c/></a>"), "<a b=' > ' ><c/></a>", "attributes stay");
    is_str(shorten("<a " XMP "><xap:Thumbnails><q><r>x</r><s/></q></xap:Thumbnails><t>y</t></a>"),
           "<a " XMP "><t>y</t></a>", "thumbnails are removed");
    is_str(shorten("<a xmlns:xap='urn:x'><xap:Thumbnails><q>x</q></xap:Thumbnails> <t>y</t></a>"),
           "<a xmlns:xap='urn:x'><xap:Thumbnails><q>x</q></xap:Thumbnails><t>y</t></a>",
           "an element of that name in another namespace stays");
    is_str(shorten("<a " XMP "><xap:Thumbnails><q>x</q> </a>"), "",
           "thumbnails without an end tag stay");
    is_str(shorten("<a> <b rdf:parseType='Literal'> x </b></a>"), "",
           "XML as a value keeps its white space");
    is_str(shorten("<a> <![CDATA[ <b> ]]></a>"), "", "marked sections are not touched");
    is_str(shorten("<a> <b"), "", "text that ends within a tag is not touched");
    is_str(shorten("<a><b>x</b></a>"), "", "text that is short already stays");
    is_str(shorten(""), "", "an empty text gives nothing");
    return done_testing();
}
