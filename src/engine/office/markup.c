#include "engine/office/markup.h"

#include <string.h>

static const char *local_name(const char *name)
{
    const char *colon = strchr(name, ':');

    return colon ? colon + 1 : name;
}

static void end_tag(struct markup *m)
{
    bool closing = m->name[0] == '/';
    const char *local = local_name(m->name + closing);
    size_t n = m->tag;

    m->tag = 0;
    if (m->name[0] == '!') /* CDATA is text */
        m->run += n;       /* seen with the next byte of text */
    if (m->name[0] == '?' || m->name[0] == '!')
        return;
    m->data = !closing && strcmp(local, "binary-data") == 0;
    if (strcmp(local, "p") == 0 || strcmp(local, "h") == 0)
        m->run = 0;
    if (closing)
        m->depth--;
    else if (m->before != '/' && ++m->depth > m->deepest)
        m->deepest = m->depth;
}

static void feed_tag(struct markup *m, char c)
{
    size_t at = m->tag++ - 1;

    if (m->quote) {
        if (c == m->quote)
            m->quote = 0;
        return;
    }
    if (c == '>') {
        end_tag(m);
        return;
    }
    if (at > 0 && (c == '"' || c == '\'') && m->name[0] != '!') /* comments hold apostrophes */
        m->quote = c;
    m->named = m->named || c == ' ' || c == '\n' || c == '\r' || c == '\t' || (at > 0 && c == '/');
    if (!m->named && at < sizeof m->name - 1) {
        m->name[at] = c;
        m->name[at + 1] = '\0';
    }
}

void markup_feed(struct markup *m, const char *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = data[i];

        if (!c)
            continue;
        if (m->tag) {
            feed_tag(m, c);
        } else if (c == '<') {
            m->tag = 1;
            m->named = false;
            m->name[0] = '\0';
        } else if (!m->data && ++m->run > m->longest) {
            m->longest = m->run;
        }
        m->before = c;
    }
}
