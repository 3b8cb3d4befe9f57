/* transcribe: writes the pages of a document that are pictures of text as pages that have the text,
 * ruling lines and pictures, for the tools that read pages (sandbox/worker/scan_run.h). The result
 * is read by programs and not seen by people: its letters are blank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/page_numbers.h"
#include "declare/value/language_list.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/layer_choice.h"
#include "engine/ocr/letters.h"
#include "engine/ocr/page_choice.h"
#include "engine/ocr/page_processes.h"
#include "engine/ocr/reading_report.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/object/obj.h"
#include "pdf/text_layer/doubt.h"
#include "pdf/text_layer/redraw.h"
#include "pdf/text_layer/text_layer.h"

#define PAGE_SECONDS 60
#define NOTES        500   /* limit of a page's notes */
#define BINS         1000  /* of font sizes, */
#define BIN          0.25  /* points each */
#define WEIGHTS      200   /* steps of the weight of fonts */
#define FEW_LETTERS  6     /* say nothing about the font */
#define CONTRAST     1.245 /* least ratio of the thickness of strokes in serif fonts */
#define BOLD         1.27  /* least weight of bold fonts, in parts of the usual one */
#define SAME         0.10  /* by which part sizes of one font differ when they are measured */

struct params {
    const char *ocr;
    const char *language;
    const char *uncertain;
    const char *pages;
    const char *inputPassword;
};

static const char *const modes[] = { "auto", "force", "off", NULL };
static const char *const uncertains[] = { "keep", "comment", NULL };

static const struct param params[] = {
    CHOICE(struct params, ocr, "auto: pages without text; force: all pages.", .preset = "auto",
           .choices = modes),
    LANGUAGES(struct params, language, "The languages of the text.", .preset = "auto",
              .choices = languages_installed),
    CHOICE(struct params, uncertain, "comment: notes on words that may be wrong.", .preset = "keep",
           .choices = uncertains),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    const struct params *p;
    struct pdf_doc doc;
    struct mupdf_document drawn;
    struct page_result *pages;
    size_t n;
};

static bool is_read(const struct page_result *page)
{
    return page->outcome == PAGE_READ && page->text.n_words > 0;
}

/* Names the pages of whose pictures something is neither text nor a picture in the result. */
static void warn_of_left(const struct job *job)
{
    AUTO_BUF struct buf list = BUF_EMPTY;

    for (size_t i = 0; i < job->n; i++)
        if (is_read(&job->pages[i]) && job->pages[i].shapes && job->pages[i].shapes->n_left > 0)
            buf_printf(&list, "%s%zu", list.len ? "," : "", i + 1);
    if (list.len)
        tool_warn(job->run, "scan_parts_left",
                  "drawings or backgrounds of scanned pages are not in the result: pages %s",
                  PAGE_NUMBERS(buf_text(&list), 121));
}

static void report_pages(const struct job *job)
{
    reading_report_search(job->run, job->pages, job->n);
    warn_of_left(job);
}

static int open_documents(struct job *job, struct err *err)
{
    const struct tool_input *input = &job->run->inputs[0];

    if (pdf_doc_open(&job->doc, input->path, job->p->inputPassword, job->run, err) < 0 ||
        mupdf_document_open(&job->drawn, input->path, job->p->inputPassword, job->run, err) < 0)
        return -1;
    job->n = job->drawn.n_pages;
    job->pages = calloc(job->n, sizeof *job->pages);
    return job->pages ? 0 : pdf_doc_no_memory(err);
}

/* Whether notes on doubtful words are wanted. */
static bool wants_notes(const struct job *job)
{
    return strcmp(job->p->uncertain, "comment") == 0;
}

static int recognise(struct job *job, struct err *err)
{
    bool automatic = strcmp(job->p->language, LANGUAGE_LIST_AUTO) == 0;
    bool forced = strcmp(job->p->ocr, "force") == 0;
    struct page_choice choice = { .pages = job->p->pages, .faults = !forced };
    struct page_processes work = { .run = job->run,
                                   .doc = &job->drawn,
                                   .path = job->run->inputs[0].path,
                                   .password = job->p->inputPassword,
                                   .languages = automatic ? NULL : job->p->language,
                                   .page_seconds = PAGE_SECONDS,
                                   .upright = true,
                                   .level = true,
                                   .shapes = true,
                                   .crops = wants_notes(job) };

    if (page_choice_make(&choice, &job->drawn, job->pages, err) < 0)
        return -1;
    for (size_t i = 0; i < job->n; i++)
        if ((forced || job->pages[i].fault != LAYER_FITS) && job->pages[i].outcome == PAGE_HAS_TEXT)
            job->pages[i].outcome = PAGE_WANTED;
    if (page_processes_run(&work, job->pages, job->n, err) < 0)
        return -1;
    return layer_choice_make(&job->drawn, job->pages, job->n, err);
}

static size_t bin_of(double size)
{
    return isfinite(size) && size > 0 ? (size_t) fmin(size / BIN, BINS - 1) : 0;
}

/* The characters of each size. */
static void count_sizes(const struct job *job, double weights[static BINS])
{
    for (size_t i = 0; i < job->n; i++) {
        const struct layer_page *page = &job->pages[i].text;

        for (uint32_t k = 0; is_read(&job->pages[i]) && k < page->n_lines; k++)
            for (uint32_t w = 0; w < page->lines[k].n; w++)
                weights[bin_of((double) page->lines[k].ascent / LETTERS_ASCENT)] +=
                    page->words[page->lines[k].word + w].n;
    }
}

/* Chooses the size that most characters have that have none yet, within what measuring blurs. */
static bool choose_size(const double weights[static BINS], double chosen[static BINS])
{
    double most = 0, sum = 0, middle = 0;

    for (size_t i = 0; i < BINS; i++) {
        double weight = 0;

        for (size_t k = (size_t) ceil((double) i * (1 - SAME / 2));
             k < BINS && (double) k <= (double) i * (1 + SAME / 2); k++)
            weight += chosen[k] > 0 ? 0 : weights[k];
        if (weight <= most)
            continue;
        most = weight;
        middle = (double) i;
    }
    if (most <= 0)
        return false;
    for (size_t i = 0; i < BINS; i++)
        if (chosen[i] <= 0 && fabs((double) i - middle) <= middle * SAME / 2)
            sum += weights[i] * ((double) i + 0.5) * BIN;
    for (size_t i = 0; i < BINS; i++)
        if (chosen[i] <= 0 && fabs((double) i - middle) <= fmax(middle * SAME, 1))
            chosen[i] = fmax(round(2 * sum / most) / 2, 1);
    return true;
}

/* Lines of one font, whose sizes were measured one by one, get one size. */
static void settle_sizes(struct job *job)
{
    double weights[BINS] = { 0 }, chosen[BINS] = { 0 };

    count_sizes(job, weights);
    weights[0] = 0;
    while (choose_size(weights, chosen))
        ;
    for (size_t i = 0; i < job->n; i++) {
        struct layer_page *page = &job->pages[i].text;

        for (uint32_t k = 0; is_read(&job->pages[i]) && k < page->n_lines; k++) {
            double size = chosen[bin_of((double) page->lines[k].ascent / LETTERS_ASCENT)];

            if (size > 0)
                page->lines[k].ascent = (float) (size * LETTERS_ASCENT);
        }
    }
}

/* Fonts as readers know them by their names. */
enum { FACE_BOLD = 1, FACE_SANS = 2, FACES = 4 };
static const char *const faces[FACES] = { "/PlatenScanSerif", "/PlatenScanSerif-Bold",
                                          "/PlatenScanSans", "/PlatenScanSans-Bold" };

/* What the strokes of a line are like. */
struct look {
    double stem, bar; /* points; 0: not known */
    size_t letters;
};

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char) c >= 0x80;
}

static struct look look_of(const struct layer_page *page, const struct layer_line *line)
{
    struct look look = { 0 };
    double weight = 0;

    for (uint32_t i = 0; i < line->n; i++) {
        const struct layer_word *word = &page->words[line->word + i];

        for (uint32_t k = 0; k < word->n; k++)
            look.letters += is_letter(page->text[word->text + k]);
        if (!(word->stem > 0) || !(word->bar > 0) || word->n < 2)
            continue;
        look.stem += (double) word->stem * word->n;
        look.bar += (double) word->bar * word->n;
        weight += word->n;
    }
    if (weight > 0) {
        look.stem /= weight;
        look.bar /= weight;
    }
    return look;
}

/* How thick the upright strokes of a line are in parts of its font size; 0: not known. */
static double weight_of(const struct layer_page *page, const struct layer_line *line)
{
    double size = (double) line->ascent / LETTERS_ASCENT;

    return size > 0 ? look_of(page, line).stem / size : 0;
}

/* The weight that half of the document's characters have at most, or 0. */
static double usual_weight(const struct job *job)
{
    double characters[WEIGHTS] = { 0 }, all = 0, sum = 0;

    for (size_t i = 0; i < job->n; i++) {
        const struct layer_page *page = &job->pages[i].text;

        for (uint32_t k = 0; is_read(&job->pages[i]) && k < page->n_lines; k++) {
            double weight = weight_of(page, &page->lines[k]);
            double n = (double) look_of(page, &page->lines[k]).letters;

            if (!(weight > 0) || weight >= 1)
                continue;
            characters[(size_t) (weight * WEIGHTS)] += n;
            all += n;
        }
    }
    for (size_t i = 0; i < WEIGHTS; i++) {
        sum += characters[i];
        if (sum > all / 2)
            return ((double) i + 0.5) / WEIGHTS;
    }
    return 0;
}

/* The font of a line: strokes of serif fonts differ in thickness by their direction, and bold ones
 * are thick for their size. A line that is too short to tell is like the one before. */
static int face_of(const struct layer_page *page, const struct layer_line *line, double usual,
                   int before)
{
    struct look look = look_of(page, line);
    int face = before & FACE_SANS;

    if (look.letters >= FEW_LETTERS && look.stem > 0)
        face = look.stem < CONTRAST * look.bar ? FACE_SANS : 0;
    if (usual > 0 && weight_of(page, line) > BOLD * usual)
        face |= FACE_BOLD;
    return face;
}

/* Writes the lines of one font. */
static int write_face(struct text_layer *layer, struct obj page, const struct layer_page *text,
                      const int *face_of_lines, int face, struct err *err)
{
    AUTO_FREE struct layer_line *lines = calloc(text->n_lines + 1, sizeof *lines);
    struct layer_page own = *text;

    if (!lines)
        return pdf_doc_no_memory(err);
    own.lines = lines;
    own.n_lines = 0;
    for (uint32_t i = 0; i < text->n_lines; i++)
        if (face_of_lines[i] == face)
            lines[own.n_lines++] = text->lines[i];
    return own.n_lines ? text_layer_add(layer, page, &own, err) : 0;
}

/* A dot before a line, which Tesseract takes for a letter: it does not stand on the baseline. */
static bool is_bullet(const struct layer_page *page, const struct layer_line *line)
{
    const struct layer_word *word = &page->words[line->word];
    float size = line->ascent / (float) LETTERS_ASCENT, width, height;
    size_t end, at;

    if (line->n < 2 || line->direction != LAYER_RIGHTWARDS)
        return false;
    width = word->right - word->left;
    height = word->top - word->bottom;
    end = (size_t) word->text + word->n;
    at = word->text;
    utf8_next(page->text, end, &at);
    return at == end && word->bottom > word->y0 + 0.06F * size && height < 0.5F * size &&
           width < 1.4F * height && height < 1.4F * width &&
           word[1].left - word->right > 0.2F * size;
}

/* Writes dots before lines as such, at the end of a copy of the text. */
static void mark_bullets(struct layer_page *page, char *text)
{
    static const char bullet[] = "\xe2\x80\xa2";

    memcpy(text, page->text, page->n_text);
    page->text = text;
    for (uint32_t i = 0; i < page->n_lines; i++) {
        struct layer_word *word = &page->words[page->lines[i].word];

        if (!is_bullet(page, &page->lines[i]))
            continue;
        memcpy(text + page->n_text, bullet, 3);
        word->text = page->n_text;
        word->n = 3;
        page->n_text += 3;
    }
}

/* Notes on the words of a page that may be wrong: what was read, how sure that is, and what is to
 * be seen there. */
static int write_notes(struct obj page, const struct page_result *result, struct err *err)
{
    const struct layer_page *text = &result->text;
    const struct word_crop *crop = result->crops ? result->crops->crops : NULL;
    const struct word_crop *end = crop ? crop + result->crops->n : NULL;
    uint32_t notes = 0;

    for (uint32_t i = 0; i < text->n_words && notes < NOTES; i++) {
        const struct layer_word *word = &text->words[i];
        struct doubt doubt = { .box = { word->left, word->bottom, word->right, word->top } };
        AUTO_BUF struct buf said = BUF_EMPTY;

        if (!word_crops_wants(word))
            continue;
        notes++;
        buf_printf(&said, "%.*s (%d %%)", (int) word->n, text->text + word->text, word->confidence);
        if (said.failed)
            return pdf_doc_no_memory(err);
        doubt.text = buf_text(&said);
        if (crop < end && crop->word == i) {
            doubt.pixels = result->crops->pixels + crop->at;
            doubt.width = crop->width;
            doubt.height = crop->height;
            crop++;
        }
        doubt_add(page, &doubt);
    }
    return 0;
}

static int write_page(struct job *job, struct text_layer *const *layers, size_t i, struct err *err)
{
    struct page_result *result = &job->pages[i];
    const struct page_shapes *shapes = result->shapes;
    const struct redraw what = { .rules = shapes ? shapes->rules : NULL,
                                 .pictures = shapes ? shapes->pictures : NULL,
                                 .n_rules = shapes ? shapes->n_rules : 0,
                                 .n_pictures = shapes ? shapes->n_pictures : 0,
                                 .turned = result->turned / 90 % 4 * 90 };
    AUTO_OBJ struct obj page = obj_page(job->doc.q, i);
    AUTO_FREE int *chosen = calloc(result->text.n_lines + 1, sizeof *chosen);
    AUTO_FREE char *text = malloc((size_t) result->text.n_text + 3 * result->text.n_lines + 1);
    double usual = usual_weight(job);
    char language[LANGUAGE_LIST_CODE];
    int last = 0;

    if (!chosen || !text)
        return pdf_doc_no_memory(err);
    language_list_tag(result->language, language);
    result->text.language = *language ? language : NULL;
    mark_bullets(&result->text, text);
    for (uint32_t k = 0; k < result->text.n_lines; k++)
        last = chosen[k] = face_of(&result->text, &result->text.lines[k], usual, last);
    if (redraw_page(page, &what, err) < 0)
        return -1;
    for (int face = 0; face < FACES; face++)
        if (write_face(layers[face], page, &result->text, chosen, face, err) < 0)
            return -1;
    return wants_notes(job) ? write_notes(page, result, err) : 0;
}

static int write_in(struct job *job, struct text_layer **layers, struct err *err)
{
    for (int face = 0; face < FACES; face++) {
        layers[face] = text_layer_new_shown(job->doc.q, faces[face], err);
        if (!layers[face])
            return -1;
    }
    for (size_t i = 0; i < job->n && i < job->doc.n_pages; i++)
        if (is_read(&job->pages[i]) && write_page(job, layers, i, err) < 0)
            return -1;
    for (int face = 0; face < FACES; face++)
        if (text_layer_finish(layers[face], err) < 0)
            return -1;
    return pdf_doc_save(&job->doc, job->run->output, NULL, err);
}

static int write_pages(struct job *job, struct err *err)
{
    struct text_layer *layers[FACES] = { 0 };
    int done;

    unsign_document(&job->doc);
    done = write_in(job, layers, err);
    for (int face = 0; face < FACES; face++)
        text_layer_free(&layers[face]);
    return done;
}

static void close_job(struct job *job)
{
    for (size_t i = 0; job->pages && i < job->n; i++)
        page_result_free(&job->pages[i]);
    free(job->pages);
    mupdf_document_close(&job->drawn);
    pdf_doc_close(&job->doc);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    __attribute__((cleanup(close_job))) struct job job = { .run = run, .p = values };

    if (open_documents(&job, err) < 0 || recognise(&job, err) < 0)
        return -1;
    report_pages(&job);
    settle_sizes(&job);
    if (write_pages(&job, err) < 0)
        return -1;
    return tool_done(run, job.doc.n_pages, err);
}

const struct tool tool_transcribe = {
    .name = "transcribe",
    .summary = "Writes scanned pages as pages of text, for the tools that read pages.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .hidden = true,
    .processes = true,
};
