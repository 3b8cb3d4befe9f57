/*
 * effort: how much of the budgets (base/effort.h, engine/mupdf/guard.h) documents use.
 *
 *     build/test/hostile/effort draw|walk FILE...
 *
 * Prints for each file: units of the page that asked for most; units taken from the job; bytes of
 * the page that kept most; bytes of groups and clips that were open at a time. `draw` draws all
 * pages at 300 dpi, `walk` reads them as compress does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/effort.h"
#include "compress/usage/walk_page.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/mupdf_document.h"
#include "engine/page_image/page_drawing.h"

static bool no(void)
{
    return false;
}

static void draw_page(struct mupdf_document *doc, fz_context *ctx, size_t page)
{
    const struct page_drawing_options options = { .dpi = 300,
                                                  .kind = PIXMAP_RGB,
                                                  .annotations = true,
                                                  .max_pixels = 400000000,
                                                  .max_side = 100000 };
    struct page_drawing drawing = { 0 };
    struct err err;

    if (page_drawing_open(&drawing, doc, page, &options, &err) < 0) {
        printf("  page %zu: %s\n", page + 1, err.msg);
        return;
    }
    for (int y = 0, rows; y < drawing.height; y += rows) {
        size_t most = 12000000 / (size_t) drawing.width + 1;
        uint8_t *pixels = malloc(most * (size_t) drawing.width * 4);

        rows = drawing.height - y < (int) most ? drawing.height - y : (int) most;
        if (page_drawing_draw(&drawing, ctx, y, rows, pixels, NULL, &err) < 0)
            printf("  page %zu: %s\n", page + 1, err.msg);
        free(pixels);
    }
    page_drawing_close(&drawing, doc);
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static struct engine_most draw(const char *path)
{
    struct tool_run run = { .memory_refused = no };
    struct mupdf_document doc = { 0 };
    struct engine_most used = { 0 }, read;
    struct err err;
    fz_context *ctx;

    if (mupdf_document_open(&doc, path, "", &run, &err) < 0)
        return used;
    ctx = engine_clone(&err);
    for (size_t i = 0; i < doc.n_pages; i++)
        draw_page(&doc, ctx, i);
    used = engine_own(ctx)->most;
    read = engine_own(doc.ctx)->most;
    engine_clone_free(ctx);
    mupdf_document_close(&doc);
    return (struct engine_most){ most(used.kept, read.kept), most(used.open, read.open) };
}

static void progress(void *arg, double fraction)
{
    (void) arg, (void) fraction;
}

static void walk(const char *path)
{
    struct pdf_doc doc = { 0 };
    struct tool_run run = { .memory_refused = no };
    struct usage usage;
    struct err err;

    if (pdf_doc_open(&doc, path, "", &run, &err) < 0)
        return;
    walk_pages(&usage, &doc, progress, NULL, &err);
    usage_free(&usage);
    pdf_doc_close(&doc);
}

static void measure(const char *what, const char *path)
{
    struct stat st;
    struct engine_most bytes = { 0 };
    struct effort_used used;

    if (stat(path, &st) == 0)
        effort_allow((double) st.st_size);
    if (strcmp(what, "draw") == 0)
        bytes = draw(path);
    else
        walk(path);
    used = effort_used();
    printf("%14.0f %14.0f %12.0f %12.0f %s%s\n", used.page, used.job, bytes.kept, bytes.open, path,
           effort_is_spent() ? " SPENT" : "");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        pid_t child = fork(); /* a job is a process */

        if (child == 0) {
            measure(argv[1], argv[i]);
            _exit(0);
        }
        if (child < 0 || waitpid(child, NULL, 0) < 0)
            return 1;
    }
    return 0;
}
