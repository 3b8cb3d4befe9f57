/* sign: a PAdES signature, added after the document's own bytes. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/area.h"
#include "declare/value/mark_list.h"
#include "declare/value/page_list.h"
#include "pdf/document/doc.h"
#include "pdf/document/recovery.h"
#include "pdf/forms/sigfields.h"
#include "pdf/object/page_view.h"
#include "pdf/update/import.h"
#include "pdf/update/update.h"
#include "stamp/draw/drawing.h"
#include "stamp/sign/appearance.h"
#include "stamp/sign/container.h"
#include "stamp/sign/ink.h"
#include "stamp/sign/marks.h"
#include "stamp/sign/place.h"
#include "stamp/sign/seed.h"
#include "stamp/sign/signer.h"
#include "stamp/sign/widget.h"

#define SIGNER_MAX 128 /* characters */
#define TEXT_MAX   400
#define FIELD_MAX  300

#define IMAGE_WIDTH                                                                                \
    160.0                /* of a picture that is put on a page without a box, in points, at most   \
                          */
#define IMAGE_SHARE 0.3  /* of the page's sides, at most */
#define IMAGE_EDGE  28.0 /* between it and the page's edge */

struct params {
    const char *signerName;
    const struct tool_input *certificate;
    const char *certificatePassword;
    const char *reason, *location;
    bool visible, seal;
    const struct tool_input *image, *initials;
    const char *placements;
    const char *page, *position, *box, *level, *certify, *fieldName;
    const char *inputPassword;
};

static const char *const positions[] = {
    "bottom-right", "bottom-center", "bottom-left", "middle-right", "center",
    "middle-left",  "top-right",     "top-center",  "top-left",     NULL
};
static const char *const levels[] = { "B-B", "B-T", NULL };
static const char *const certifications[] = { "none", "no-changes", "forms", NULL };

static const struct param params[] = {
    BOOL(struct params, seal,
         "Whether the document gets a digital signature. With false, only the picture or the "
         "placements are put on its pages.",
         .preset = "true"),
    TEXT(struct params, signerName,
         "Who signs, as it is shown, in any script. A digital signature needs it.", .min = 1,
         .max = SIGNER_MAX),
    TEXT(
        struct params, placements,
        "What is put on pages, and where: a JSON list of at most 500 objects {\"type\": \"image\", "
        "\"initials\", \"text\", \"tick\" or \"cross\", \"page\": one page, \"x\", \"y\", "
        "\"width\": "
        "points from the top left corner of the page as displayed, \"rotation\": degrees "
        "counterclockwise, \"text\": what is written, \"color\": as #14202e}.",
        .min = 2, .max = MARK_LIST_CHARS),
    UPLOAD(struct params, certificate,
           "A certificate with its private key, PKCS #12 (.p12, .pfx); the server's own seal signs "
           "if left out.",
           .max = IDENTITY_BYTES),
    SECRET(struct params, certificatePassword, "The password of the certificate's file.",
           .max = 1000),
    TEXT(struct params, reason, "Why it is signed.", .max = TEXT_MAX),
    TEXT(struct params, location, "Where it is signed.", .max = TEXT_MAX),
    BOOL(struct params, visible, "Whether the signature shows on a page.", .preset = "true"),
    UPLOAD(struct params, image,
           "A picture of the signature, such as one drawn by hand, that the box shows besides its "
           "text, and placements of the type image: PNG or JPEG.",
           .max = INK_BYTES),
    UPLOAD(struct params, initials,
           "A picture that placements of the type initials show: PNG or JPEG.", .max = INK_BYTES),
    PAGES(struct params, page, "The one page it shows on.", .preset = "last"),
    CHOICE(struct params, position, "Where on the page.", .preset = "bottom-right",
           .choices = positions),
    TEXT(struct params, box,
         "Exactly where on the page, in place of position: x,y,width,height in points from the top "
         "left corner of the page as displayed, as in 300,700,200,80.",
         .min = 7, .max = 100),
    CHOICE(struct params, level,
           "The PAdES baseline level: B-T adds a time stamp of the authority the server is "
           "configured with.",
           .preset = "B-B", .choices = levels),
    CHOICE(struct params, certify,
           "Whether the signature, which must be the first, certifies that nothing (no-changes) or "
           "no more than forms and signatures (forms) is changed afterwards.",
           .preset = "none", .choices = certifications),
    TEXT(struct params, fieldName, "The empty signature field to fill; a new one if left out.",
         .min = 1, .max = FIELD_MAX),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    const struct params *p;
    int64_t now_ms;
    struct pdf_doc doc;
    struct identity identity;
    struct sigfields fields;
    const struct sigfield *field; /* to be filled, or NULL */
    char new_name[SIGFIELDS_NAME];
    struct obj page;
    size_t page_number; /* of a new field, from 1 */
    struct place place;
    bool visible;
    char name[4 * SIGNER_MAX + 1]; /* the signer's, on one line */
    struct mark_list marks;
    struct ink image; /* the client's picture, once it was added */
    struct additions additions;
    struct update update;
};

static void job_free(struct job *job)
{
    update_end(&job->update);
    addition_free_all(&job->additions);
    mark_list_free(&job->marks);
    obj_drop(&job->page);
    sigfields_free(&job->fields);
    identity_free(&job->identity);
    pdf_doc_close(&job->doc);
}

/* Which field the signature goes into. */
static int choose_field(struct job *job, struct err *err)
{
    const char *wanted = job->p->fieldName;

    if (!wanted) {
        sigfields_new_name(&job->fields, job->new_name, sizeof job->new_name);
        return 0;
    }
    job->field = sigfields_find(&job->fields, wanted);
    if (!job->field)
        return err_field(err, ERR_INVALID_PARAMETER, "fieldName",
                         "the document has no signature field of that name");
    if (obj_is_dict(job->field->value))
        return err_field(err, ERR_INVALID_PARAMETER, "fieldName",
                         "the signature field is signed already");
    return 0;
}

static bool certifies(const struct job *job)
{
    return strcmp(job->p->certify, "none") != 0;
}

static bool is_stamped(const struct job *job)
{
    return strcmp(job->p->level, "B-T") == 0;
}

/* What the field's author wants of a signature in it. */
static int check_seed(struct job *job, struct err *err)
{
    const struct seed_signature signature = { job->p->reason, is_stamped(job), certifies(job) };
    bool certificates;

    if (!job->field)
        return 0;
    if (seed_check(job->field->field, &signature, &certificates, err) < 0)
        return -1;
    if (certificates)
        tool_warn(job->run, "certificate_wanted",
                  "the signature field wants certain certificates; whether this is one of them was "
                  "not looked at");
    return 0;
}

/* What holds with and without a seal. */
static int check_document(struct job *job, struct err *err)
{
    if (job->fields.xfa_only)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the document is a dynamic XFA form, whose pages are made again whenever it "
                       "is opened: it cannot be signed here");
    if (job->fields.signed_ == 0 || (job->marks.n == 0 && job->p->seal))
        return 0;
    if (sigfields_check_annotations(&job->fields, job->doc.q, err) < 0)
        return -1;
    tool_warn(
        job->run, "marks_annotated",
        "the document is signed already: what was put on its pages are annotations, which its "
        "signatures allow");
    return 0;
}

static int check_rules(struct job *job, struct err *err)
{
    const char *name = job->field ? job->field->name : job->new_name;
    bool certified = false;

    if (sigfields_check_locks(&job->fields, job->doc.q, name, &certified, err) < 0)
        return -1;
    if (job->fields.signed_ > 0 && certifies(job))
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "certify",
                         "the document is signed already, and only its first signature can "
                         "certify it");
    if (job->fields.xfa && !job->field)
        tool_warn(job->run, "xfa_form",
                  "the document is an XFA form too: programs that use it may not show the new "
                  "signature field");
    if (certified && !job->field && job->p->visible)
        tool_warn(job->run, "certified_document",
                  "the document is certified: some programs do not accept a new visible signature "
                  "in it; fill one of its own fields, or sign invisibly");
    return 0;
}

/* The page and place of a new field, or of the one that is to be filled. */
static int choose_place(struct job *job, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    size_t index;

    if (job->field) {
        index = place_page_of(job->field->widget, job->doc.q, job->doc.n_pages);
        if (index == job->doc.n_pages)
            return 0; /* it shows nowhere */
        job->page = obj_page(job->doc.q, index);
        job->visible =
            place_of_widget(&job->place, job->page, job->field->widget) && job->p->visible;
        return 0;
    }
    if (page_list_resolve(job->p->page, job->doc.n_pages, &list, err) < 0)
        return -1;
    if (list.n_pages != 1)
        return err_field(err, ERR_INVALID_PARAMETER, "page", "page must name one page, not %zu",
                         list.n_pages);
    index = list.items[0].pages[0];
    job->page_number = index + 1;
    job->page = obj_page(job->doc.q, index);
    job->visible = job->p->visible;
    return 0;
}

static void dates(int64_t now_ms, char pdf[static 32], char shown[static 32])
{
    time_t seconds = (time_t) (now_ms / 1000);
    struct tm tm;

    gmtime_r(&seconds, &tm);
    strftime(pdf, 32, "D:%Y%m%d%H%M%S+00'00'", &tm);
    strftime(shown, 32, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

/* Where a new field's box is. */
static int place_box(struct job *job, struct drawing *drawing, const struct appearance *appearance,
                     struct err *err)
{
    struct page_view view;
    double width, height;
    struct area_param area;

    if (job->p->box)
        return area_parse("box", job->p->box, &area, err) < 0
                   ? -1
                   : place_in_area(&job->place, job->page, &area, err);
    page_view_read(job->page, &view);
    if (appearance_measure(drawing, appearance, view.width, view.height, &width, &height, err) < 0)
        return -1;
    place_on_page(&job->place, job->page, job->p->position, width, height);
    return 0;
}

/* Whether the box shows the client's picture: where a mark does, the picture is there alone. */
static bool is_in_box(const struct job *job)
{
    for (size_t i = 0; i < job->marks.n; i++)
        if (job->marks.items[i].type == MARK_IMAGE)
            return false;
    return job->p->image != NULL;
}

/* Adds what was drawn, and over it the client's picture if there is one. *form: the number of what
 * shows both. */
static int add_drawn(struct job *job, struct pdf_doc *drawn, const struct ink *ink,
                     const struct drawing_box *picture, int *form, struct err *err)
{
    const struct place *place = &job->place;
    char box[120], keys[300];
    double m[6];

    place_matrix(place, m);
    snprintf(box, sizeof box, "/Type/XObject/Subtype/Form/FormType 1/BBox[0 0 %.3f %.3f]",
             place->width, place->height);
    snprintf(keys, sizeof keys, "%s/Matrix[%.0f %.0f %.0f %.0f %.3f %.3f]", box, m[0], m[1], m[2],
             m[3], m[4], m[5]);
    if (!is_in_box(job))
        return import_form(&job->update, drawn, keys, form, err);
    if (import_form(&job->update, drawn, box, form, err) < 0)
        return -1;
    return ink_place(ink, &job->update, *form, place->height, picture, keys, form, err);
}

/* Adds the client's picture, once. */
static int add_image(struct job *job, struct err *err)
{
    return job->image.form
               ? 0
               : ink_add(&job->image, &job->update, job->run, "image", job->p->image, err);
}

/* Draws the signature and adds the drawing. *form: its number. */
static int add_appearance(struct job *job, const char *shown_date, int *form, struct err *err)
{
    struct appearance appearance = { .name = job->p->signerName,
                                     .date = shown_date,
                                     .reason = job->p->reason,
                                     .location = job->p->location };
    AUTO_DRAWING struct drawing *drawing = drawing_new(err);
    AUTO_PDF_DOC struct pdf_doc drawn = { 0 };
    AUTO_BUF struct buf pdf = BUF_EMPTY;
    struct drawing_box picture = { 0 };

    if (!drawing)
        return -1;
    if (is_in_box(job)) {
        if (add_image(job, err) < 0)
            return -1;
        appearance.ratio = job->image.width / job->image.height;
    }
    if (!job->field && place_box(job, drawing, &appearance, err) < 0)
        return -1;
    if (appearance_draw(drawing, &appearance, job->place.width, job->place.height, &picture, err) <
            0 ||
        drawing_finish(drawing, &pdf, err) < 0 || pdf_doc_open_memory(&drawn, &pdf, NULL, err) < 0)
        return -1;
    return add_drawn(job, &drawn, &job->image, &picture, form, err);
}

/* Everything that is added, but for what is known only when it is complete. */
static int add_objects(struct job *job, struct container *container, struct err *err)
{
    char date[32], shown[32];
    size_t bytes = signer_room(&job->identity, is_stamped(job), err);
    struct widget widget = {
        .fields = &job->fields,
        .field = job->field,
        .new_name = job->new_name,
        .additions = &job->additions,
        .page = job->page,
        .name = job->name,
        .reason = job->p->reason,
        .location = job->p->location,
        .date = date,
    };

    snprintf(job->name, sizeof job->name, "%s", job->p->signerName);
    for (char *c = job->name; (c = strpbrk(c, "\n\t"));)
        *c = ' ';
    if (bytes == 0)
        return -1;
    if (certifies(job))
        widget.certify = strcmp(job->p->certify, "forms") == 0 ? 2 : 1;
    dates(job->now_ms, date, shown);
    if (job->visible) {
        if (add_appearance(job, shown, &widget.form, err) < 0)
            return -1;
        widget.place = &job->place;
    }
    if (widget_write(&widget, &job->update, bytes, container, err) < 0)
        return -1;
    return update_finish(&job->update, err);
}

/* A signature over a cut update would confirm what other programs do not show. */
static int check_update(const struct job *job, struct err *err)
{
    AUTO_BUF struct buf newest = BUF_EMPTY;
    enum update_state update;

    if (recovery_newest(job->run->inputs[0].path, job->p->inputPassword, &newest, &update, err) < 0)
        return -1;
    return update == UPDATE_WHOLE
               ? 0
               : err_set(err, ERR_CORRUPT_FILE,
                         "the document's last update is cut off: run repair first, and look at "
                         "what you are about to sign");
}

/* Signing keeps every byte, so there is nothing to be done for a damaged document here. */
static int open_signed(struct job *job, struct err *err)
{
    if (check_update(job, err) < 0)
        return -1;
    if (pdf_doc_open_as_is(&job->doc, job->run->inputs[0].path, job->p->inputPassword, err) == 0)
        return 0;
    if (err->code == ERR_CORRUPT_FILE)
        err_set(err, ERR_CORRUPT_FILE, "the document is damaged: run repair first");
    return -1;
}

/* The picture alone becomes a mark: as large as the box, or in a corner of the page. */
static int mark_image(struct job *job, struct err *err)
{
    const struct params *p = job->p;
    struct mark *mark = calloc(1, sizeof *mark);
    struct page_view view;
    struct area_param area = { 0 };

    job->marks = (struct mark_list){ mark, mark ? 1 : 0 };
    if (!mark)
        return pdf_doc_no_memory(err);
    if (choose_place(job, err) < 0 || add_image(job, err) < 0 ||
        (p->box && area_parse("box", p->box, &area, err) < 0))
        return -1;
    double ratio = job->image.width / job->image.height;
    page_view_read(job->page, &view);
    if (!p->box) {
        area.width = fmin(IMAGE_WIDTH, IMAGE_SHARE * view.width);
        area.width = fmin(area.width, IMAGE_SHARE * view.height * ratio);
        area.height = area.width / ratio;
        double x = view.width - area.width, y = view.height - area.height;
        double edge = fmax(0, fmin(IMAGE_EDGE, fmin(x, y) / 2));
        area.x = strstr(p->position, "left")    ? edge
                 : strstr(p->position, "right") ? x - edge
                                                : x / 2;
        area.y = strncmp(p->position, "top", 3) == 0      ? edge
                 : strncmp(p->position, "bottom", 6) == 0 ? y - edge
                                                          : y / 2;
    }
    mark->width = fmin(area.width, area.height * ratio);
    mark->x = area.x + (area.width - mark->width) / 2;
    mark->y = area.y + (area.height - mark->width / ratio) / 2;
    snprintf(mark->page, sizeof mark->page, "%zu", job->page_number);
    return 0;
}

static int place_marks(struct job *job, struct err *err)
{
    char date[32], shown[32];
    const struct marks marks = {
        .name = job->p->placements ? "placements" : "box",
        .list = &job->marks,
        .image = &job->image,
        .files = { job->p->image, job->p->initials },
        .annotate = job->fields.signed_ > 0,
        .date = date,
    };

    dates(job->now_ms, date, shown);
    return marks_place(&marks, &job->additions, &job->update, job->run, err);
}

/* The marks alone: the document gets no signature. */
static int put_marks(struct job *job, struct err *err)
{
    const struct tool_input *input = &job->run->inputs[0];
    AUTO_OBJ struct obj fields = obj_key(job->fields.form, "/Fields");

    if ((!job->p->placements && mark_image(job, err) < 0) || place_marks(job, err) < 0 ||
        addition_write_all(&job->additions, &job->update, fields, err) < 0 ||
        update_finish(&job->update, err) < 0 || update_check(&job->update, err) < 0)
        return -1;
    return container_append(&job->update, input->fd, job->run->output, job->run, err);
}

static int put_signature(struct job *job, struct err *err)
{
    const struct tool_input *input = &job->run->inputs[0];
    AUTO_CONTAINER_FILE struct container_file file = { .fd = -1 };
    AUTO_BUF struct buf der = BUF_EMPTY;
    struct container container;

    if (choose_field(job, err) < 0 || check_rules(job, err) < 0 || check_seed(job, err) < 0 ||
        choose_place(job, err) < 0 ||
        signer_open(&job->identity, job->run, job->p->certificate, job->p->certificatePassword,
                    job->now_ms, err) < 0)
        return -1;
    tool_progress(job->run, 0.1);
    if ((job->marks.n > 0 && place_marks(job, err) < 0) || add_objects(job, &container, err) < 0 ||
        update_check(&job->update, err) < 0)
        return -1;
    if (container_write(&container, &job->update, input->fd, job->run->output, job->run, &file,
                        err) < 0 ||
        signer_sign(&job->identity, job->run, is_stamped(job), file.digest, &der, err) < 0)
        return -1;
    return container_fill(&container, &job->update, &file, &der, err);
}

static int sign(struct job *job, struct err *err)
{
    const struct params *p = job->p;
    const struct tool_input *input = &job->run->inputs[0];

    if (p->placements && mark_list_read("placements", p->placements, &job->marks, err) < 0)
        return -1;
    if (open_signed(job, err) < 0 ||
        update_start(&job->update, &job->doc, input->fd, input->bytes, err) < 0 ||
        sigfields_read(&job->fields, job->doc.q, err) < 0 || check_document(job, err) < 0)
        return -1;
    return p->seal ? put_signature(job, err) : put_marks(job, err);
}

/* Reads the result as another program would. */
static int check_result(const struct job *job, size_t n_pages, size_t n_signed, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_SIGFIELDS struct sigfields fields = { 0 };

    if (pdf_doc_open_as_is(&doc, job->run->output, job->p->inputPassword, err) < 0 ||
        sigfields_read(&fields, doc.q, err) < 0)
        return -1;
    if (doc.repaired || doc.n_pages != n_pages || fields.signed_ != n_signed)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the document is built in a way that cannot be added to: run repair first");
    return 0;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    __attribute__((
        cleanup(job_free))) struct job job = { .run = run, .p = values, .now_ms = clock_wall_ms() };
    size_t n_pages, n_signed;

    if (sign(&job, err) < 0)
        return -1;
    n_pages = job.doc.n_pages;
    n_signed = job.fields.signed_ + (job.p->seal ? 1 : 0);
    job_free(&job);
    if (check_result(&job, n_pages, n_signed, err) < 0)
        return -1;
    return tool_done(run, n_pages, err);
}

const struct tool tool_sign = {
    .name = "sign",
    .summary = "Signs a PDF (PAdES), or puts signatures, texts and ticks on its pages.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_sign,
    .run = run,
    .asks = true,
    .stamped = { "level", "B-T" },
    .threads = true,
};
