#include "pdf/redact/redact_known.h"

#include <string.h>

#define LONGEST 40 /* bytes of such a name, at most */

/* Each between two blanks. */
static const char names[] =
    " A85 AHx ASCII85Decode ASCIIHexDecode AbsoluteColorimetric ActualText Adobe"
    " Adobe-Identity-0 Adobe-Identity-UCS Adobe-UCS Alt Annot Art Artifact Aside Attached"
    " BBox BPC Background Bates BibEntry BitsPerComponent BlackIs1 BlockQuote Bottom CCF"
    " CCITTFaxDecode CIDInit CIDSystemInfo CMYK CMap CMapName CMapType CMapVersion CS CalGray"
    " CalRGB Caption Clip Code ColorSpace ColorTransform Colors Columns Content Contents D"
    " DCT DCTDecode DP DamagedRowsBeforeError Decode DecodeParms DeviceCMYK DeviceGray"
    " DeviceN DeviceRGB Div Document DocumentFragment E EarlyChange Em EncodedByteAlign"
    " EndOfBlock EndOfLine Endnote F FENote Figure Filter Fl FlateDecode Footer Form Formula"
    " G H H1 H2 H3 H4 H5 H6 Header Height Horizontal I ICCBased IM Identity Identity-H"
    " Identity-V ImageMask Index Indexed Intent Interpolate K L LBody LI LZW LZWDecode Lab"
    " Lang Layout Lbl Left Length LineNum Link MCID MCR Metadata NonStruct Note OBJR OC OCG"
    " OCMD Ordering P Page PageNum Pagination Part Pattern Perceptual PlacedGraphic PlacedPDF"
    " Position Predictor Private ProcSet PropertyList Quote RB RGB RL RP RT Redaction"
    " Reference Registry RelativeColorimetric ReversedChars Right Rows Ruby RunLengthDecode"
    " Saturation Sect Separation Span Strong Sub Subtype Supplement Suspect Suspects T TBody"
    " TD TFoot TH THead TOC TOCI TR Table TagSuspect Title Top Tx Type UCS UCS2 UIDOffset"
    " Vertical W WMode WP WT Warichu Watermark Width XUID ";

bool redact_known_name(const char *name, size_t n)
{
    char text[LONGEST + 3];

    if (n == 0 || n > LONGEST || memchr(name, 0, n) || memchr(name, ' ', n))
        return false;
    text[0] = ' ';
    memcpy(text + 1, name, n);
    memcpy(text + 1 + n, " ", 2);
    return strstr(names, text) != NULL;
}
