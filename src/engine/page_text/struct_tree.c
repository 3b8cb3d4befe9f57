#include "engine/page_text/struct_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define DEEPEST  64
#define MAX_TAGS 2000000
#define MAX_ROLE 8 /* limit of indirection in the RoleMap */

/* The position of the walk in the tree. */
struct place {
    uint32_t tag;  /* the tag of the enclosing block; 0: none */
    uint32_t text; /* the replacement text of the outermost element that has one; or 0 */
    uint32_t cell; /* the table's first tag; the members below are set in a table */
    int row, column, columns, rows;
    int page, depth;
    uint8_t language; /* of the innermost element that has one, or 0 */
    bool heading;     /* inside a heading */
    bool listed;      /* inside an item of a list */
};

struct walk {
    struct struct_tree *tags;
    fz_context *ctx;
    pdf_obj *roles;
    uint32_t n_tables;
    size_t steps;
};

static const char *role_of(struct walk *walk, pdf_obj *element)
{
    pdf_obj *role = pdf_dict_gets(walk->ctx, element, "S");

    for (int i = 0; i < MAX_ROLE; i++) {
        pdf_obj *next = pdf_dict_get(walk->ctx, walk->roles, role);

        if (!next || next == role)
            break;
        role = next;
    }
    return pdf_to_name(walk->ctx, role);
}

static int span_of(struct walk *walk, pdf_obj *element, const char *key)
{
    pdf_obj *all = pdf_dict_gets(walk->ctx, element, "A");
    int n = pdf_is_array(walk->ctx, all) ? pdf_array_len(walk->ctx, all) : 1, span = 1;

    for (int i = 0; i < n && i < 20; i++) {
        pdf_obj *one = pdf_is_array(walk->ctx, all) ? pdf_array_get(walk->ctx, all, i) : all;
        int value = pdf_to_int(walk->ctx, pdf_dict_gets(walk->ctx, one, key));

        span = value > 1 && value < 100 ? value : span;
    }
    return span;
}

/* Adds a tag; returns 0 without memory. */
static uint32_t add_tag(struct walk *walk, enum tag_kind kind, int level, const struct place *place)
{
    struct struct_tree *tags = walk->tags;

    if (tags->n == MAX_TAGS || !LIST_ROOM(tags->items, tags->n, tags->cap))
        return 0;
    tags->items[tags->n] = (struct page_tag){ .kind = kind,
                                              .level = level,
                                              .listed = place->listed,
                                              .table = place->cell,
                                              .row = place->row,
                                              .column = place->column,
                                              .rows = place->rows,
                                              .columns = place->columns };
    return (uint32_t) tags->n++;
}

static int heading_of(const char *role)
{
    if (strcmp(role, "H") == 0 || strcmp(role, "Title") == 0)
        return 1;
    return role[0] == 'H' && role[1] >= '1' && role[1] <= '6' && role[2] == '\0' ? role[1] - '0'
                                                                                 : 0;
}

static bool is_any(const char *role, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(role, *names) == 0)
            return true;
    return false;
}

/* Updates the place for an element's children. */
static void enter_element(struct walk *walk, pdf_obj *element, const char *role,
                          struct place *place)
{
    static const char *const blocks[] = { "P",     "Div",     "Sect",       "Part", "Art",
                                          "LBody", "Caption", "BlockQuote", "TOCI", "Note",
                                          "Form",  "Figure",  "Formula",    "Code", NULL };

    if (place->heading)
        return;
    if (heading_of(role)) {
        place->heading = true;
        place->tag = add_tag(walk, TAG_HEADING, heading_of(role), place);
    } else if (strcmp(role, "Lbl") == 0) {
        place->tag = add_tag(walk, TAG_LABEL, 0, place);
    } else if (strcmp(role, "LI") == 0) {
        place->listed = true;
        place->tag = 0;
    } else if (strcmp(role, "Table") == 0) {
        place->cell = ++walk->n_tables;
        place->row = place->column = -1;
        place->tag = 0;
    } else if (strcmp(role, "TR") == 0) {
        place->tag = 0;
    } else if (strcmp(role, "TD") == 0 || strcmp(role, "TH") == 0) {
        place->columns = span_of(walk, element, "ColSpan");
        place->rows = span_of(walk, element, "RowSpan");
        place->tag = add_tag(walk, TAG_TEXT, 0, place);
    } else if (is_any(role, blocks)) {
        place->tag = add_tag(walk, TAG_TEXT, 0, place);
    }
}

/* Notes the element's replacement text, which is that of all marked contents in it. */
static void note_element_text(struct walk *walk, pdf_obj *element, struct place *place)
{
    struct struct_tree *tags = walk->tags;
    pdf_obj *text = pdf_dict_gets(walk->ctx, element, "ActualText");
    pdf_obj *string = text ? text : pdf_dict_gets(walk->ctx, element, "E");

    if (place->text || !pdf_is_string(walk->ctx, string) || tags->n_texts == MAX_TAGS ||
        !LIST_ROOM(tags->texts, tags->n_texts + 1, tags->cap_texts))
        return;
    if (tags->n_texts == 0)
        tags->texts[tags->n_texts++] = (struct struct_tree_text){ 0 };
    tags->texts[tags->n_texts] =
        (struct struct_tree_text){ .utf8 = strdup(pdf_to_text_string(walk->ctx, string)),
                                   .expansion = !text };
    if (tags->texts[tags->n_texts].utf8)
        place->text = (uint32_t) tags->n_texts++;
}

/* The language of what is in the element, as far as that is stated nowhere further inside. */
static void note_language(struct walk *walk, pdf_obj *element, struct place *place)
{
    pdf_obj *language = pdf_dict_get(walk->ctx, element, PDF_NAME(Lang));
    uint8_t number;

    if (!pdf_is_string(walk->ctx, language))
        return;
    number = language_tags_add(&walk->tags->languages, pdf_to_text_string(walk->ctx, language));
    place->language = number ? number : place->language;
}

static void count_mark(struct struct_tree_text *text, int page)
{
    if (text->page == 0)
        text->page = page;
    else if (text->page != page)
        text->page = -1;
    text->n_marks = text->page == page ? text->n_marks + 1 : 0;
}

static void mark_content(struct walk *walk, const struct place *place, int page, int mcid)
{
    struct struct_tree *tags = walk->tags;

    if ((place->tag == 0 && place->text == 0 && place->language == 0) || page <= 0 || mcid < 0 ||
        tags->n_marks >= MAX_TAGS || !LIST_ROOM(tags->marks, tags->n_marks, tags->cap_marks))
        return;
    tags->marks[tags->n_marks++] =
        (struct struct_tree_mark){ page, mcid, place->tag, place->text, place->language };
    if (place->text)
        count_mark(&tags->texts[place->text], page);
}

static void walk_tree(struct walk *walk, pdf_obj *kid, struct place *place);

/* Walks one child. The parent counts rows and cells. */
static void walk_kid(struct walk *walk, pdf_obj *kid, struct place *inside, int *rows, int *cells)
{
    const char *role = pdf_is_dict(walk->ctx, kid) ? role_of(walk, kid) : "";

    if (strcmp(role, "TR") == 0)
        inside->row = (*rows)++;
    if (strcmp(role, "TD") == 0 || strcmp(role, "TH") == 0) {
        inside->column = *cells;
        *cells += span_of(walk, kid, "ColSpan");
    }
    walk_tree(walk, kid, inside);
}

static void walk_kids(struct walk *walk, pdf_obj *element, const char *role, struct place *place)
{
    static const char *const groups[] = { "THead", "TBody", "TFoot", NULL };
    struct place inside = *place;
    pdf_obj *kids = pdf_dict_get(walk->ctx, element, PDF_NAME(K));
    int n = pdf_is_array(walk->ctx, kids) ? pdf_array_len(walk->ctx, kids) : 1;
    int rows = is_any(role, groups) ? place->row + 1 : 0, cells = 0;

    enter_element(walk, element, role, &inside);
    note_element_text(walk, element, &inside);
    note_language(walk, element, &inside);
    for (int i = 0; i < n; i++) {
        pdf_obj *kid = pdf_is_array(walk->ctx, kids) ? pdf_array_get(walk->ctx, kids, i) : kids;
        struct place own = inside;

        walk_kid(walk, kid, &own, &rows, &cells);
        /* A row group passes on how many rows it has. */
        if (is_any(pdf_is_dict(walk->ctx, kid) ? role_of(walk, kid) : "", groups)) {
            inside.row = own.row;
            rows = own.row + 1;
        }
    }
    if (is_any(role, groups))
        place->row = rows - 1;
}

static void walk_tree(struct walk *walk, pdf_obj *kid, struct place *place)
{
    fz_context *ctx = walk->ctx;
    struct place inside = *place;
    pdf_obj *page, *mcid;

    if (place->depth > DEEPEST || walk->steps++ > MAX_TAGS)
        return;
    if (pdf_is_int(ctx, kid)) {
        mark_content(walk, place, place->page, pdf_to_int(ctx, kid));
        return;
    }
    if (!pdf_is_dict(ctx, kid) || pdf_mark_obj(ctx, kid))
        return;
    page = pdf_dict_gets(ctx, kid, "Pg");
    mcid = pdf_dict_get(ctx, kid, PDF_NAME(MCID));
    inside.depth++;
    if (page)
        inside.page = pdf_to_num(ctx, page);
    if (mcid) {
        mark_content(walk, place, inside.page, pdf_to_int(ctx, mcid));
    } else {
        walk_kids(walk, kid, role_of(walk, kid), &inside);
        place->row = inside.row;
    }
    pdf_unmark_obj(ctx, kid);
}

static int by_mark(const void *a, const void *b)
{
    const struct struct_tree_mark *p = a, *q = b;

    if (p->page != q->page)
        return p->page < q->page ? -1 : 1;
    return p->mcid < q->mcid ? -1 : p->mcid > q->mcid;
}

void struct_tree_open(struct struct_tree *tags, struct mupdf_document *doc)
{
    fz_context *ctx = doc->ctx;
    struct walk walk = { .tags = tags, .ctx = ctx };

    *tags = (struct struct_tree){ 0 };
    fz_try(ctx)
    {
        pdf_obj *root = pdf_dict_getp(ctx, pdf_trailer(ctx, doc->pdf), "Root/StructTreeRoot");
        struct place place = { .row = -1 };

        if (root) {
            walk.roles = pdf_dict_gets(ctx, root, "RoleMap");
            add_tag(&walk, TAG_NONE, 0, &place);
            walk_kids(&walk, root, "", &place);
        }
    }
    fz_catch(ctx)
    {
        /* A tree that cannot be read completely cannot be trusted. */
        tags->n_marks = 0;
    }
    if (tags->n_marks)
        qsort(tags->marks, tags->n_marks, sizeof *tags->marks, by_mark);
}

void struct_tree_close(struct struct_tree *tags)
{
    for (size_t i = 0; i < tags->n_texts; i++)
        free(tags->texts[i].utf8);
    free(tags->items);
    free(tags->marks);
    free(tags->texts);
    language_tags_free(&tags->languages);
    *tags = (struct struct_tree){ 0 };
}

static const struct struct_tree_mark *find_mark(const struct struct_tree *tags, int page, int mcid)
{
    struct struct_tree_mark key = { .page = page, .mcid = mcid };

    return tags->n_marks ? bsearch(&key, tags->marks, tags->n_marks, sizeof *tags->marks, by_mark)
                         : NULL;
}

uint32_t struct_tree_find(const struct struct_tree *tags, int page, int mcid)
{
    const struct struct_tree_mark *found = find_mark(tags, page, mcid);

    return found ? found->tag : 0;
}

const char *struct_tree_find_language(const struct struct_tree *tags, int page, int mcid)
{
    const struct struct_tree_mark *found = tags->languages.n ? find_mark(tags, page, mcid) : NULL;

    return found ? language_tags_find(&tags->languages, found->language) : NULL;
}

const struct struct_tree_text *struct_tree_find_text(const struct struct_tree *tags, int page,
                                                     int mcid)
{
    const struct struct_tree_mark *found = tags->n_texts ? find_mark(tags, page, mcid) : NULL;

    return found && found->text && tags->texts[found->text].n_marks ? &tags->texts[found->text]
                                                                    : NULL;
}
