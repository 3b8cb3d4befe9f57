/*
 * damage: what of a page could not be read, or only in part: images, fonts, content. MuPDF draws
 * what it can and reports the rest as warnings (engine.c) or by exceptions that it catches itself;
 * patch_damage.c and patch_load_image.c say which object it was reading. A file that only breaks a
 * rule, and loses nothing by it, is not damaged.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>
#include <stddef.h>

#include "declare/tool_run/run.h"

#define DAMAGE_ITEMS 6 /* limit of what is remembered of one page */
#define DAMAGE_WORDS 120

enum damage_kind {
    DAMAGE_NONE,
    DAMAGE_IMAGE,
    DAMAGE_FONT,
    DAMAGE_GLYPHS,  /* of a Type 3 font, which are content */
    DAMAGE_CONTENT, /* of the page, a form XObject or a pattern */
};

struct damage {
    struct damage_item {
        enum damage_kind kind;
        int object; /* its number; 0: none, as for an inline image */
    } items[DAMAGE_ITEMS];
    size_t n;
    unsigned noted; /* how often something was noted, repetitions and what had no room included */
};

/* What is being read at the moment, for warnings of MuPDF that do not say it; object numbers. */
struct damage_place {
    enum damage_kind kind;
    int object;
};

/* What a context has noted. The user context of each, struct engine_own, begins with it. */
struct damage_state {
    struct damage damage;      /* since damage_begin */
    struct damage_place place; /* what is being read */
    bool ended_early;          /* deflate data that was read ended before its end mark */
    unsigned errors;           /* how many MuPDF reported, those that it caught included */
    const void *missing;       /* the font that is shown in place of one that is missing */
    bool font_failed;          /* a font could not be loaded, and another one takes its place */
};

/* NULL for a context that engine.h has not made. */
static inline struct damage_state *damage_state(fz_context *ctx)
{
    return fz_user_context(ctx);
}

/* Forgets what the context has noted: a page begins. */
void damage_begin(fz_context *ctx);
/* Notes that an object was damaged; once for a page. */
void damage_note(fz_context *ctx, enum damage_kind kind, int object);
/* Says what is read from now on, and returns what was until then, to be set again. */
struct damage_place damage_enter(fz_context *ctx, enum damage_kind kind, int object);
void damage_leave(fz_context *ctx, struct damage_place before);
/* Receive what MuPDF reports; callbacks of a context, whose argument is its state or NULL. */
void damage_hear_warning(void *state, const char *warning);
void damage_hear_error(void *state, const char *error);
/* Appends what the context has noted to `to`. */
void damage_add(struct damage *to, const struct damage *from);

/* Remembers an object that is damaged, since MuPDF reads it once and keeps it; by any thread. */
bool damage_is_known(enum damage_kind kind, int object);
/* Remembers the number of the font of this name, for warnings that have only the name. */
void damage_name_font(const char *name, int object);

/* The damage in words: "the image in object 5, the font in object 7"; "" if there is no damage. */
void damage_words(const struct damage *damage, char out[static DAMAGE_WORDS]);

/* The damaged pages of a job, for its warning. */
struct damage_report {
    char words[160];
    size_t n, shown; /* pages, and those that `words` names */
};

/* Adds a page, counted from 0, and the words about it, or "". */
void damage_report_add(struct damage_report *report, size_t page, const char *words);
/* Adds the warning `page_damaged`, if a page was. `what` ends it: what became of such pages. */
void damage_report_warn(const struct damage_report *report, struct tool_run *run, const char *what);
