/* markup: depth and length are counted as LibreOffice would meet them. */
#include "engine/office/markup.h"

#include <string.h>

#include "tap.h"

static struct markup fed(const char *xml)
{
    struct markup markup = { 0 };

    for (size_t i = 0; xml[i]; i++) /* byte by byte: pieces may end anywhere */
        markup_feed(&markup, xml + i, 1);
    return markup;
}

static void check_depth(const char *xml, long depth)
{
    ok(fed(xml).deepest == depth, "%s is %ld deep", xml, depth);
}

static void check_length(const char *xml, size_t length)
{
    ok(fed(xml).longest == length, "%s has %zu bytes in a paragraph", xml, length);
}

static void check_utf16(void)
{
    static const char xml[] = "<\0a\0>\0<\0b\0/\0>\0<\0c\0>\0x\0y\0";
    struct markup markup = { 0 };

    markup_feed(&markup, xml, sizeof xml - 1);
    ok(markup.deepest == 2 && markup.longest == 2, "UTF-16 is read");
}

int main(void)
{
    check_depth("", 0);
    check_depth("<a><b/><b></b><b/></a>", 1 + 1);
    check_depth("<a><b/><b/></a>", 1);
    check_depth("<?xml version='1.0'?><!DOCTYPE a><a x='>' y=\"/>\"><b /></a>", 1);
    check_depth("<a><!-- it's --><b></b></a>", 2);
    check_depth("<a/b>", 1);
    check_depth("<t><r><c><t><r><c><p/></c></r></t></c></r></t>", 6);
    check_length("<w:p>abc</w:p><w:p><w:t>defg</w:t></w:p>", 4);
    check_length("<w:p><w:r><w:t>abc</w:t></w:r><w:r><w:t>defg</w:t></w:r></w:p>", 7);
    check_length("<text:h>abcde</text:h><text:p>ab</text:p>", 5);
    check_length("<text:p><office:binary-data>QUJD</office:binary-data>ab</text:p>", 2);
    ok(fed("<a><![CDATA[abcdef]]>x").longest > 6, "CDATA is text");
    check_utf16();
    return done_testing();
}
