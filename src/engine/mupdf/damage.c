#include "engine/mupdf/damage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

#define KNOWN 1024 /* limit of objects that are remembered; a power of two */
#define FONTS 256  /* limit of names of fonts that are remembered */

/* The warnings of MuPDF 1.19 to 1.21 that tell of a loss, by their first words. */
static const struct {
    const char *begin;
    enum damage_kind kind; /* DAMAGE_NONE: of whatever is being read */
} losses[] = {
    { "padding truncated image", DAMAGE_IMAGE },
    { "jbig2dec error", DAMAGE_IMAGE },
    { "jbig2dec warning", DAMAGE_IMAGE },
    { "jbig2 globals is not a stream", DAMAGE_IMAGE },
    { "openjpeg error", DAMAGE_IMAGE },
    { "unknown filter name", DAMAGE_NONE },
    { "read error", DAMAGE_NONE },
    { "ignored error when loading embedded font", DAMAGE_FONT },
    { "Type3 glyph load failed", DAMAGE_GLYPHS },
    { "cannot load content stream part", DAMAGE_CONTENT },
    { "content stream is not a stream", DAMAGE_CONTENT },
    { "ignoring XObject with unknown subtype", DAMAGE_CONTENT },
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct damage_item known[KNOWN];
static size_t n_known;
static struct font {
    uint64_t name; /* its hash */
    int object;
} fonts[FONTS];
static size_t n_fonts;

void damage_begin(fz_context *ctx)
{
    struct damage_state *state = damage_state(ctx);

    if (!state)
        return;
    fz_flush_warnings(ctx); /* MuPDF does not report a warning that equals the one before it */
    state->damage = (struct damage){ 0 };
    state->place = (struct damage_place){ 0 };
    state->missing = NULL;
}

/* The place of an object among those that are known, or that where it belongs; -1: no room. */
static int find_known(enum damage_kind kind, int object)
{
    size_t at = ((size_t) object * 4 + kind) * 2654435761U;

    for (size_t i = 0; i < KNOWN; i++) {
        struct damage_item *item = &known[(at + i) & (KNOWN - 1)];

        if (item->kind == DAMAGE_NONE || (item->kind == kind && item->object == object))
            return (int) ((at + i) & (KNOWN - 1));
    }
    return -1;
}

bool damage_is_known(enum damage_kind kind, int object)
{
    bool found = false;

    if (object <= 0)
        return false;
    pthread_mutex_lock(&lock);
    if (n_known > 0) {
        int at = find_known(kind, object);

        found = at >= 0 && known[at].kind != DAMAGE_NONE;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void remember_object(enum damage_kind kind, int object)
{
    int at;

    if (object <= 0)
        return;
    pthread_mutex_lock(&lock);
    at = n_known < KNOWN / 2 ? find_known(kind, object) : -1;
    if (at >= 0 && known[at].kind == DAMAGE_NONE) {
        known[at] = (struct damage_item){ kind, object };
        n_known++;
    }
    pthread_mutex_unlock(&lock);
}

static void add_item(struct damage *to, struct damage_item item)
{
    to->noted++;
    for (size_t i = 0; i < to->n; i++)
        if (to->items[i].kind == item.kind && to->items[i].object == item.object)
            return;
    if (to->n < DAMAGE_ITEMS)
        to->items[to->n++] = item;
}

static void note(struct damage_state *state, enum damage_kind kind, int object)
{
    add_item(&state->damage, (struct damage_item){ kind, object });
    remember_object(kind, object);
}

void damage_note(fz_context *ctx, enum damage_kind kind, int object)
{
    struct damage_state *state = damage_state(ctx);

    if (state)
        note(state, kind, object);
}

struct damage_place damage_enter(fz_context *ctx, enum damage_kind kind, int object)
{
    struct damage_state *state = damage_state(ctx);
    struct damage_place before = { 0 };

    if (!state)
        return before;
    before = state->place;
    fz_flush_warnings(ctx);
    state->place = (struct damage_place){ kind, object };
    return before;
}

void damage_leave(fz_context *ctx, struct damage_place before)
{
    struct damage_state *state = damage_state(ctx);

    if (state)
        state->place = before;
}

static uint64_t hash_name(const char *name, size_t n)
{
    return fnv_bytes(FNV_START, name, n);
}

void damage_name_font(const char *name, int object)
{
    uint64_t hash = hash_name(name, strlen(name));
    size_t i = 0;

    pthread_mutex_lock(&lock);
    while (i < n_fonts && (fonts[i].name != hash || fonts[i].object != object))
        i++;
    if (i == n_fonts && n_fonts < FONTS)
        fonts[n_fonts++] = (struct font){ hash, object };
    pthread_mutex_unlock(&lock);
}

/* The object of the font whose glyph FreeType could not load: "FT_Load_Glyph(NAME,12,...". */
static int font_of(const char *arguments)
{
    const char *end = strrchr(arguments, ')');
    int object = 0;

    for (int commas = 0; end && end > arguments && commas < 2; commas += *end == ',')
        end--;
    if (!end)
        return 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < n_fonts; i++)
        if (fonts[i].name == hash_name(arguments, (size_t) (end - arguments)))
            object = fonts[i].object;
    pthread_mutex_unlock(&lock);
    return object;
}

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

void damage_hear_warning(void *arg, const char *warning)
{
    static const char glyph[] = "FT_Load_Glyph(";
    struct damage_state *state = arg;
    struct damage_place place;

    if (!state)
        return;
    place = state->place;
    if (begins_with(warning, glyph)) {
        note(state, DAMAGE_FONT, font_of(warning + sizeof glyph - 1));
        return;
    }
    if (begins_with(warning, "premature end of data in flate filter"))
        state->ended_early = true;
    /* An image may have all its rows before. What belongs to a font is looked at when it has been
     * loaded: FreeType accepts programs without their last glyphs. */
    if ((place.kind == DAMAGE_CONTENT || place.kind == DAMAGE_GLYPHS) &&
        (begins_with(warning, "premature end of data in flate filter") ||
         begins_with(warning, "ignoring zlib error")))
        note(state, place.kind, place.object);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        enum damage_kind kind = losses[i].kind ? losses[i].kind : place.kind;

        if (kind == DAMAGE_NONE)
            kind =
                DAMAGE_CONTENT; /* such as the mesh of a shading, which is read when it is drawn */
        if (begins_with(warning, losses[i].begin)) {
            note(state, kind, kind == place.kind ? place.object : 0);
            return;
        }
    }
}

void damage_hear_error(void *arg, const char *error)
{
    struct damage_state *state = arg;

    (void) error;
    if (state)
        state->errors++;
}

void damage_add(struct damage *to, const struct damage *from)
{
    for (size_t i = 0; i < from->n; i++)
        add_item(to, from->items[i]);
    to->noted += from->noted - (unsigned) from->n;
}

void damage_words(const struct damage *damage, char out[static DAMAGE_WORDS])
{
    static const char *const words[] = {
        [DAMAGE_IMAGE] = "image",
        [DAMAGE_FONT] = "font",
        [DAMAGE_GLYPHS] = "glyphs",
        [DAMAGE_CONTENT] = "content",
    };
    size_t n = 0;

    *out = '\0';
    for (size_t i = 0; i < damage->n; i++) {
        const struct damage_item *item = &damage->items[i];
        char one[64];
        int length = item->object > 0 ? snprintf(one, sizeof one, "%sthe %s in object %d",
                                                 i ? ", " : "", words[item->kind], item->object)
                                      : snprintf(one, sizeof one, "%s%s %s", i ? ", " : "",
                                                 item->kind == DAMAGE_IMAGE  ? "an inline"
                                                 : item->kind == DAMAGE_FONT ? "a"
                                                                             : "its",
                                                 words[item->kind]);

        if (n + (size_t) length >= DAMAGE_WORDS)
            return;
        memcpy(out + n, one, (size_t) length + 1);
        n += (size_t) length;
    }
}

void damage_report_add(struct damage_report *report, size_t page, const char *words)
{
    size_t n = strlen(report->words);
    char one[DAMAGE_WORDS + 40];
    int length = snprintf(one, sizeof one, "%spage %zu is damaged%s%s%s", report->n ? "; " : "",
                          page + 1, *words ? " (" : "", words, *words ? ")" : "");

    report->n++;
    if (report->shown + 1 < report->n || n + (size_t) length >= sizeof report->words)
        return;
    memcpy(report->words + n, one, (size_t) length + 1);
    report->shown++;
}

void damage_report_warn(const struct damage_report *report, struct tool_run *run, const char *what)
{
    char more[40] = "";

    if (report->n == 0)
        return;
    if (report->n > report->shown)
        snprintf(more, sizeof more, ", and %zu more page%s", report->n - report->shown,
                 report->n - report->shown > 1 ? "s" : "");
    tool_warn(run, "page_damaged", "%s%s: %s", report->words, more, what);
}
