/* What an SVG file asks for and is not drawn. */
#include "image/svg/svg_references.h"

#include <string.h>

#include "tap.h"

#define SVG(text) "<svg xmlns='http://www.w3.org/2000/svg'>" text "</svg>"

static struct svg_references found;

static size_t count(const char *text, enum svg_reference kind)
{
    struct err err;

    if (svg_references_find(text, strlen(text), &found, &err) < 0)
        return 1000;
    return found.n[kind];
}

static void test_outside(void)
{
    is_int(count(SVG("<image href='a.png'/>"), SVG_OUTSIDE), 1, "a picture in another file");
    is_str(found.outside, "a.png", "is named");
    is_int(count(SVG("<use href=' #a'/><rect fill='url( \"#g\")'/>"), SVG_OUTSIDE), 0,
           "parts of the same file are not outside");
    is_int(count(SVG("<rect style='fill:URL(x.svg#g)' mask='url(y.svg#m)'/>"), SVG_OUTSIDE), 2,
           "addresses in attributes are found");
    is_int(count(SVG("<style>@import 'a'; @import url(b);</style>url(c)"), SVG_OUTSIDE), 2,
           "and in style sheets, but not in texts");
    is_int(count("<?xml-stylesheet href='a.css'?>" SVG(""), SVG_OUTSIDE), 1, "and of style sheets");
    is_int(
        count("<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/x.dtd'>" SVG(""),
              SVG_OUTSIDE),
        0, "a document type needs nothing");
    is_int(count("<!DOCTYPE svg [<!ENTITY a SYSTEM 'b'>]>" SVG("&a;"), SVG_OUTSIDE), 1,
           "an entity does");
}

static void test_others(void)
{
    is_int(count(SVG("<image href='data:image/png;base64,'/><image href='DATA:image/jpeg,'/>"),
                 SVG_PICTURE),
           0, "PNG and JPEG are drawn");
    is_int(count(SVG("<image href='data:image/webp;base64,'/>"), SVG_PICTURE), 1,
           "other formats are not");
    is_int(count(SVG("<a href='x'/>"), SVG_OUTSIDE), 0, "a link is no picture");
    is_int(count(SVG("<a href='x'/>"), SVG_LINK), 1, "but a link");
    is_int(count(SVG("<set/><animateMotion/>"), SVG_ANIMATION), 2, "animations");
    is_int(count("<s:svg xmlns:s='a'><s:script/></s:svg>", SVG_SCRIPT), 1,
           "a prefix makes no difference");
    is_int(count(SVG("<style>") "url(", SVG_OUTSIDE), 0, "what is not well-formed ends early");
}

static void test_fonts(void)
{
    is_int(count(SVG("<text font-family='A B, serif'/><g style='font-family:C'/>"), SVG_TEXT), 1,
           "a text");
    is_int((long) found.n_fonts, 2, "with two lists of fonts");
    is_str(found.fonts[0], "A B, serif", "of an attribute");
    is_str(found.fonts[1], "C", "and of a style");
    count(SVG("<style>a { FONT : bold 12px / 1.5 \"D E\", F; } b { font: caption }</style>"),
          SVG_TEXT);
    is_int((long) found.n_fonts, 1, "a style sheet has one");
    is_str(found.fonts[0], "\"D E\", F", "after the size");
    count(
        SVG("<g style='font:'/><g style='font-family'/><g style='font: 9px'/><g font-family=''/>"),
        SVG_TEXT);
    is_int((long) found.n_fonts, 0, "an empty value has none");
}

int main(void)
{
    test_fonts();
    test_outside();
    test_others();
    return done_testing();
}
