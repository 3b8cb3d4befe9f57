#include "engine/mupdf/engine.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/large_pages.h"

/* Limit of the cache of decoded pictures and fonts. */
#define STORE_BYTES ((size_t) 48 << 20)
#define KEPT_BYTES  (16 << 20) /* larger blocks are returned to the kernel when they are freed */

static pthread_mutex_t mutexes[FZ_LOCK_MAX];
static fz_context *context;
static struct engine_own context_own;
static atomic_bool refused;
static bool (*refused_elsewhere)(void);

static void lock(void *user, int number)
{
    (void) user;
    pthread_mutex_lock(&mutexes[number]);
}

static void unlock(void *user, int number)
{
    (void) user;
    pthread_mutex_unlock(&mutexes[number]);
}

static const fz_locks_context locks = { NULL, lock, unlock };

static void *allocate_block(void *user, size_t n)
{
    void *got = malloc(n);

    (void) user;
    if (!got && n)
        atomic_store(&refused, true);
    large_pages_ask(got, n);
    return got;
}

static void *resize_block(void *user, void *old, size_t n)
{
    void *got = realloc(old, n);

    (void) user;
    if (!got && n)
        atomic_store(&refused, true);
    return got;
}

static void free_block(void *user, void *old)
{
    (void) user;
    free(old);
}

static const fz_alloc_context allocator = { NULL, allocate_block, resize_block, free_block };

/* `shared`: locks for clones of it, or NULL. */
static fz_context *open_context(const fz_locks_context *shared, size_t store)
{
    fz_context *ctx = fz_new_context(&allocator, shared, store);

    if (!ctx)
        return NULL;
    fz_set_warning_callback(ctx, damage_hear_warning, NULL);
    fz_set_error_callback(ctx, damage_hear_error, NULL);
    fz_try(ctx)
    {
        fz_register_document_handlers(ctx);
        fz_set_aa_level(ctx, 8);
    }
    fz_catch(ctx)
    {
        fz_drop_context(ctx);
        ctx = NULL;
    }
    return ctx;
}

static bool is_refused(void)
{
    return atomic_load(&refused) || (refused_elsewhere && refused_elsewhere());
}

int engine_no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs more memory than one job may have");
}

static void set_own(fz_context *ctx, struct engine_own *own)
{
    fz_set_user_context(ctx, own);
    fz_set_warning_callback(ctx, damage_hear_warning, own);
    fz_set_error_callback(ctx, damage_hear_error, own);
}

fz_context *engine_context(struct err *err)
{
    if (!context) {
        /* MuPDF allocates under a lock of its own; one heap for each thread would only cost
         * address space. */
        mallopt(M_ARENA_MAX, 1);
        /* Pictures and groups are allocated and freed for every page: if they were returned to
         * the kernel each time, it would clear their memory each time. */
        mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
        mallopt(M_TRIM_THRESHOLD, 4 * KEPT_BYTES);
        for (int i = 0; i < FZ_LOCK_MAX; i++)
            pthread_mutex_init(&mutexes[i], NULL);
        context = open_context(&locks, STORE_BYTES);
    }
    if (!context)
        engine_no_memory(err);
    else
        set_own(context, &context_own);
    return context;
}

void engine_expect(int engines)
{
    mallopt(M_ARENA_MAX, 1 + engines);
}

/* Attaches our data to `ctx`; NULL if there was no memory for the context. */
static fz_context *give_own(fz_context *ctx, struct err *err)
{
    struct engine_own *own = ctx ? calloc(1, sizeof *own) : NULL;

    if (!own) {
        fz_drop_context(ctx);
        engine_no_memory(err);
        return NULL;
    }
    set_own(ctx, own);
    return ctx;
}

fz_context *engine_apart(int engines, struct err *err)
{
    return give_own(open_context(NULL, STORE_BYTES / (size_t) engines), err);
}

fz_context *engine_clone(struct err *err)
{
    return give_own(fz_clone_context(context), err);
}

void engine_clone_free(fz_context *ctx)
{
    struct engine_own *own = ctx ? engine_own(ctx) : NULL;

    fz_drop_context(ctx); /* which may warn once more, and warnings use our data */
    free(own);
}

struct engine_own *engine_own(fz_context *ctx)
{
    return fz_user_context(ctx);
}

int engine_caught(fz_context *ctx, const char *what, struct err *err)
{
    if (fz_caught(ctx) == FZ_ERROR_MEMORY || is_refused())
        return engine_no_memory(err);
    return err_set(err, ERR_CORRUPT_FILE, "%s cannot be read: the document is damaged", what);
}

void engine_watch_memory(bool (*function)(void))
{
    refused_elsewhere = function;
}

int engine_check_memory(struct err *err)
{
    return is_refused() ? engine_no_memory(err) : 0;
}

/* Text in the built-in fonts, a line, a gradient and a picture, to load their code and tables. */
static const char sample[] =
    "%PDF-1.4\n"
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 60]/Contents 4 0 R/Resources<<"
    "/Font<</A<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    "/B<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>"
    "/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 9 9]"
    "/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>>>>>>>>>endobj\n"
    "4 0 obj<</Length 230>>stream\n"
    "BT /A 9 Tf 5 40 Td (The quick brown fox jumps over the lazy dog 0123) Tj ET\n"
    "BT /B 9 Tf 5 20 Td (The quick brown fox jumps over the lazy dog 0123) Tj ET\n"
    "q 5 5 9 9 re W n /S sh Q 1 0 0 RG 20 5 m 30 9 40 2 50 5 c S\n"
    "q 9 0 0 9 60 5 cm BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI Q\nendstream endobj\n"
    "trailer<</Root 1 0 R/Size 5>>\nstartxref\n0\n%%EOF\n";

void engine_warm(void)
{
    struct err ignored;
    fz_context *ctx = engine_context(&ignored);
    fz_document *doc = NULL;
    fz_stream *stream = NULL;
    fz_pixmap *pixmap = NULL;

    if (!ctx)
        return;
    fz_var(doc);
    fz_var(stream);
    fz_var(pixmap);
    fz_try(ctx)
    {
        stream = fz_open_memory(ctx, (const unsigned char *) sample, strlen(sample));
        doc = fz_open_document_with_stream(ctx, "application/pdf", stream);
        pixmap = fz_new_pixmap_from_page_number(ctx, doc, 0, fz_scale(2, 2), fz_device_rgb(ctx), 0);
    }
    fz_always(ctx)
    {
        fz_drop_pixmap(ctx, pixmap);
        fz_drop_document(ctx, doc);
        fz_drop_stream(ctx, stream);
    }
    fz_catch(ctx)
    {
        /* A failure only makes the first page slower. */
    }
}
