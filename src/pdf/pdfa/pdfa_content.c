/* pdfa_content: content streams, and what they name, of a document for PDF/A. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/content/operators.h"
#include "pdf/pdfa/pdfa_font.h"
#include "pdf/pdfa/pdfa_walk.h"
#include "pdf/text_layer/glyphless.h"

#define FORMS        20 /* form XObjects within each other */
#define SAVED        28 /* graphics states that are saved at a time (6.1.13) */
#define NUMBER_MOST  2147483647.0
#define STRING_BYTES 32767
#define NAME_BYTES   127

struct content {
    struct pdfa_walk *walk;
    struct obj resources;
    unsigned codes; /* of all fonts of ours that were used: those from 1 on have a glyph */
    /* For each graphics state that is saved, and the current one: its font is not ours, and which
     * one it is. */
    bool foreign[SAVED + 1];
    const struct pdfa_font *fonts[SAVED + 1];
    int saved;
    bool refused;
};

static bool refuse_content(struct content *c, const char *what)
{
    c->refused = true;
    pdfa_walk_refuse(c->walk, what);
    return false;
}

/* Whether the resources have what an operator names. */
static bool has_named(const struct content *c, const char *category, const struct operand *name)
{
    AUTO_OBJ struct obj dict = obj_key(c->resources, category);

    return name->type == OPERAND_NAME && obj_has(dict, name->bytes);
}

static bool is_listed(const char *op, const char *words)
{
    char spaced[16];

    return snprintf(spaced, sizeof spaced, " %s ", op) < (int) sizeof spaced &&
           strstr(words, spaced);
}

/* Codes of two bytes, each of which has a glyph (6.2.11.8). */
static bool are_codes(const struct content *c, const struct operand *string)
{
    for (size_t i = 0; i + 1 < string->n; i += 2) {
        unsigned code =
            (unsigned) (unsigned char) string->bytes[i] << 8 | (unsigned char) string->bytes[i + 1];

        if (code == 0 || code > c->codes)
            return false;
    }
    return string->n % 2 == 0;
}

static bool check_text(struct content *c, const struct operand *string)
{
    const struct pdfa_font *font = c->fonts[c->saved];

    if (!font)
        return are_codes(c, string) ||
               refuse_content(c, "has text whose font lacks some of its letters");
    c->refused = pdfa_font_check(c->walk, font, string->bytes, string->n) < 0;
    return !c->refused;
}

static bool check_operands(struct content *c, bool shows, const struct operand *operands, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct operand *one = &operands[i];

        if (one->type == OPERAND_NUMBER && !(fabs(one->number) <= NUMBER_MOST))
            return refuse_content(c, "has numbers that are too large");
        if (one->type != OPERAND_NUMBER && one->n > STRING_BYTES)
            return refuse_content(c, "has a string that is too long");
        if (one->type == OPERAND_NAME && strlen(one->bytes) > NAME_BYTES)
            return refuse_content(c, "has a name that is too long");
        if (shows && one->type == OPERAND_STRING && !check_text(c, one))
            return false;
    }
    return true;
}

static bool check_space_name(struct content *c, const struct operand *operands, size_t n)
{
    if (n < 1 || operands[n - 1].type != OPERAND_NAME)
        return refuse_content(c, "has a colour space of no name");
    if (strcmp(operands[n - 1].bytes, "/DeviceGray") == 0 ||
        strcmp(operands[n - 1].bytes, "/DeviceRGB") == 0 ||
        (c->walk->kind->printed && strcmp(operands[n - 1].bytes, "/Pattern") == 0) ||
        has_named(c, "/ColorSpace", &operands[n - 1]))
        return true;
    return refuse_content(c, "has a colour space that is not checked");
}

/* Of scans, only the font of our text layers is checked. Another one may be set, but not used. */
static bool use_font(struct content *c, const char *name)
{
    AUTO_OBJ struct obj fonts = obj_key(c->resources, "/Font");
    AUTO_OBJ struct obj font = obj_key(fonts, name);
    unsigned n = glyphless_is_own(font);

    c->foreign[c->saved] = n == 0;
    c->fonts[c->saved] = NULL;
    if (n == 0 && c->walk->kind->printed) {
        c->fonts[c->saved] = pdfa_font_find(c->walk, font);
        c->refused = !c->fonts[c->saved];
        return !c->refused;
    }
    if (n > 0 && (c->codes == 0 || n < c->codes))
        c->codes = n;
    return true;
}

/* Whether what the operator names is in the resources, where it was checked. */
static bool check_names(struct content *c, const char *op, const struct operand *operands, size_t n)
{
    static const char *const named[][2] = { { "Do", "/XObject" },
                                            { "gs", "/ExtGState" },
                                            { "Tf", "/Font" } };

    for (size_t i = 0; i < COUNT(named); i++)
        if (strcmp(op, named[i][0]) == 0)
            return n > 0 && has_named(c, named[i][1], &operands[0])
                       ? strcmp(op, "Tf") != 0 || use_font(c, operands[0].bytes)
                       : refuse_content(c, "names something that its resources do not have");
    if (strcmp(op, "cs") == 0 || strcmp(op, "CS") == 0)
        return check_space_name(c, operands, n);
    if (strcmp(op, "ri") == 0)
        return (n == 1 && operands[0].type == OPERAND_NAME &&
                is_listed(operands[0].bytes + 1, " RelativeColorimetric Perceptual Saturation ")) ||
               refuse_content(c, "has an unknown rendering intent");
    if (strcmp(op, "BDC") == 0 || strcmp(op, "DP") == 0)
        return !(n > 0 && operands[0].type == OPERAND_NAME &&
                 strcmp(operands[0].bytes, "/OC") == 0) ||
               refuse_content(c, "has layers");
    if (n > 0 && (strcmp(op, "scn") == 0 || strcmp(op, "SCN") == 0) &&
        operands[n - 1].type == OPERAND_NAME)
        return has_named(c, "/Pattern", &operands[n - 1]) ||
               refuse_content(c, "names a pattern that its resources do not have");
    return true;
}

static bool check_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    static const char known[] =
        " cm w J j M d i ri gs m l c v y h re S s f F f* B B* b b* n W W* CS cs SC SCN sc scn G g "
        "RG rg Do BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* Tj TJ ' \" MP DP BMC BDC EMC BX EX q Q "
        "d0 d1 ";
    static const char shown[] = " Tj TJ ' \" ";
    struct content *c = arg;

    if (strcmp(op, "K") == 0 || strcmp(op, "k") == 0)
        return refuse_content(c, "has colours in CMYK without a profile");
    if (strcmp(op, "EI") == 0)
        return refuse_content(c, "has a picture within its content, which is not checked");
    if (strcmp(op, "sh") == 0)
        return refuse_content(c, "has shadings, which are not checked");
    if (!is_listed(op, known))
        return refuse_content(c, "has operators that are not known");
    c->saved += strcmp(op, "q") == 0 ? 1 : strcmp(op, "Q") == 0 ? -1 : 0;
    if (c->saved <= SAVED && strcmp(op, "q") == 0) {
        c->foreign[c->saved] = c->foreign[c->saved - 1];
        c->fonts[c->saved] = c->fonts[c->saved - 1];
    }
    if (c->saved > SAVED || c->saved < 0)
        return refuse_content(
            c, "saves more graphics states than are allowed, or restores more than it saved");
    if (is_listed(op, shown) && c->foreign[c->saved] && !c->fonts[c->saved])
        return refuse_content(
            c, "has text in fonts, which are not checked (mode=redo replaces text that "
               "another program recognised)");
    return check_operands(c, is_listed(op, shown), operands, n) && check_names(c, op, operands, n);
}

static int check_form(struct pdfa_walk *walk, struct obj form, int depth)
{
    static const char *const refused[] = { "/OPI", "/Ref", "/PS", "/Subtype2", "/OC", "/AF", NULL };
    AUTO_OBJ struct obj dict = obj_dict(form);
    AUTO_OBJ struct obj resources = obj_key(dict, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (depth == FORMS)
        return pdfa_walk_refuse(walk, "has forms that are nested too deep");
    if (!pdfa_walk_is_new(walk, form))
        return 0;
    for (int i = 0; refused[i]; i++)
        if (obj_has(dict, refused[i]))
            return pdfa_walk_refuse(walk, "has a form that refers to something else");
    if (pdfa_walk_stream(walk, form) < 0 || pdfa_walk_group(walk, dict) < 0)
        return -1;
    if (!obj_stream_data(form, &data, &n))
        return pdfa_walk_refuse(walk, "has a form that cannot be read");
    return pdfa_walk_content(walk, resources, data, n, depth + 1);
}

static int check_xobject(struct pdfa_walk *walk, struct obj xobject, int depth)
{
    AUTO_OBJ struct obj dict = obj_dict(xobject);

    if (!obj_is_stream(xobject))
        return pdfa_walk_refuse(walk, "names a picture that is not there");
    if (obj_key_is(dict, "/Subtype", "/Image"))
        return pdfa_walk_image(walk, xobject);
    if (obj_key_is(dict, "/Subtype", "/Form"))
        return check_form(walk, xobject, depth);
    return pdfa_walk_refuse(walk, "has an XObject of another kind than pictures and forms");
}

static int check_soft_mask(struct pdfa_walk *walk, struct obj mask, int depth)
{
    AUTO_OBJ struct obj form = obj_key(mask, "/G");
    AUTO_OBJ struct obj transfer = obj_key(mask, "/TR");

    if (obj_is_null(mask) || obj_name_is(mask, "/None"))
        return 0;
    /* What 6.2.5 forbids are transfer functions of graphics states, not those of soft masks. */
    if (walk->kind->printed && (obj_is_stream(transfer) || obj_is_dict(transfer))) {
        if (pdfa_walk_function(walk, transfer, 0) < 0)
            return -1;
    } else if (!obj_is_null(transfer) && !obj_name_is(transfer, "/Identity")) {
        return pdfa_walk_refuse(walk, "has a soft mask that is not checked");
    }
    if (!obj_is_stream(form))
        return pdfa_walk_refuse(walk, "has a soft mask that is not checked");
    return check_form(walk, form, depth);
}

static int check_state(struct pdfa_walk *walk, struct obj state, int depth)
{
    static const char known[] = " Type LW LC LJ ML D RI OP op SA BM SMask CA ca AIS TK FL SM ";
    static const char modes[] = " Normal Compatible Multiply Screen Overlay Darken Lighten "
                                "ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue "
                                "Saturation Color Luminosity ";
    AUTO_OBJ struct obj mode = obj_key(state, "/BM");
    AUTO_OBJ struct obj intent = obj_key(state, "/RI");
    AUTO_OBJ struct obj mask = obj_key(state, "/SMask");
    AUTO_KEYS char **keys = obj_keys(state);

    for (size_t i = 0; keys && keys[i]; i++)
        if (!is_listed(keys[i] + 1, known))
            return pdfa_walk_refuse(walk, "has a graphics state with more than is allowed");
    if (!keys ||
        !(obj_is_null(mode) || (obj_is_name(mode) && is_listed(obj_value_text(mode) + 1, modes))))
        return pdfa_walk_refuse(walk, "has an unknown blend mode");
    if (!(obj_is_null(intent) ||
          (obj_is_name(intent) &&
           is_listed(obj_value_text(intent) + 1, " RelativeColorimetric Perceptual Saturation "))))
        return pdfa_walk_refuse(walk, "has an unknown rendering intent");
    return check_soft_mask(walk, mask, depth);
}

/* Checks each value of a category of resources. */
static int check_each(struct pdfa_walk *walk, struct obj resources, const char *category, int depth,
                      int (*check)(struct pdfa_walk *walk, struct obj value, int depth))
{
    AUTO_OBJ struct obj dict = obj_key(resources, category);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        if (check(walk, value, depth) < 0)
            return -1;
    }
    return 0;
}

static int check_space(struct pdfa_walk *walk, struct obj space, int depth)
{
    (void) depth;
    return pdfa_walk_space(walk, space, 0);
}

static int refuse_any(struct pdfa_walk *walk, struct obj value, int depth)
{
    (void) value;
    (void) depth;
    return pdfa_walk_refuse(walk, "has patterns, shadings or layers, which are not checked");
}

static int check_tile(struct pdfa_walk *walk, struct obj tile, int depth)
{
    AUTO_OBJ struct obj resources = obj_key(tile, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_is_stream(tile))
        return pdfa_walk_refuse(walk, "has a pattern of no kind");
    if (!pdfa_walk_is_new(walk, tile))
        return 0;
    if (pdfa_walk_stream(walk, tile) < 0)
        return -1;
    if (!obj_stream_data(tile, &data, &n))
        return pdfa_walk_refuse(walk, "has a pattern that cannot be read");
    return pdfa_walk_content(walk, resources, data, n, depth + 1);
}

static int check_pattern(struct pdfa_walk *walk, struct obj pattern, int depth)
{
    AUTO_OBJ struct obj shading = obj_key(pattern, "/Shading");
    AUTO_OBJ struct obj state = obj_key(pattern, "/ExtGState");
    long long type = 0;

    if (!walk->kind->printed)
        return refuse_any(walk, pattern, depth);
    obj_key_int(pattern, "/PatternType", &type);
    if (type == 1)
        return check_tile(walk, pattern, depth);
    if (type != 2)
        return pdfa_walk_refuse(walk, "has a pattern of no kind");
    if (!obj_is_null(state) && check_state(walk, state, depth) < 0)
        return -1;
    return pdfa_walk_shading(walk, shading);
}

/* The glyphs of a font of drawn ones are content, too. */
static int check_font(struct pdfa_walk *walk, struct obj font, int depth)
{
    AUTO_OBJ struct obj resources = obj_key(font, "/Resources");
    AUTO_OBJ struct obj glyphs = obj_key(font, "/CharProcs");
    AUTO_KEYS char **keys = obj_is_dict(glyphs) ? obj_keys(glyphs) : NULL;

    for (size_t i = 0; walk->kind->printed && keys && keys[i]; i++) {
        AUTO_OBJ struct obj glyph = obj_key(glyphs, keys[i]);
        AUTO_FREE unsigned char *data = NULL;
        size_t n;

        if (!obj_is_stream(glyph) || !pdfa_walk_is_new(walk, glyph))
            continue;
        if (pdfa_walk_stream(walk, glyph) < 0)
            return -1;
        if (!obj_stream_data(glyph, &data, &n))
            return pdfa_walk_refuse(walk, "has a glyph that cannot be read");
        if (pdfa_walk_content(walk, resources, data, n, depth + 1) < 0)
            return -1;
    }
    return 0;
}

int pdfa_walk_content(struct pdfa_walk *walk, struct obj resources, const unsigned char *data,
                      size_t n, int depth)
{
    struct content content = { .walk = walk, .resources = resources };

    if (depth == FORMS)
        return pdfa_walk_refuse(walk, "has forms that are nested too deep");
    if (check_each(walk, resources, "/XObject", depth, check_xobject) < 0 ||
        check_each(walk, resources, "/ExtGState", depth, check_state) < 0 ||
        check_each(walk, resources, "/ColorSpace", depth, check_space) < 0 ||
        check_each(walk, resources, "/Pattern", depth, check_pattern) < 0 ||
        check_each(walk, resources, "/Shading", depth, refuse_any) < 0 ||
        check_each(walk, resources, "/Font", depth, check_font) < 0 ||
        check_each(walk, resources, "/Properties", depth, refuse_any) < 0)
        return -1;
    if (operators_read(data, n, check_operator, &content))
        return 0;
    return content.refused ? -1 : pdfa_walk_refuse(walk, "has content that cannot be read");
}
