#include "recovery/salvage/sureness.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define DEPTH 12       /* objects from a page to what it shows */
#define WORK  4000000U /* objects looked at for all pages */

struct walk {
    const struct objects *objects;
    uint32_t *seen; /* by number: of which page, counted from 1 */
    uint32_t page;
    bool harmed;
    int depth;
    size_t work;
};

static void visit_object(struct walk *walk, uint32_t number);

static bool follow(void *arg, struct text value)
{
    struct walk *walk = arg;
    uint32_t number = text_ref(value);

    if (number)
        visit_object(walk, number);
    else if (text_is_array(value) && walk->depth < DEPTH) {
        walk->depth++;
        dict_walk_array(value, follow, walk);
        walk->depth--;
    }
    return !walk->harmed && walk->work > 0;
}

/* References to other pages do not belong to this one, and a missing annotation is ignored. */
static bool is_of_page(struct text key)
{
    static const char *const others[] = { "/Parent", "/P",      "/Dest",         "/A",
                                          "/B",      "/Next",   "/StructParent", "/Metadata",
                                          "/Thumb",  "/Annots", "/PieceInfo" };

    for (size_t i = 0; i < COUNT(others); i++)
        if (text_is(key, others[i]))
            return false;
    return true;
}

/* Dictionaries in which a key is the name that the content uses, whatever it is (7.8.3). */
static bool has_names(struct text key)
{
    static const char *const kinds[] = { "/XObject", "/Font",    "/ExtGState", "/ColorSpace",
                                         "/Pattern", "/Shading", "/Properties" };

    for (size_t i = 0; i < COUNT(kinds); i++)
        if (text_is(key, kinds[i]))
            return true;
    return false;
}

static void follow_value(struct walk *walk, struct text value);

static bool follow_name(void *arg, struct text name, struct text value)
{
    struct walk *walk = arg;

    (void) name;
    if (walk->depth < DEPTH)
        follow_value(walk, value);
    return !walk->harmed && walk->work > 0;
}

static bool follow_pair(void *arg, struct text key, struct text value)
{
    struct walk *walk = arg;
    struct text names = objects_resolve(walk->objects, value);

    if (!is_of_page(key))
        return true;
    if (has_names(key) && text_is_dict(names)) {
        const struct object *of = objects_find(walk->objects, text_ref(value));

        walk->harmed |= of && (of->damaged || !of->whole);
        walk->depth++;
        dict_walk(names, follow_name, walk);
        walk->depth--;
        return !walk->harmed && walk->work > 0;
    }
    if (text_is_dict(value) && walk->depth < DEPTH) {
        walk->depth++;
        dict_walk(value, follow_pair, walk);
        walk->depth--;
    } else {
        follow(walk, value);
    }
    return !walk->harmed && walk->work > 0;
}

static void follow_value(struct walk *walk, struct text value)
{
    walk->depth++;
    if (text_is_dict(value))
        dict_walk(value, follow_pair, walk);
    else if (value.at)
        follow(walk, value);
    walk->depth--;
}

static void visit_object(struct walk *walk, uint32_t number)
{
    const struct object *object = objects_find(walk->objects, number);

    if (!object || object->unusable || object->damaged || !object->whole) {
        walk->harmed = true;
        return;
    }
    if (walk->seen[number] == walk->page || walk->depth == DEPTH || walk->work == 0)
        return;
    walk->work--;
    walk->seen[number] = walk->page;
    follow_value(walk, objects_text(walk->objects, object));
}

void sureness_find(const struct objects *objects, const struct pages *pages, unsigned char *of)
{
    AUTO_FREE uint32_t *seen = calloc(objects->numbers + 1, sizeof *seen);
    struct walk walk = { .objects = objects, .seen = seen, .work = WORK };

    memset(of, SALVAGE_GUESSED, objects->numbers + 1);
    for (size_t i = 0; i < pages->n; i++) {
        uint32_t number = pages->numbers[i];
        const struct object *by;

        walk.page = (uint32_t) i + 1;
        walk.harmed = !seen;
        if (seen)
            visit_object(&walk, number);
        if (!walk.harmed)
            follow_value(&walk, pages_inherited(objects, pages, i, "/Resources", &by));
        of[number] = (unsigned char) (walk.harmed || walk.work == 0 ? SALVAGE_PARTIAL
                                      : pages->parents[i]           ? SALVAGE_COMPLETE
                                                                    : SALVAGE_GUESSED);
    }
}
