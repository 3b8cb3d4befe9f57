#include "write/article/html_nodes.h"

#include <stdlib.h>
#include <string.h>

#include <cmark-gfm-extension_api.h>

#include "base/num.h"
#include "base/scope.h"

static int line_of(cmark_node *node)
{
    while (node && cmark_node_get_start_line(node) == 0)
        node = cmark_node_parent(node);
    return node ? cmark_node_get_start_line(node) : 0;
}

static bool html_begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

/* Whether HTML has a tag that is shown as text (GitHub Flavored Markdown, 6.11). */
static bool has_filtered_tag(const char *html)
{
    static const char *const tags[] = { "title",   "textarea", "style",  "xmp",      "iframe",
                                        "noembed", "noframes", "script", "plaintext" };

    for (const char *p = html; (p = strchr(p, '<')); p++) {
        const char *name = p + 1 + (p[1] == '/');

        for (size_t i = 0; i < COUNT(tags); i++) {
            size_t n = strlen(tags[i]);

            if (html_begins(name, tags[i]) && strchr(" \t\r\n>/", name[n]) && name[n])
                return true;
        }
    }
    return false;
}

static void change_html(struct html_nodes *nodes, cmark_node *node)
{
    const char *html = cmark_node_get_literal(node);
    bool block = cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK;
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (nodes->as_html) {
        if (has_filtered_tag(html))
            places_add(&nodes->as_text, line_of(node), "");
        return;
    }
    if (html_begins(html, "<!--")) { /* a comment shows nothing in HTML either */
        cmark_node_set_literal(node, "");
        return;
    }
    places_add(&nodes->as_text, line_of(node), "");
    buf_puts(&text, block ? "<p>" : "");
    for (const char *p = html; *p; p++)
        buf_put_markup(&text, *p);
    buf_puts(&text, block ? "</p>" : "");
    cmark_node_set_literal(node, buf_text(&text));
}

static void change_link(struct html_nodes *nodes, cmark_node *node)
{
    static const char *const schemes[] = { "javascript:", "vbscript:", "file:", "data:" };
    const char *url = cmark_node_get_url(node);
    bool picture = cmark_node_get_type(node) == CMARK_NODE_IMAGE;

    for (size_t i = 0; url && i < COUNT(schemes); i++) {
        if (!html_begins(url, schemes[i]) || (picture && html_begins(url, "data:image/")))
            continue;
        places_add(&nodes->unsafe, line_of(node), "");
        cmark_node_set_url(node, "");
        return;
    }
}

void html_nodes_change(struct html_nodes *nodes, cmark_node *node)
{
    cmark_node_type type = cmark_node_get_type(node);

    if ((type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE) &&
        !cmark_node_get_user_data(node))
        change_html(nodes, node);
    else if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE)
        change_link(nodes, node);
}

/* An address without its percent signs; freed by the caller. */
static char *decoded(const char *address)
{
    struct buf out = BUF_EMPTY;

    for (const char *p = address; *p; p++) {
        int high = *p == '%' ? num_hex_digit(p[1]) : -1;
        int low = high >= 0 ? num_hex_digit(p[2]) : -1;

        buf_putc(&out, low >= 0 ? (char) (high * 16 + low) : *p);
        p += low >= 0 ? 2 : 0;
    }
    return buf_take(&out);
}

/* Whether HTML of the text has an id: it may be the target. */
static void collect_ids(cmark_node *node, struct buf *ids)
{
    const char *html = cmark_node_get_literal(node);

    if (html && (strstr(html, "id=") || strstr(html, "name=")))
        buf_puts(ids, html);
}

void html_nodes_check_links(struct html_nodes *nodes, cmark_node *root, const struct slugs *slugs)
{
    AUTO_BUF struct buf ids = BUF_EMPTY;
    cmark_iter *iterator = cmark_iter_new(root);

    while (cmark_iter_next(iterator) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iterator);
        cmark_node_type type = cmark_node_get_type(node);

        if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE)
            collect_ids(node, &ids);
    }
    cmark_iter_reset(iterator, root, CMARK_EVENT_ENTER);
    while (cmark_iter_next(iterator) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iterator);
        const char *url =
            cmark_node_get_type(node) == CMARK_NODE_LINK ? cmark_node_get_url(node) : NULL;

        if (url && *url == '#' && url[1] &&
            cmark_iter_get_event_type(iterator) == CMARK_EVENT_ENTER) {
            AUTO_FREE char *id = decoded(url + 1);

            if (id && !slugs_has(slugs, id) && !strstr(buf_text(&ids), id))
                places_add(&nodes->lost, line_of(node), "");
        }
    }
    cmark_iter_free(iterator);
}

void html_nodes_text(cmark_node *node, struct buf *out)
{
    cmark_iter *iterator = cmark_iter_new(node);
    cmark_event_type event;

    while ((event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE) {
        cmark_node *part = cmark_iter_get_node(iterator);
        cmark_node_type type = cmark_node_get_type(part);

        if (event != CMARK_EVENT_ENTER)
            continue;
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
            buf_puts(out, cmark_node_get_literal(part));
        else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
            buf_putc(out, ' ');
    }
    cmark_iter_free(iterator);
}
