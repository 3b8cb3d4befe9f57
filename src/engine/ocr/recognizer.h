/*
 * recognizer: recognises the text of a picture, with Tesseract, in one thread. This folder alone
 * includes its headers and Leptonica's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pdf/text_layer/redraw.h"
#include "pdf/text_layer/text_layer.h"

/* A picture in gray, of a page as it is displayed. It is as large as what Tesseract needs besides:
 * it is drawn when it is wanted, and freed once there is a copy for Tesseract. */
struct scan {
    uint8_t *pixels; /* owned; NULL: they are to be drawn */
    /* Draws the pixels, and sets the size and the resolution. */
    int (*draw)(struct scan *scan, void *arg, struct err *err);
    void *arg;
    int width, height; /* rows are `width` bytes long */
    double dpi;
    bool upright; /* places are wanted as they would be on the page if it were turned to be read */
    bool level;   /* and as they would be if its lines were level */
    bool shapes;  /* its ruling lines and pictures are searched, too; with both of these */
};

#define SHAPES_RULES    600 /* limits of a page's */
#define SHAPES_PICTURES 20

/* What is on a page besides its text. */
struct page_shapes {
    struct redraw_box rules[SHAPES_RULES], pictures[SHAPES_PICTURES];
    uint32_t n_rules, n_pictures;
    uint32_t n_left; /* parts larger than letters that are neither words, lines nor pictures */
};

#define RECOGNITION_MISSED 20 /* places of text without words that are noted of a page */

/* Room for what is recognised; the caller sets it and the page's pointers to it. Words for which
 * there is no room are left out, which sets `full`. */
struct recognition {
    struct layer_page page;
    uint32_t max_lines, max_words, max_text;
    bool full;
    char language[64]; /* the languages that were used: "deu+eng" */
    char wanted[32];   /* the language it seems to be in, if that is not installed; or "" */
    char script[32];   /* the script it seems to be in, if that was looked at; or "" */
    int confidence;    /* mean of the words, 0 to 100; 0 without words */
    int turned;        /* by how much the picture had to be turned to be read, clockwise */
    float skew;        /* by how much its lines rise, in degrees */
    struct page_shapes shapes;
    /* parts of the size of words that are in no word, on the page as it is displayed; more than
     * there is room for are counted */
    struct redraw_box missed[RECOGNITION_MISSED];
    uint32_t n_missed;
};

#define RECOGNIZER_SIDE 32767 /* limit of width and height: Tesseract's coordinates are int16 */

/* Loads languages before processes are forked that need them. What fails is reported when it is
 * needed. */
void recognizer_load(const char *languages);

/* How a picture is read. */
struct recognizer_options {
    const char *languages; /* joined by '+' */
    int turn;              /* clockwise, before it is read: 0, 90, 180 or 270 */
    bool (*stop)(void);    /* asked now and then whether to give up; may be NULL */
};

/* Recognises a picture. ERR_LIMIT_EXCEEDED when it was stopped, ERR_INTERNAL when a language cannot
 * be loaded. */
int recognizer_read(struct scan *scan, const struct recognizer_options *options,
                    struct recognition *out, struct err *err);

/* Which way up a picture is, and the script of its text. */
struct recognizer_view {
    int turn;         /* by how much it must be turned clockwise */
    double turn_sure; /* how sure that is: 15 and more are reliable */
    char script[32];  /* "Latin" */
    double script_sure;
};
/* False if there is too little text to tell, or the data for it is not installed. */
bool recognizer_look(struct scan *scan, struct recognizer_view *view);
