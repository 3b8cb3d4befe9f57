/* dict: colours in dictionaries, such as those of annotations, fields and images, that become gray.
 * See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "compress/recolour/part.h"

/* Converts the matte colour of a soft mask, which is in the image's colour space. */
static void convert_matte(struct obj image, const struct space *space)
{
    AUTO_OBJ struct obj mask = obj_key(image, "/SMask");
    AUTO_OBJ struct obj matte = obj_key(mask, "/Matte");
    double colour[SPACE_COMPONENTS] = { 0 };

    if (!obj_is_array(matte) || (size_t) obj_count(matte) != space->n)
        return;
    space_read_colour(matte, colour);
    recolour_set_level(mask, "/Matte", space_gray(space, colour));
}

static void convert_image(struct recolour *c, struct obj image)
{
    AUTO_OBJ struct obj name = obj_key(image, "/ColorSpace");
    AUTO_SPACE struct space *space = NULL;
    AUTO_OBJ struct obj held = OBJ_NONE;
    char key[DIGEST_TEXT + 8], digest[DIGEST_TEXT];
    const char *text;

    if (!obj_is_array(name) && !obj_is_name(name))
        return;
    space = recolour_space(c, name, OBJ_NONE);
    if (!space || space->kind != SPACE_IS_COLOUR)
        return;
    convert_matte(image, space);
    held = obj_is_indirect(name) ? obj_same(name) : obj_indirect(name);
    c->no_memory |= !idmap_add(&c->spaces, obj_id(image), (size_t) obj_id(held));
    c->changes++;
    /* Images of one colour space may be equal; those of different spaces are not. */
    text = obj_text(held);
    digest_text(text, strlen(text), digest);
    snprintf(key, sizeof key, "/Gray%s", digest);
    obj_set_name(image, "/ColorSpace", key);
}

/* Converts an array of colour components of an annotation or field; their number gives the
 * space. */
static void convert_array(struct recolour *c, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj array = obj_key(dict, key);
    int n = obj_count(array);
    double colour[SPACE_COMPONENTS] = { 0 };

    if ((n != 3 && n != 4) || !space_read_colour(array, colour))
        return;
    recolour_set_level(dict, key, n == 3 ? space_gray_of_rgb(colour) : space_gray_of_cmyk(colour));
    c->changes++;
}

/* A field's default appearance is content. */
static void convert_appearance(struct recolour *c, struct obj dict)
{
    AUTO_OBJ struct obj text = obj_key(dict, "/DA");
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_FREE char *copy = NULL;
    const char *bytes;
    size_t n = 0;

    if (!obj_is_string(text) || !(bytes = obj_bytes(text, &n)) || n == 0 || !(copy = malloc(n)))
        return;
    memcpy(copy, bytes, n);
    if (!recolour_appearance(c, (unsigned char *) copy, n, &out))
        return;
    made = obj_new_string(c->q, buf_text(&out), out.len);
    obj_set(dict, "/DA", made);
}

/* Converts the backdrop of a soft mask's group, in the group's colour space. */
static void convert_backdrop(struct recolour *c, struct obj dict)
{
    AUTO_OBJ struct obj mask = obj_key(dict, "/SMask");

    if (!obj_is_stream(mask))
        convert_array(c, mask, "/BC");
}

void recolour_dict_to_gray(struct recolour *c, struct obj dict)
{
    if (obj_is_stream(dict) && obj_key_is(dict, "/Subtype", "/Image"))
        convert_image(c, dict);
    if (obj_has(dict, "/DA"))
        convert_appearance(c, dict);
    if (obj_has(dict, "/SMask"))
        convert_backdrop(c, dict);
    if (obj_has(dict, "/Rect") && obj_has(dict, "/Subtype")) {
        convert_array(c, dict, "/C");
        convert_array(c, dict, "/IC");
    }
    if (obj_has(dict, "/MK")) {
        AUTO_OBJ struct obj look = obj_key(dict, "/MK");

        convert_array(c, look, "/BG");
        convert_array(c, look, "/BC");
    }
}
