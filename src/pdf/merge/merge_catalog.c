/*
 * The rest of the catalog. What is about the document as a whole is the first file's: its metadata,
 * view, opening action. What cannot mean the same for all is left out.
 */
#include <string.h>

#include "base/scope.h"
#include "pdf/merge/merge_part.h"

/* Kept of the first file. */
static const char *const of_first[] = { "/Metadata",   "/ViewerPreferences", "/PageMode",
                                        "/PageLayout", "/OpenAction",        "/AA",
                                        "/URI" };

static int version_of(struct obj name)
{
    size_t n;
    const char *text = obj_is_name(name) ? obj_bytes(name, &n) : NULL;

    return text && n == 4 && text[2] == '.' ? (text[1] - '0') * 10 + (text[3] - '0') : 0;
}

/* The highest version, and every file's extensions (ISO 32000-1, 7.2.2 and 7.12). */
static int raise_version(struct merge *m, struct merge_source *s, struct obj root, struct err *err)
{
    struct obj to = obj_root(m->to.q);
    AUTO_BUF struct buf header = BUF_EMPTY;

    buf_printf(&header, "/%s", qpdf_get_pdf_version(s->doc.q));
    if (header.failed)
        return merge_no_memory(err);
    struct obj versions[] = { obj_new_name(m->to.q, buf_text(&header)), obj_key(root, "/Version") };
    for (size_t i = 0; i < COUNT(versions); i++) {
        int version = version_of(versions[i]);
        if (version > version_of(obj_key(to, "/Version")) && version <= 20) {
            char name[8];
            snprintf(name, sizeof name, "/%d.%d", version / 10, version % 10);
            obj_set_name(to, "/Version", name);
        }
    }
    return 0;
}

static int read_catalog(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj root = obj_root(s->doc.q), info = obj_key(obj_trailer(s->doc.q), "/Info");

    if (s->number == 0) {
        merge_links_dest(s, obj_key(root, "/OpenAction"));
        for (size_t i = 0; i < COUNT(of_first); i++)
            merge_put(s, of_first[i], obj_key(root, of_first[i]));
        if (obj_is_dict(info))
            merge_put(s, "/Info", info);
    }
    merge_put(s, "/Lang", obj_key(root, "/Lang"));
    merge_put(s, "/Threads", obj_key(root, "/Threads"));
    merge_put(s, "/AF", obj_key(root, "/AF"));
    merge_put(s, "/Extensions", obj_key(root, "/Extensions"));
    merge_put(s, "/OutputIntents", obj_key(root, "/OutputIntents"));
    if (obj_has(root, "/Collection"))
        tool_warn(m->run, "portfolio_dropped",
                  "a file was a portfolio: its pages and attachments are kept, its view is not");
    return raise_version(m, s, root, err);
}

static int join_extensions(struct obj root, struct obj from, struct err *err)
{
    struct obj to = obj_key(root, "/Extensions");
    AUTO_KEYS char **keys = obj_keys(from);
    long long level, other;

    if (!keys)
        return merge_no_memory(err);
    if (*keys && !obj_is_dict(to)) {
        obj_set(root, "/Extensions", obj_new_dict(root.q));
        to = obj_key(root, "/Extensions");
    }
    for (char **key = keys; *key; key++) {
        struct obj there = obj_key(to, *key), value = obj_key(from, *key);
        if (obj_is_null(there) || (obj_key_int(value, "/ExtensionLevel", &level) &&
                                   obj_key_int(there, "/ExtensionLevel", &other) && level > other))
            obj_set(to, *key, value);
    }
    return 0;
}

static bool same_text(struct obj a, struct obj b)
{
    AUTO_FREE char *text = strdup(qpdf_oh_unparse_resolved(a.q, a.oh));

    return text && strcmp(text, qpdf_oh_unparse_resolved(b.q, b.oh)) == 0;
}

/* Profiles that are the same are one object by now. */
static bool same_intents(struct obj a, struct obj b)
{
    int n = obj_count(a);

    for (int i = 0; i < n && n == obj_count(b); i++)
        if (!same_text(obj_item(a, i), obj_item(b, i)))
            return false;
    return n == obj_count(b);
}

/*
 * What the colours are meant for: the result's, if all files agree. Until one does not, the first
 * file's intents stand in the catalog; a file that says otherwise says so on its pages (ISO
 * 32000-2, 14.11.5), and so do those before it.
 */
static void join_intents(struct merge *m, struct merge_source *s)
{
    struct obj root = obj_root(m->to.q), intents = obj_key(s->in, "/OutputIntents");

    if (s->number == 0) {
        if (obj_count(intents) > 0)
            obj_set(root, "/OutputIntents", intents);
        return;
    }
    if (m->same_intents && same_intents(obj_key(root, "/OutputIntents"), intents))
        return;
    if (m->same_intents) {
        struct obj before = obj_key(root, "/OutputIntents");
        for (int64_t i = 0; i < m->n_pages && obj_count(before) > 0; i++) {
            AUTO_OBJ struct obj page = obj_page(m->to.q, (size_t) i);
            if (!obj_has(page, "/OutputIntents"))
                obj_set(page, "/OutputIntents", before);
        }
        obj_remove(root, "/OutputIntents");
        m->same_intents = false;
    }
    struct obj pages = obj_key(s->in, "/Kids");
    for (int i = 0; i < obj_count(pages) && obj_count(intents) > 0; i++) {
        AUTO_OBJ struct obj page = obj_item(pages, i);
        if (!obj_has(page, "/OutputIntents"))
            obj_set(page, "/OutputIntents", intents);
    }
}

/* The first language any file says it is in; merge_tags.c cares for others. */
static void join_language(struct merge *m, struct obj language)
{
    struct obj root = obj_root(m->to.q), there = obj_key(root, "/Lang");

    if (!obj_is_string(language))
        return;
    if (obj_is_null(there))
        obj_set(root, "/Lang", language);
    else if (!same_text(there, language))
        m->same_language = false;
}

static int join_catalog(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj root = obj_root(m->to.q), info = obj_key(s->in, "/Info");

    for (size_t i = 0; s->number == 0 && i < COUNT(of_first); i++)
        if (obj_has(s->in, of_first[i]))
            obj_set(root, of_first[i], obj_key(s->in, of_first[i]));
    if (!obj_is_null(info))
        obj_set(obj_trailer(m->to.q), "/Info", obj_is_indirect(info) ? info : obj_indirect(info));
    join_language(m, obj_key(s->in, "/Lang"));
    merge_append_all(merge_at(m, m->threads), obj_key(s->in, "/Threads"));
    merge_append_all(merge_at(m, m->associated), obj_key(s->in, "/AF"));
    join_intents(m, s);
    return join_extensions(root, obj_key(s->in, "/Extensions"), err);
}

static int finish_catalog(struct merge *m, struct err *err)
{
    struct obj root = obj_root(m->to.q);

    (void) err;
    if (obj_count(merge_at(m, m->threads)) > 0)
        obj_set(root, "/Threads", merge_at(m, m->threads));
    if (obj_count(merge_at(m, m->associated)) > 0)
        obj_set(root, "/AF", merge_at(m, m->associated));
    if (obj_key_is(root, "/PageMode", "/UseOutlines") && !obj_has(root, "/Outlines"))
        obj_remove(root, "/PageMode");
    if (obj_key_is(root, "/PageMode", "/UseAttachments"))
        obj_remove(root, "/PageMode");
    return 0;
}

const struct merge_part merge_catalog = { read_catalog, join_catalog, finish_catalog };
