#include "engine/office/publish.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/num.h"
#include "base/scope.h"
#include "declare/value/page_list.h"
#include "engine/office/blank.h"
#include "engine/office/hidden.h"
#include "engine/office_text/missing.h"
#include "pdf/extract/part.h"
#include "pdf/object/obj.h"

#define FORM_DEPTH   8
#define BLANKS_NAMED 10

/* The pages that are kept, in order. */
struct selection {
    size_t *pages;
    size_t n, cap;
    bool *chosen; /* which sheets were asked for; NULL: all */
};

static int add_page(struct selection *selection, size_t page, struct err *err)
{
    if (selection->n == selection->cap) {
        size_t cap = selection->cap ? selection->cap * 2 : 64;
        size_t *pages = cap > (size_t) PAGE_LIST_PAGES * 2
                            ? NULL
                            : reallocarray(selection->pages, cap, sizeof *pages);

        if (!pages)
            return err_set(err, ERR_LIMIT_EXCEEDED, "too many pages are asked for");
        selection->pages = pages;
        selection->cap = cap;
    }
    selection->pages[selection->n++] = page;
    return 0;
}

static bool has_fonts(struct obj resources, int depth)
{
    AUTO_OBJ struct obj fonts = obj_key(resources, "/Font");
    AUTO_OBJ struct obj xobjects = obj_key(resources, "/XObject");
    AUTO_KEYS char **keys = obj_is_dict(fonts) ? obj_keys(fonts) : NULL;
    AUTO_KEYS char **forms = obj_is_dict(xobjects) && depth > 0 ? obj_keys(xobjects) : NULL;

    if (keys && keys[0])
        return true;
    for (size_t i = 0; forms && forms[i]; i++) {
        AUTO_OBJ struct obj form = obj_key(xobjects, forms[i]);
        AUTO_OBJ struct obj own = obj_key(form, "/Resources");

        if (obj_is_dict(own) && has_fonts(own, depth - 1))
            return true;
    }
    return false;
}

static bool shows_text(const struct pdf_doc *doc)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj parent = obj_key(page, "/Parent");
        AUTO_OBJ struct obj own = obj_key(page, "/Resources");
        AUTO_OBJ struct obj inherited = obj_key(parent, "/Resources");

        if ((obj_is_dict(own) && has_fonts(own, FORM_DEPTH)) ||
            (obj_is_dict(inherited) && has_fonts(inherited, FORM_DEPTH)))
            return true;
    }
    return false;
}

static bool has_page_per_sheet(const struct publish *what, const struct pdf_doc *doc)
{
    return what->single_pages && doc->n_pages == what->n_names;
}

/* A sheet's pages go from its outline entry to the next. */
static int add_sheet(const struct publish *what, const struct pdf_doc *doc,
                     const struct outline *outline, size_t sheet, struct selection *out,
                     struct err *err)
{
    size_t first = SIZE_MAX, last = doc->n_pages;

    if (has_page_per_sheet(what, doc))
        return add_page(out, sheet, err);
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_entry *entry = &outline->items[i];

        if (entry->level != 1 || entry->dest.page == DEST_NOWHERE)
            continue;
        if (first != SIZE_MAX) {
            last = entry->dest.page;
            break;
        }
        if (strcmp(outline_title(entry), what->names[sheet]) == 0)
            first = entry->dest.page;
    }
    if (first == SIZE_MAX)
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "sheets",
                         "sheet %zu is empty or hidden: it has no pages; hiddenSheets=true shows "
                         "hidden ones",
                         sheet + 1);
    for (; first < last; first++)
        if (add_page(out, first, err) < 0)
            return -1;
    return 0;
}

static int find_sheet(const struct publish *what, const char *word, size_t n, size_t *sheet,
                      struct err *err)
{
    int64_t number;

    for (size_t i = 0; i < what->n_names; i++) {
        *sheet = i;
        if (strlen(what->names[i]) == n && strncasecmp(what->names[i], word, n) == 0)
            return 0;
    }
    if (num_parse_i64(word, n, 1, (int64_t) what->n_names, &number)) {
        *sheet = (size_t) number - 1;
        return 0;
    }
    return err_field(err, ERR_INVALID_PARAMETER, "sheets",
                     "there is no sheet %.*s: give names, or numbers from 1 to %zu",
                     n > 60 ? 60 : (int) n, word, what->n_names);
}

/* "Sales, 3": a name may hold a comma between double quotes. */
static int add_sheets(const struct publish *what, const struct pdf_doc *doc,
                      const struct outline *outline, struct selection *out, struct err *err)
{
    const char *at = what->sheets;

    out->chosen = calloc(what->n_names + 1, sizeof *out->chosen);
    if (!out->chosen)
        return err_set(err, ERR_INTERNAL, "out of memory");
    while (*at) {
        const char *word;
        size_t n, sheet = 0;

        at += strspn(at, ", ");
        if (!*at)
            break;
        word = *at == '"' ? at + 1 : at;
        n = *at == '"' ? strcspn(word, "\"") : strcspn(word, ",");
        at = word + n + (word[n] == '"');
        while (n > 0 && word[n - 1] == ' ')
            n--;
        if (find_sheet(what, word, n, &sheet, err) < 0 ||
            add_sheet(what, doc, outline, sheet, out, err) < 0)
            return -1;
        out->chosen[sheet] = true;
    }
    return out->n ? 0
                  : err_field(err, ERR_UNSUPPORTED_CONTENT, "sheets",
                              "the sheets asked for have no pages");
}

/* Of the pages chosen so far, those that `pages` names. */
static int narrow(struct tool_run *run, const char *pages, struct selection *selection,
                  struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    struct selection all = *selection;
    int added = 0;

    if (!all.pages)
        return err_set(err, ERR_PAGE_OUT_OF_RANGE, "there are no pages to choose from");
    if (page_list_resolve(pages, all.n, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", all.n);
    selection->pages = NULL;
    selection->n = selection->cap = 0;
    for (size_t i = 0; i < list.n_items && added == 0; i++)
        for (size_t k = 0; k < list.items[i].n && added == 0; k++)
            added = add_page(selection, all.pages[list.items[i].pages[k]], err);
    free(all.pages);
    return added;
}

/* Whether the page is that of a hidden sheet. */
static bool is_hidden(const struct publish *what, const struct pdf_doc *doc, size_t page)
{
    return what->hidden && has_page_per_sheet(what, doc) && what->hidden[page];
}

static bool has_hidden(const struct publish *what, const struct pdf_doc *doc)
{
    for (size_t i = 0; i < doc->n_pages; i++)
        if (is_hidden(what, doc, i))
            return true;
    return false;
}

static int select_pages(struct tool_run *run, const struct publish *what, const struct pdf_doc *doc,
                        struct part_source *source, struct selection *out, struct err *err)
{
    if (what->sheets) {
        if (add_sheets(what, doc, part_source_outline(source), out, err) < 0)
            return -1;
    } else {
        for (size_t i = 0; i < doc->n_pages; i++)
            if (!is_hidden(what, doc, i) && add_page(out, i, err) < 0)
                return -1;
    }
    return what->pages ? narrow(run, what->pages, out, err) : 0;
}

static int write_part(struct tool_run *run, const struct publish *what, struct part_source *source,
                      const struct selection *selection, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc part = { 0 };

    if (part_make(source, selection->pages, selection->n, &part, err) < 0)
        return -1;
    if (!what->bookmarks) {
        AUTO_OBJ struct obj root = obj_root(part.q);

        obj_remove(root, "/Outlines");
        obj_remove(root, "/PageMode");
    }
    return pdf_doc_save(&part, run->output, NULL, err);
}

/* Pages of the result that show nothing, as a sheet has of which nothing could be drawn. `pages`:
 * which of the document's they are; NULL: all. */
static void warn_of_blanks(struct tool_run *run, const struct pdf_doc *doc, const size_t *pages,
                           size_t n_pages)
{
    AUTO_BUF struct buf list = BUF_EMPTY;
    size_t n = 0;

    for (size_t i = 0; i < n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, pages ? pages[i] : i);

        if (!blank_page(page))
            continue;
        if (n++ < BLANKS_NAMED)
            buf_printf(&list, "%s%zu", n > 1 ? ", " : "", i + 1);
    }
    if (n == 1)
        tool_warn(run, "blank_pages",
                  "page %s shows nothing: its sheet has nothing there that "
                  "can be drawn",
                  buf_text(&list));
    else if (n > 0)
        tool_warn(run, "blank_pages",
                  "%zu pages show nothing, because their sheets have nothing there that can be "
                  "drawn: %s%s",
                  n, buf_text(&list), n > BLANKS_NAMED ? ", ..." : "");
}

static int publish_some(struct tool_run *run, const struct publish *what, struct pdf_doc *doc,
                        struct err *err)
{
    struct part_source *source = part_source_open(doc, PART_OF_IT, err);
    struct selection selection = { 0 };
    int done;

    if (!source)
        return -1;
    done = select_pages(run, what, doc, source, &selection, err);
    if (done == 0 && what->n_names > 0) {
        warn_of_blanks(run, doc, selection.pages, selection.n);
        hidden_warn_of_sheets(run, what->doc, what->names, what->n_names, selection.chosen);
    }
    if (done == 0)
        done = write_part(run, what, source, &selection, err);
    part_source_close(source);
    free(selection.pages);
    free(selection.chosen);
    return done < 0 ? -1 : tool_done(run, selection.n, err);
}

static int publish_all(struct tool_run *run, const struct publish *what, size_t n_pages,
                       struct err *err)
{
    AUTO_CLOSE int from = open(what->path, O_RDONLY | O_CLOEXEC);
    AUTO_CLOSE int to = open(run->output, O_WRONLY | O_CLOEXEC);
    struct stat st;

    if (from < 0 || to < 0 || fstat(from, &st) < 0)
        return err_sys(err, "result");
    if (fdio_copy(from, 0, st.st_size, to, err) < 0)
        return -1;
    return tool_done(run, n_pages, err);
}

/* Of all pages, also of those that are not kept. */
static int warn_of_words(struct tool_run *run, const struct publish *what,
                         const struct pdf_doc *doc, struct err *err)
{
    struct missing missing;

    if (missing_words(what->source, &what->wanted, doc->q, doc->n_pages, &missing, err) < 0)
        return -1;
    if (missing.n)
        tool_warn(
            run, "text_missing",
            "LibreOffice does not show %zu word%s of the document; the first is in %s%s: %s%s",
            missing.n, missing.n > 1 ? "s" : "", buf_text(&missing.place),
            missing.more ? ", others elsewhere" : "", buf_text(&missing.words),
            missing.n > 1 ? " ..." : "");
    missing_free(&missing);
    return 0;
}

int publish_file(struct tool_run *run, const struct publish *what, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open(&doc, what->path, NULL, NULL, err) < 0) {
        err->code = ERR_INTERNAL;
        return err_wrap(err, "LibreOffice's PDF");
    }
    if (doc.n_pages == 0)
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "the document has nothing to print");
    if (what->has_text && !shows_text(&doc))
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the document's text would be lost: nothing of it is printed");
    if (what->source && warn_of_words(run, what, &doc, err) < 0)
        return -1;
    if (what->wanted.slides && !what->wanted.hidden_slides)
        hidden_warn_of_slides(run, what->doc, doc.q, doc.n_pages);
    if (what->pages || what->sheets || has_hidden(what, &doc))
        return publish_some(run, what, &doc, err);
    if (what->n_names > 0) {
        warn_of_blanks(run, &doc, NULL, doc.n_pages);
        hidden_warn_of_sheets(run, what->doc, what->names, what->n_names, NULL);
    }
    return publish_all(run, what, doc.n_pages, err);
}
