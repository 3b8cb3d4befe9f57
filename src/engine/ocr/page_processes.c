#include "engine/ocr/page_processes.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/mupdf/engine.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/missed_text.h"
#include "engine/ocr/page_reading.h"
#include "engine/page_image/page_drawing.h"

#define PROCESSES 64 /* limit of those at a time */
#define LINES     8000
#define WORDS     20000
#define TEXT      400000

#define HINT_PAGES  100                   /* pages before one in which its language is looked up */
#define PAGE_PIXELS (100LL * 1000 * 1000) /* limit of a page's picture */
#define DPI_LEAST   40                    /* a page that needs less for that limit is left out */

/* exit status of a page's process */
enum { EXIT_READ, EXIT_FAILED, EXIT_TOO_LARGE, EXIT_TOO_SLOW };

/* Memory that a page's process shares with its parent. */
struct desk {
    struct recognition out;
    struct page_layers_head layers;
    struct word_crops crops;
    struct layer_line lines[LINES];
    struct layer_word words[WORDS];
    char text[TEXT];
};

struct slot {
    struct desk *desk;
    int layers; /* the file for the layers of a page; -1: none are made */
    pid_t pid;  /* 0: none */
    size_t page;
};

static pid_t parent;

/* Whether the job has ended. */
static bool is_orphan(void)
{
    return getppid() != parent;
}

static void prepare_desk(struct desk *desk)
{
    desk->layers = (struct page_layers_head){ 0 };
    desk->crops.n = desk->crops.n_pixels = 0;
    desk->out = (struct recognition){
        .page = { .lines = desk->lines, .words = desk->words, .text = desk->text },
        .max_lines = LINES,
        .max_words = WORDS,
        .max_text = TEXT,
    };
}

/* Ends the process with SIGPROF after that processor time, and leaves crashes to the kernel. */
static void set_limits(int seconds)
{
    static const int numbers[] = { SIGABRT, SIGSEGV, SIGBUS, SIGTRAP, SIGILL, SIGFPE, SIGPROF };
    const struct itimerval time = { .it_value.tv_sec = seconds };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_DFL);
    setitimer(ITIMER_PROF, &time, NULL);
}

/* A page lasts for seconds and needs its most memory for moments: what was freed is returned. */
static void set_heap(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
    mallopt(M_TOP_PAD, 64 << 10);
}

/* A page that is drawn. */
struct drawn {
    const struct page_processes *job;
    const struct page_result *page;
    size_t number;
};

/* Draws the page in gray, at less than the wanted resolution if it would be too large. */
static int draw_open(struct mupdf_document *doc, const struct drawn *drawn, struct scan *scan,
                     struct err *err)
{
    struct page_drawing_options options = { .dpi = drawn->page->dpi,
                                            .kind = PIXMAP_GRAY,
                                            .max_pixels = PAGE_PIXELS,
                                            .max_side = RECOGNIZER_SIDE };
    struct page_drawing drawing;
    uint8_t *pixels;

    while (page_drawing_open(&drawing, doc, drawn->number, &options, err) < 0) {
        if (err->code != ERR_LIMIT_EXCEEDED || options.dpi * 0.75 < DPI_LEAST)
            return -1;
        options.dpi *= 0.75;
    }
    drawing.without_text = drawn->page->without_text;
    pixels = malloc((size_t) drawing.width * (size_t) drawing.height);
    if (!pixels)
        return engine_no_memory(err);
    if (page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, pixels, NULL, err) < 0)
        return -1;
    scan->pixels = pixels;
    scan->width = drawing.width;
    scan->height = drawing.height;
    scan->dpi = options.dpi;
    page_drawing_close(&drawing, doc);
    return 0;
}

/* The document is closed afterwards: it has the page's picture, too. */
static int draw(struct scan *scan, void *arg, struct err *err)
{
    const struct drawn *drawn = arg;
    const struct page_processes *job = drawn->job;
    struct mupdf_document doc;
    int done;

    if (mupdf_document_open_again(&doc, job->doc->ctx, job->doc, job->path, job->password, err) < 0)
        return -1;
    done = draw_open(&doc, drawn, scan, err);
    mupdf_document_close(&doc);
    return done;
}

/* What fails leaves the page with its picture as it is. */
static void split_picture(const struct page_processes *job, size_t number, double dpi,
                          const struct slot *slot)
{
    const struct layers_options options = { .dpi = dpi, .clean = job->clean };
    struct mupdf_document doc;
    struct err ignored;

    slot->desk->layers.state = PAGE_LAYERS_FAILED;
    if (mupdf_document_open_again(&doc, job->doc->ctx, job->doc, job->path, job->password,
                                  &ignored) == 0)
        page_layers_make(&doc, number, &options, slot->layers, &slot->desk->layers);
}

static _Noreturn void recognise(const struct page_processes *job, const struct page_result *page,
                                size_t number, const char *hint, const struct slot *slot)
{
    const struct page_reading reading = { .languages = job->languages,
                                          .hint = hint,
                                          .stop = is_orphan };
    struct drawn drawn = { job, page, number };
    struct scan scan = { .draw = draw,
                         .arg = &drawn,
                         .upright = job->upright,
                         .level = job->level && !page->not_level,
                         .shapes = job->shapes };
    struct desk *desk = slot->desk;
    struct missed_text missed;
    struct err err;

    set_limits(job->page_seconds);
    set_heap();
    if (draw(&scan, &drawn, &err) < 0)
        _exit(err.code == ERR_LIMIT_EXCEEDED ? EXIT_TOO_LARGE : EXIT_FAILED);
    missed_text_prepare(&scan, &missed);
    if (page_reading_read(&scan, &reading, &desk->out, &err) < 0)
        _exit(err.code == ERR_LIMIT_EXCEEDED ? EXIT_TOO_LARGE : EXIT_FAILED);
    missed_text_find(&missed, &scan, &desk->out);
    if (job->crops)
        word_crops_cut(&scan, &desk->out, &desk->crops);
    if (page->splits)
        split_picture(job, number, scan.dpi, slot);
    _exit(EXIT_READ);
}

/* Whether what the process left is sound: it parsed a picture of the client's. */
static bool is_in_bounds(const struct recognition *out)
{
    const struct layer_page *page = &out->page;

    if (out->shapes.n_rules > SHAPES_RULES || out->shapes.n_pictures > SHAPES_PICTURES ||
        page->n_lines > LINES || page->n_words > WORDS || page->n_text > TEXT)
        return false;
    for (uint32_t i = 0; i < page->n_lines; i++)
        if (page->lines[i].n > page->n_words ||
            page->lines[i].word > page->n_words - page->lines[i].n)
            return false;
    for (uint32_t i = 0; i < page->n_words; i++)
        if (page->words[i].n > page->n_text ||
            page->words[i].text > page->n_text - page->words[i].n)
            return false;
    return true;
}

/* Copies a name that may lack its NUL. */
static void copy_name(const char *from, char *to, size_t size)
{
    snprintf(to, size, "%.*s", (int) size - 1, from);
}

/* Keeps lines and pictures, if there are any. */
static int keep_shapes(const struct page_shapes *found, struct page_result *page, struct err *err)
{
    if (found->n_rules == 0 && found->n_pictures == 0)
        return 0;
    page->shapes = malloc(sizeof *page->shapes);
    if (!page->shapes)
        return engine_no_memory(err);
    *page->shapes = *found;
    return 0;
}

/* Keeps the pictures of words, if there are any. */
static int keep_crops(const struct word_crops *found, struct page_result *page, struct err *err)
{
    size_t bytes = offsetof(struct word_crops, pixels) + found->n_pixels;

    if (found->n == 0)
        return 0;
    page->crops = malloc(bytes);
    if (!page->crops)
        return engine_no_memory(err);
    memcpy(page->crops, found, bytes);
    return 0;
}

static int keep(struct desk *desk, struct page_result *page, struct err *err)
{
    struct layer_page *found = &desk->out.page;
    size_t lines, words;
    char *memory;

    found->lines = desk->lines;
    found->words = desk->words;
    found->text = desk->text;
    if (!is_in_bounds(&desk->out) || !word_crops_are_sound(&desk->crops, found->n_words)) {
        page->outcome = PAGE_FAILED;
        return 0;
    }
    lines = found->n_lines * sizeof *found->lines;
    words = found->n_words * sizeof *found->words;
    memory = malloc(lines + words + found->n_text + 1);
    if (!memory)
        return engine_no_memory(err);
    memcpy(memory, found->lines, lines);
    memcpy(memory + lines, found->words, words);
    memcpy(memory + lines + words, found->text, found->n_text);
    page->text = *found;
    page->text.lines = (struct layer_line *) (void *) memory;
    page->text.words = (struct layer_word *) (void *) (memory + lines);
    page->text.text = memory + lines + words;
    copy_name(desk->out.language, page->language, sizeof page->language);
    copy_name(desk->out.wanted, page->wanted, sizeof page->wanted);
    copy_name(desk->out.script, page->script, sizeof page->script);
    page->confidence = desk->out.confidence;
    page->turned = desk->out.turned;
    page->skew = desk->out.skew;
    page->full = desk->out.full;
    page->n_missed = desk->out.n_missed;
    memcpy(page->missed, desk->out.missed, sizeof page->missed);
    page->outcome = PAGE_READ;
    if (keep_crops(&desk->crops, page, err) < 0)
        return -1;
    return keep_shapes(&desk->out.shapes, page, err);
}

static int end_page(struct slot *slot, int status, struct page_result *page, struct err *err)
{
    slot->pid = 0;
    if (page->splits)
        page->layered = page_layers_read(slot->layers, &slot->desk->layers, &page->layers);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_READ)
        return keep(slot->desk, page, err);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TOO_LARGE)
        page->outcome = PAGE_TOO_LARGE;
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        page->outcome = PAGE_TOO_SLOW;
    else
        page->outcome = PAGE_FAILED;
    return 0;
}

/* The language of the last page before this one that was read. */
static const char *hint_for(const struct page_result *pages, size_t number)
{
    for (size_t i = number; i > 0 && number - i < HINT_PAGES; i--)
        if (pages[i - 1].outcome == PAGE_READ && pages[i - 1].text.n_words > 0)
            return pages[i - 1].language;
    return NULL;
}

static int start_page(const struct page_processes *job, const struct page_result *pages,
                      size_t number, struct slot *slot, struct err *err)
{
    const struct page_reading reading = { .languages = job->languages,
                                          .hint = hint_for(pages, number) };
    const char *first = page_reading_first(&reading);
    pid_t pid;

    /* The processes share its data, and none of them has to load it. A language that was found is a
     * word of a process that is not trusted. */
    if (job->languages || languages_has(first))
        recognizer_load(first);
    prepare_desk(slot->desk);
    pid = fork();
    if (pid == 0)
        recognise(job, &pages[number], number, reading.hint, slot);
    if (pid < 0)
        return err_sys(err, "fork");
    slot->pid = pid;
    slot->page = number;
    return 0;
}

/* Waits for a process and takes what it made. */
static int await(struct slot *slots, size_t n, struct page_result *pages, struct err *err)
{
    int status;
    pid_t pid;

    do
        pid = wait4(-1, &status, 0, NULL);
    while (pid < 0 && errno == EINTR);
    if (pid < 0)
        return err_sys(err, "wait4");
    for (size_t i = 0; i < n; i++)
        if (slots[i].pid == pid)
            return end_page(&slots[i], status, &pages[slots[i].page], err);
    return 0;
}

static struct slot *free_slot(struct slot *slots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (slots[i].pid == 0)
            return &slots[i];
    return NULL;
}

static bool any_left(const struct slot *slots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (slots[i].pid != 0)
            return true;
    return false;
}

static int run_all(const struct page_processes *job, struct page_result *pages, size_t n,
                   struct slot *slots, size_t n_slots, struct err *err)
{
    size_t next = 0, wanted = 0, done = 0;

    for (size_t i = 0; i < n; i++)
        wanted += pages[i].outcome == PAGE_WANTED;
    for (;;) {
        struct slot *slot = free_slot(slots, n_slots);

        while (next < n && pages[next].outcome != PAGE_WANTED)
            next++;
        if (slot && next < n) {
            if (start_page(job, pages, next, slot, err) < 0)
                return -1;
            next++;
            continue;
        }
        if (!any_left(slots, n_slots))
            return 0;
        if (await(slots, n_slots, pages, err) < 0)
            return -1;
        tool_progress(job->run, 0.95 * (double) ++done / (double) wanted);
    }
}

int page_processes_run(const struct page_processes *job, struct page_result *pages, size_t n,
                       struct err *err)
{
    size_t n_slots = job->run->cores < 1           ? 1
                     : job->run->cores > PROCESSES ? PROCESSES
                                                   : (size_t) job->run->cores;
    struct slot slots[PROCESSES] = { 0 };
    struct desk *desks = mmap(NULL, n_slots * sizeof *desks, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int done;

    if (desks == MAP_FAILED)
        return engine_no_memory(err);
    for (size_t i = 0; i < n_slots; i++) {
        slots[i].desk = &desks[i];
        slots[i].layers = memfd_create("layers", MFD_CLOEXEC);
    }
    parent = getpid();
    done = run_all(job, pages, n, slots, n_slots, err);
    for (size_t i = 0; i < n_slots; i++)
        if (slots[i].layers >= 0)
            close(slots[i].layers);
    munmap(desks, n_slots * sizeof *desks);
    return done;
}

void page_result_free(struct page_result *page)
{
    free(page->text.lines);
    free(page->shapes);
    free(page->crops);
    layers_free(&page->layers);
    page->shapes = NULL;
    page->crops = NULL;
    page->text = (struct layer_page){ 0 };
}
