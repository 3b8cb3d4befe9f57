#include "recovery/objects/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define DEPTH       250
#define DEPTH_READ  60            /* of a tree that all readers follow down to its pages */
#define REPEATS_MAX 10000         /* of pages already listed */
#define SEARCHES    100           /* limit of searches for tree entries that are not pages */
#define SETTLE_MAX  5000          /* pages among which a place is looked for */
#define IN_ORDER(n) ((n) / 5 * 4) /* of n neighbours, at least this number must be in order */

struct walk {
    struct objects *objects;
    struct pages *pages;
    unsigned char *seen; /* by number */
    uint32_t parent;
    int depth;
    bool intact;
    struct err *err;
    bool failed;
    size_t repeats, searches;
};

void pages_free(struct pages *pages)
{
    free(pages->numbers);
    free(pages->parents);
    if (pages->nodes)
        nodes_free(pages->nodes);
    free(pages->nodes);
    *pages = (struct pages){ 0 };
}

struct text pages_inherited(const struct objects *objects, const struct pages *pages, size_t i,
                            const char *key, const struct object **by)
{
    /* The node that lists the page goes before the one that the page names, which may be wrong. */
    const uint32_t starts[] = { pages->numbers[i], pages->parents[i], pages->numbers[i] };

    for (size_t start = 0; start < COUNT(starts); start++) {
        const struct object *object = objects_find(objects, starts[start]);
        int levels = start == 0 && pages->parents[i] ? 1 : DEPTH;

        for (int level = 0; level < levels && object; level++) {
            struct node node = nodes_of(objects, pages->nodes, object);
            struct text value = objects_resolve(objects, nodes_value(objects, &node, key));

            if (value.at && !text_is(value, "null")) {
                *by = object;
                return value;
            }
            object = objects_find(objects, node.parent);
        }
    }
    *by = NULL;
    return (struct text){ 0 };
}

static bool has_none(struct text dict, const char *const *keys)
{
    for (size_t i = 0; keys[i]; i++)
        if (dict_has(dict, keys[i]))
            return false;
    return true;
}

static bool looks_like_page(struct text dict)
{
    static const char *const not_of_pages[] = { "/Kids",  "/FT", "/Subtype", "/S",
                                                "/Title", "/T",  "/Dest",    NULL };

    return text_is_dict(dict) &&
           (dict_has(dict, "/MediaBox") || dict_has(dict, "/Contents") ||
            (dict_has(dict, "/Resources") && dict_has(dict, "/Parent"))) &&
           has_none(dict, not_of_pages);
}

/* By its type, or, where that is lost, by its look. */
bool pages_is_page(struct text dict)
{
    if (!text_is_dict(dict))
        return false;
    return dict_has(dict, "/Type") ? dict_name_is(dict, "/Type", "/Page") : looks_like_page(dict);
}

/* What the page tree lists may have a wrong type, too. */
static bool is_listed_page(struct text dict)
{
    return pages_is_page(dict) || (looks_like_page(dict) && !pages_is_node(dict));
}

bool pages_is_node(struct text dict)
{
    static const char *const not_of_nodes[] = { "/FT", "/T", "/Limits", "/K", "/S", NULL };

    if (!text_is_dict(dict) || !dict_has(dict, "/Kids"))
        return false;
    if (dict_has(dict, "/Type"))
        return dict_name_is(dict, "/Type", "/Pages");
    return has_none(dict, not_of_nodes);
}

static bool is_catalog(struct text dict)
{
    if (!text_is_dict(dict))
        return false;
    if (dict_has(dict, "/Type"))
        return dict_name_is(dict, "/Type", "/Catalog");
    return dict_has(dict, "/Pages") && !dict_has(dict, "/Parent") && !pages_is_page(dict);
}

/* The trailers' choice, the last first; else the last in the file. */
static uint32_t find_catalog(const struct objects *objects)
{
    uint32_t best = 0, poor = 0;

    for (size_t i = objects->n_trailers; i-- > 0;) {
        uint32_t root = dict_ref(objects_trailer(objects, i), "/Root");

        if (is_catalog(objects_dict(objects, root)) &&
            dict_has(objects_dict(objects, root), "/Pages"))
            return root;
    }
    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];

        if (object->dead || object->is_stream || !is_catalog(objects_text(objects, object)))
            continue;
        poor = object->number;
        if (pages_is_node(objects_dict(objects, dict_ref(objects_text(objects, object), "/Pages"))))
            best = object->number;
    }
    return best ? best : poor;
}

int pages_add(struct pages *pages, uint32_t number, struct err *err)
{
    if (pages->n == pages->cap) {
        size_t cap = pages->cap ? pages->cap * 2 : 64;
        uint32_t *numbers = reallocarray(pages->numbers, cap, sizeof *numbers);
        uint32_t *parents;

        if (numbers)
            pages->numbers = numbers;
        parents = numbers ? reallocarray(pages->parents, cap, sizeof *parents) : NULL;
        if (!parents)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
        pages->parents = parents;
        pages->cap = cap;
    }
    pages->parents[pages->n] = 0;
    pages->numbers[pages->n++] = number;
    return 0;
}

/* A page that is listed twice is shown twice: rebuild gives each showing an object of its own. */
static bool repeat(struct walk *walk, uint32_t number)
{
    if (walk->repeats++ >= REPEATS_MAX)
        return true;
    walk->failed = pages_add(walk->pages, number, walk->err) < 0;
    return !walk->failed;
}

/* An entry of the tree that is not a page may have been one whose number another object has now:
 * one digit more or less gives two objects the same number. */
static void restore(struct walk *walk, uint32_t number)
{
    struct objects *objects = walk->objects;

    if (!number || walk->searches++ >= SEARCHES)
        return;
    for (size_t i = objects->n; i-- > 0;) {
        const struct object *object = &objects->list[i];
        struct text dict = objects_text(objects, object);

        if (object->number != number || !object->dead || object->is_stream ||
            (!pages_is_page(dict) && !pages_is_node(dict)))
            continue;
        objects_prefer(objects, i);
        return;
    }
}

static bool visit_kid(void *arg, struct text value)
{
    struct walk *walk = arg;
    uint32_t number = text_ref(value), parent = walk->parent;
    struct text dict = objects_dict(walk->objects, number);
    bool node;

    if (!pages_is_node(dict) && !is_listed_page(dict)) {
        restore(walk, number);
        dict = objects_dict(walk->objects, number);
    }
    node = pages_is_node(dict);
    if (!number || (!node && !is_listed_page(dict)) || walk->depth == DEPTH) {
        walk->intact = false;
        walk->pages->lost += number && !node && !is_listed_page(dict);
        return true;
    }
    if (walk->seen[number]) {
        walk->intact = false;
        return node || repeat(walk, number);
    }
    walk->seen[number] = 1;
    if ((!node && !dict_name_is(dict, "/Type", "/Page")) || !dict_has(dict, "/Type") ||
        dict_ref(dict, "/Parent") != parent || walk->depth > DEPTH_READ)
        walk->intact = false;
    if (!node) {
        if (pages_add(walk->pages, number, walk->err) < 0) {
            walk->failed = true;
            return false;
        }
        walk->pages->parents[walk->pages->n - 1] = parent;
        return true;
    }
    walk->parent = number;
    walk->depth++;
    dict_walk_array(objects_key(walk->objects, dict, "/Kids"), visit_kid, walk);
    walk->depth--;
    walk->parent = parent;
    return !walk->failed;
}

static void walk_node(struct walk *walk, uint32_t number)
{
    if (walk->seen[number])
        return;
    walk->seen[number] = 1;
    walk->parent = number;
    dict_walk_array(objects_key(walk->objects, objects_dict(walk->objects, number), "/Kids"),
                    visit_kid, walk);
}

/* Trees the catalog does not know of: their tops first, then whatever is left of them. */
static void walk_others(struct walk *walk)
{
    const struct objects *objects = walk->objects;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < objects->n && !walk->failed; i++) {
            const struct object *object = &objects->list[i];
            struct text dict = objects_text(objects, object);

            if (object->dead || object->is_stream || walk->seen[object->number] ||
                !pages_is_node(dict))
                continue;
            walk->intact = false;
            if (pass == 1 || !pages_is_node(objects_dict(objects, dict_ref(dict, "/Parent"))))
                walk_node(walk, object->number);
        }
    }
}

static uint64_t rank(const struct objects *objects, uint32_t number, bool by_place)
{
    const struct object *object = objects_find(objects, number);

    return by_place && object ? object->place : number;
}

static bool in_order(const struct objects *objects, const struct pages *pages, bool by_place)
{
    size_t rising = 0;

    for (size_t i = 1; i < pages->n; i++)
        rising += rank(objects, pages->numbers[i], by_place) >
                  rank(objects, pages->numbers[i - 1], by_place);
    return pages->n > 2 && rising >= IN_ORDER(pages->n - 1);
}

/* Moves the last page to where its number, or its place in the file, says it belongs. */
static void settle_page(const struct objects *objects, struct pages *pages, bool by_place)
{
    size_t last = pages->n - 1, to = 0;
    uint32_t number = pages->numbers[last], parent = pages->parents[last];
    uint64_t own = rank(objects, number, by_place), best = 0;
    bool found = false;

    for (size_t i = 0; i < last; i++) {
        uint64_t other = rank(objects, pages->numbers[i], by_place);

        if (other < own && (!found || other > best)) {
            found = true;
            best = other;
            to = i + 1;
        }
    }
    memmove(pages->numbers + to + 1, pages->numbers + to, (last - to) * sizeof *pages->numbers);
    memmove(pages->parents + to + 1, pages->parents + to, (last - to) * sizeof *pages->parents);
    pages->numbers[to] = number;
    pages->parents[to] = parent;
}

static int add_orphans(struct walk *walk)
{
    const struct objects *objects = walk->objects;
    struct pages *pages = walk->pages;
    bool by_number = in_order(objects, pages, false), by_place = in_order(objects, pages, true);

    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];

        if (object->dead || object->is_stream || walk->seen[object->number] ||
            !pages_is_page(objects_text(objects, object)))
            continue;
        walk->seen[object->number] = 1;
        if (pages_add(pages, object->number, walk->err) < 0)
            return -1;
        if ((by_place || by_number) && pages->n <= SETTLE_MAX)
            settle_page(objects, pages, by_place);
    }
    return 0;
}

/* Whether the tree has as many pages as it says, each once: what else looks like a page then was
 * taken out of the document by someone, and is not to come back. */
static bool is_complete(const struct walk *walk)
{
    const struct pages *pages = walk->pages;
    uint64_t count;

    return pages->root && pages->n > 0 && walk->repeats == 0 &&
           dict_number(objects_dict(walk->objects, pages->root), "/Count", &count) &&
           count == pages->n;
}

int pages_find(struct objects *objects, struct pages *pages, struct err *err)
{
    AUTO_FREE unsigned char *seen = calloc(objects->numbers + 1, 1);
    struct walk walk = {
        .objects = objects, .pages = pages, .seen = seen, .intact = true, .err = err
    };

    *pages = (struct pages){ .nodes = calloc(1, sizeof *pages->nodes) };
    if (!seen)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    pages->catalog = find_catalog(objects);
    pages->root = dict_ref(objects_dict(objects, pages->catalog), "/Pages");
    if (pages_is_node(objects_dict(objects, pages->root)))
        walk_node(&walk, pages->root);
    else
        pages->root = 0;
    pages->complete = is_complete(&walk);
    pages->intact =
        walk.intact && pages->complete && dict_has(objects_dict(objects, pages->root), "/Type");
    if (!pages->complete && !walk.failed) {
        walk_others(&walk);
        if (!walk.failed && add_orphans(&walk) < 0)
            return -1;
    }
    return walk.failed ? -1 : 0;
}
