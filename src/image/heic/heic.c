#include "image/heic/heic.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/file_kind.h"

static int refuse_heic(struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED_CONTENT,
                   "HEIC and AVIF pictures are read by libheif, which this server does not have: "
                   "install it (the package libheif1), or save the picture as JPEG (on an iPhone: "
                   "Settings, Camera, Formats, Most Compatible)");
}

#ifdef HEIC_LIBHEIF

#include <libheif/heif.h>

#define PICTURES  1000       /* limit of the pictures of a file */
#define ICC_BYTES (16 << 20) /* limit of a profile */

/* The functions that are used, by their names without "heif_". */
#define FUNCTIONS(F)                                                                               \
    F(context_alloc)                                                                               \
    F(context_free)                                                                                \
    F(context_read_from_memory_without_copy)                                                       \
    F(context_get_number_of_top_level_images)                                                      \
    F(context_get_list_of_top_level_image_IDs)                                                     \
    F(context_get_image_handle)                                                                    \
    F(image_handle_release)                                                                        \
    F(image_handle_get_width)                                                                      \
    F(image_handle_get_height)                                                                     \
    F(image_handle_has_alpha_channel)                                                              \
    F(image_handle_is_premultiplied_alpha)                                                         \
    F(image_handle_get_raw_color_profile_size)                                                     \
    F(image_handle_get_raw_color_profile)                                                          \
    F(decoding_options_alloc)                                                                      \
    F(decoding_options_free)                                                                       \
    F(decode_image)                                                                                \
    F(image_release)                                                                               \
    F(image_get_width)                                                                             \
    F(image_get_height)                                                                            \
    F(image_get_plane_readonly)

#define MEMBER(name) __typeof__(&heif_##name) name;
static struct {
    void *library;
    FUNCTIONS(MEMBER)
} heif;
#undef MEMBER

struct heic {
    struct heif_context *context;
    heif_item_id ids[PICTURES];
    int n, next;
    struct heif_image_handle *handle; /* of the picture that was described */
    struct heif_image *image;         /* its pixels */
    uint8_t *icc;
};

static bool find_functions(void)
{
    bool all = true;

#define FIND(name)                                                                                 \
    *(void **) (void *) &heif.name = dlsym(heif.library, "heif_" #name);                           \
    all = all && heif.name;
    FUNCTIONS(FIND)
#undef FIND
    return all;
}

static bool load_library(void)
{
    static bool tried, loaded;

    if (tried)
        return loaded;
    tried = true;
    heif.library = dlopen("libheif.so.1", RTLD_LAZY | RTLD_LOCAL);
    loaded = heif.library && find_functions();
    return loaded;
}

bool heic_prepare(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *kind = file_kind_of_file(fds[i]);

        if (kind && (strcmp(kind, "heic") == 0 || strcmp(kind, "avif") == 0)) {
            load_library();
            return true;
        }
    }
    return false;
}

/* Converts an error of the library. */
static int failed(struct heif_error error, struct err *err)
{
    if (error.code == heif_error_Memory_allocation_error)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the picture needs more memory than a job may use");
    if (error.code == heif_error_Unsupported_filetype ||
        error.code == heif_error_Unsupported_feature)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the HEIC or AVIF picture is coded in a way that is not read here: save it "
                       "as JPEG");
    return err_set(err, ERR_CORRUPT_FILE, "the HEIC or AVIF file is damaged: it cannot be decoded");
}

struct heic *heic_open(const uint8_t *data, size_t n, struct err *err)
{
    struct heic *file;
    struct heif_error error;

    if (!load_library()) {
        refuse_heic(err);
        return NULL;
    }
    file = calloc(1, sizeof *file);
    if (file)
        file->context = heif.context_alloc();
    if (!file || !file->context) {
        free(file);
        err_set(err, ERR_LIMIT_EXCEEDED, "the picture needs more memory than a job may use");
        return NULL;
    }
    error = heif.context_read_from_memory_without_copy(file->context, data, n, NULL);
    if (error.code != heif_error_Ok) {
        failed(error, err);
        heic_close(file);
        return NULL;
    }
    file->n = heif.context_get_number_of_top_level_images(file->context);
    file->n = heif.context_get_list_of_top_level_image_IDs(file->context, file->ids,
                                                           file->n < PICTURES ? file->n : PICTURES);
    return file;
}

static void drop_picture(struct heic *file)
{
    if (file->image)
        heif.image_release(file->image);
    if (file->handle)
        heif.image_handle_release(file->handle);
    free(file->icc);
    file->image = NULL;
    file->handle = NULL;
    file->icc = NULL;
}

void heic_close(struct heic *file)
{
    if (!file)
        return;
    drop_picture(file);
    heif.context_free(file->context);
    free(file);
}

static void read_profile(struct heic *file, struct heic_picture *picture)
{
    size_t n = heif.image_handle_get_raw_color_profile_size(file->handle);

    if (n == 0 || n > ICC_BYTES || !(file->icc = malloc(n)))
        return;
    if (heif.image_handle_get_raw_color_profile(file->handle, file->icc).code != heif_error_Ok)
        return;
    picture->icc = file->icc;
    picture->icc_bytes = n;
}

int heic_next(struct heic *file, struct heic_picture *picture, struct err *err)
{
    struct heif_error error;
    int width, height;

    drop_picture(file);
    *picture = (struct heic_picture){ 0 };
    if (file->next == file->n)
        return file->n > 0 ? 0
                           : err_set(err, ERR_CORRUPT_FILE,
                                     "the HEIC or AVIF file is damaged: there is no picture in it");
    error = heif.context_get_image_handle(file->context, file->ids[file->next++], &file->handle);
    if (error.code != heif_error_Ok)
        return failed(error, err);
    width = heif.image_handle_get_width(file->handle);
    height = heif.image_handle_get_height(file->handle);
    picture->width = width > 0 ? (uint32_t) width : 0;
    picture->height = height > 0 ? (uint32_t) height : 0;
    picture->alpha = heif.image_handle_has_alpha_channel(file->handle) != 0;
    picture->premultiplied =
        picture->alpha && heif.image_handle_is_premultiplied_alpha(file->handle) != 0;
    read_profile(file, picture);
    return 1;
}

int heic_decode(struct heic *file, struct heic_picture *picture, struct err *err)
{
    struct heif_decoding_options *options = heif.decoding_options_alloc();
    struct heif_error error;
    int stride = 0;

    if (options)
        options->convert_hdr_to_8bit = 1;
    error = heif.decode_image(
        file->handle, &file->image, heif_colorspace_RGB,
        picture->alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options);
    if (options)
        heif.decoding_options_free(options);
    if (error.code != heif_error_Ok)
        return failed(error, err);
    picture->pixels = heif.image_get_plane_readonly(file->image, heif_channel_interleaved, &stride);
    picture->stride = stride > 0 ? (size_t) stride : 0;
    if (!picture->pixels ||
        heif.image_get_width(file->image, heif_channel_interleaved) != (int) picture->width ||
        heif.image_get_height(file->image, heif_channel_interleaved) != (int) picture->height ||
        picture->stride < (size_t) picture->width * (picture->alpha ? 4 : 3))
        return err_set(err, ERR_CORRUPT_FILE,
                       "the HEIC or AVIF file is damaged: its sizes contradict each other");
    return 0;
}

#else /* built without the header of libheif */

bool heic_prepare(const int *fds, size_t n)
{
    (void) fds;
    (void) n;
    return false;
}

struct heic *heic_open(const uint8_t *data, size_t n, struct err *err)
{
    (void) data;
    (void) n;
    refuse_heic(err);
    return NULL;
}

void heic_close(struct heic *file)
{
    (void) file;
}

int heic_next(struct heic *file, struct heic_picture *picture, struct err *err)
{
    (void) file;
    (void) picture;
    return refuse_heic(err);
}

int heic_decode(struct heic *file, struct heic_picture *picture, struct err *err)
{
    (void) file;
    (void) picture;
    return refuse_heic(err);
}

#endif
