/* sample: a tool of the tests' own, with one parameter of each type. */
#pragma once

#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"

struct sample {
    const char *fit, *title, *pages, *openWith, *newPassword, *form;
    int64_t dpi, turn;
    double opacity, size;
    uint32_t color;
    uint64_t parts;
    bool gray;
    const struct tool_input *certificate;
};

static const char *const sample_fits[] = { "page", "width", NULL };

static const char *const sample_sizes[] = { "auto", NULL };

static const char *const sample_words[] = { "n", "total", NULL };

static const struct param sample_params[] = {
    CHOICE(struct sample, fit, "How to fit.", .required = true, .choices = sample_fits),
    TEXT(struct sample, title, "Title.", .preset = "none", .min = 1, .max = 8),
    PAGES(struct sample, pages, "Pages.", .preset = "all"),
    SECRET(struct sample, openWith, "Password that opens it.", .preset = "", .alias = "openBy",
           .max = 16),
    PASSWORD(struct sample, newPassword, "New password.", .min = 1, .max = 12),
    INT(struct sample, dpi, "Dots per inch.", .preset = "150", .min = 36, .max = 600),
    INT(struct sample, turn, "Degrees.", .min = -360, .max = 360, .step = 90),
    NUMBER(struct sample, opacity, "Opacity.", .preset = "0.3", .min = 0, .max = 1),
    BOOL(struct sample, gray, "Without colour.", .preset = "false"),
    UPLOAD(struct sample, certificate, "A certificate.", .max = 1000),
    NUMBER(struct sample, size, "Size.", .preset = "auto", .min = 1, .max = 9,
           .choices = sample_sizes),
    COLOR(struct sample, color, "Colour.", .preset = "#808080"),
    CHOICES(struct sample, parts, "Parts.", .preset = "n", .choices = sample_words),
    TEXT(struct sample, form, "Form.", .preset = "{n}", .min = 1, .max = 20,
         .choices = sample_words),
};
