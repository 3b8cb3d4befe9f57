#include "engine/office/convert.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/text.h"
#include "engine/office/claims.h"
#include "engine/office/extent.h"
#include "engine/office/flat.h"
#include "engine/office/fonts.h"
#include "engine/office/mention.h"
#include "engine/office/plain.h"
#include "engine/office/publish.h"
#include "engine/office/sniff.h"
#include "engine/office_binary/formulas.h"
#include "engine/office_binary/locked.h"
#include "engine/office_binary/package.h"
#include "engine/office_parts/chunks.h"
#include "engine/office_parts/columns.h"
#include "engine/office_parts/fields.h"
#include "engine/office_parts/linked.h"
#include "engine/office_parts/values.h"

#define PATH_BYTES  300
#define NAME_BYTES  100
#define SHEETS      1000
#define TWIPS       1440.0    /* to the inch */
#define PAGES_MOST  3000000.0 /* of a sheet whose used cells would be printed on letter paper */
#define PAGE_CELLS  450.0     /* as wide and high as they are at first */
#define PAGE_WIDTH  (7.0 * TWIPS)
#define PAGE_HEIGHT (9.0 * TWIPS)

const char *const convert_pdfa[] = { "none", "1b", "2b", "3b", NULL };

/* LibreOffice works with files, threads and pipes. */
static const int calls[] = {
    SYS_pipe2,          SYS_eventfd2,
    SYS_rename,         SYS_unlink,
    SYS_mkdir,          SYS_rmdir,
    SYS_chmod,          SYS_fchmod,
    SYS_mlock,          SYS_munlock,
    SYS_getpriority,    SYS_timerfd_create,
    SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_membarrier,     SYS_flock,
    SYS_utimensat,
};
static const char *const folders[] = {
    "/usr/share",
    "/etc/libreoffice",
    "/var/spool/libreoffice",
    "/etc/localtime",
    "/var/lib/libreoffice",
    "/dev/urandom",
    "/dev/null",
    NULL,
};
const struct sandbox_needs convert_needs = {
    .calls = calls,
    .n_calls = COUNT(calls),
    .folders = folders,
    .n_files = 256,
    .libraries = true,
};

struct conversion {
    struct tool_run *run;
    const struct convert_options *options;
    struct tool_input source; /* the document; one that was encrypted as it is without that */
    struct sniff sniff;
    struct kit_doc *doc;
    char input[PATH_BYTES], pdf[PATH_BYTES], opened[PATH_BYTES];
    char flat[PATH_BYTES]; /* the document as flat ODF, "": not written yet */
    char *names[SHEETS];
    bool hidden[SHEETS]; /* the sheet */
    size_t n_names;
};

static int use_decrypted(struct conversion *c, const char *path, struct err *err)
{
    struct stat st;

    snprintf(c->opened, sizeof c->opened, "%s", path);
    c->source.fd = open(path, O_RDONLY | O_CLOEXEC); /* closed with the job's process */
    if (c->source.fd < 0 || fstat(c->source.fd, &st) < 0)
        return err_sys(err, "the decrypted document");
    c->source.path = c->opened;
    c->source.bytes = st.st_size;
    return 0;
}

/* What an encrypted OOXML document is, and what LibreOffice would leave out of it, is known as of
 * others once it is decrypted. */
static int classify(struct conversion *c, enum kit_type want, struct err *err)
{
    char opened[PATH_BYTES];
    int done;

    if (sniff_classify(&c->source, want, &c->sniff, err) < 0)
        return -1;
    if (c->sniff.form != SNIFF_OLE || !c->sniff.encrypted)
        return 0;
    snprintf(opened, sizeof opened, "%s/opened", c->run->folder);
    done = package_decrypt(c->source.fd, (size_t) c->source.bytes, c->options->inputPassword,
                           opened, err);
    if (done <= 0)
        return done;
    if (use_decrypted(c, opened, err) < 0 || sniff_classify(&c->source, want, &c->sniff, err) < 0)
        return -1;
    if (c->sniff.form != SNIFF_OOXML)
        return err_set(err, ERR_UNSUPPORTED_FILE_TYPE,
                       "what is encrypted in the file is not a docx, xlsx or pptx document");
    return 0;
}

static void warn_of_encoding(struct tool_run *run, const struct encoding_found *found)
{
    if (found->guessed)
        tool_warn(run, "encoding_guessed",
                  "the file does not say its character encoding, and was read as %s: the "
                  "parameter encoding names another",
                  found->name);
    if (found->n_wrong)
        tool_warn(run, "unreadable_text",
                  "bytes of the file that are not characters of %s are shown as U+FFFD: %zu, the "
                  "first in line %zu",
                  found->name, found->n_wrong, found->first_wrong);
}

/* A path of its own for LibreOffice, with the extension it expects. A document may show its own
 * name (FILENAME in Word, &F in Excel): so this is the client's, cleaned, in a folder of its own.
 */
static int lay_ready(struct conversion *c, struct err *err)
{
    const struct tool_input *input = &c->source;
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int to = -1;
    struct encoding_found found;
    char name[NAME_BYTES + 1];

    text_file_name(input->name, strlen(input->name), name, NAME_BYTES);
    text_cut_extension(name);
    snprintf(c->input, sizeof c->input, "%s/input", c->run->folder);
    if (mkdir(c->input, 0700) < 0)
        return err_sys(err, "the job's folder");
    snprintf(c->input, sizeof c->input, "%s/input/%s.%s", c->run->folder, *name ? name : "document",
             c->sniff.extension);
    snprintf(c->pdf, sizeof c->pdf, "%s/output.pdf", c->run->folder);
    if (c->sniff.form == SNIFF_PLAIN) {
        if (plain_read(input->fd, c->options->encoding, &text, &found, err) < 0)
            return -1;
        warn_of_encoding(c->run, &found);
        c->sniff.has_text = text.len && strspn(text.data, " \t\r\n\f") < text.len;
        return c->sniff.type == KIT_SHEET ? csv_write_sheet(&text, c->input, err)
                                          : plain_write_text(&text, c->input, err);
    }
    to = open(c->input, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0)
        return err_sys(err, "the job's folder");
    return fdio_copy(input->fd, 0, input->bytes, to, err);
}

/* The input is replaced by what was made of it. `done`: whether anything was. */
static int replace_input(struct conversion *c, const char *by, int done, struct err *err)
{
    if (done > 0 && rename(by, c->input) < 0)
        return err_sys(err, "the job's folder");
    return done < 0 ? -1 : 0;
}

static int drop_values(struct conversion *c, const char *to, struct err *err)
{
    struct values values = { 0 };

    if (replace_input(c, to, values_drop(c->input, to, &values, err), err) < 0)
        return -1;
    if (values.n_unknown)
        tool_warn(c->run, "formulas_not_computed",
                  "the workbook asks to be calculated, but LibreOffice cannot compute %zu formulas "
                  "(%s): their stored results are shown, or #NAME? where those are 0",
                  values.n_unknown, *values.unknown == '[' ? "another workbook" : values.unknown);
    return 0;
}

/* Changes a workbook before LibreOffice reads it: sheets that it would print for hours lose what
 * makes it so, and results that are not computed yet are dropped. */
static int prepare_workbook(struct conversion *c, struct err *err)
{
    char changed[PATH_BYTES];

    if (c->sniff.type != KIT_SHEET || c->sniff.form != SNIFF_OOXML || c->sniff.encrypted)
        return 0;
    snprintf(changed, sizeof changed, "%s/changed", c->run->folder);
    if (replace_input(c, changed,
                      columns_trim(c->input, changed, strcmp(c->options->fit, "none") != 0, err),
                      err) < 0)
        return -1;
    return drop_values(c, changed, err);
}

static int prepare_text(struct conversion *c, struct err *err)
{
    bool stored = c->options->fields && strcmp(c->options->fields, "stored") == 0;
    char changed[PATH_BYTES];

    if (c->sniff.type != KIT_TEXT || c->sniff.form != SNIFF_OOXML || c->sniff.encrypted)
        return 0;
    snprintf(changed, sizeof changed, "%s/changed", c->run->folder);
    return replace_input(c, changed, fields_keep_stored(c->input, changed, stored, err), err);
}

static int load(struct conversion *c, const char *path, struct err *err)
{
    enum kit_type want = c->sniff.type;
    bool encrypted = c->sniff.encrypted;

    if (c->sniff.form == SNIFF_OLE && !encrypted &&
        locked_document(c->source.fd, &encrypted, err) < 0)
        return -1;
    c->doc = kit_load(path, c->options->inputPassword, encrypted, err);
    if (!c->doc)
        return -1;
    if (kit_type(c->doc) != (int) want)
        return err_set(err, ERR_UNSUPPORTED_FILE_TYPE,
                       "the document is of another kind than this tool takes");
    return 0;
}

/* Every page of a sheet up to its last used cell is made, the empty ones too, before any is left
 * out: a cell in the last row and column would keep LibreOffice busy for minutes (2 to 4
 * microseconds of processor time a page). */
static bool is_far(const struct conversion *c, size_t sheet)
{
    long width = 0, height = 0;

    kit_part_size(c->doc, (int) sheet, &width, &height);
    return (double) width / PAGE_WIDTH * ((double) height / PAGE_HEIGHT) > PAGES_MOST;
}

static int name_sheets(struct conversion *c, struct err *err)
{
    int n = kit_parts(c->doc);

    if (n > SHEETS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document has more than %d sheets", SHEETS);
    for (int i = 0; i < n; i++) {
        c->hidden[i] = kit_sheet_is_hidden(c->doc, i);
        c->names[c->n_names] = kit_part_name(c->doc, i);
        if (!c->names[c->n_names++])
            return err_set(err, ERR_INTERNAL, "out of memory");
    }
    return 0;
}

/* LibreOffice does not write again what is in that format already. */
static int write_flat(struct conversion *c, struct err *err)
{
    if (*c->flat)
        return 0;
    snprintf(c->flat, sizeof c->flat, "%s/sheets.fods", c->run->folder);
    if (c->sniff.form == SNIFF_PLAIN || c->sniff.form == SNIFF_FLAT)
        memcpy(c->flat, c->input, sizeof c->flat);
    else
        return kit_save(c->doc, c->flat, "fods", NULL, err);
    return 0;
}

/* Whether a sheet is shown is out of reach, too (lay_out_sheets). */
static int show_sheets(struct conversion *c, struct err *err)
{
    char shown[PATH_BYTES];

    if (!c->options->hiddenSheets || !memchr(c->hidden, true, sizeof c->hidden))
        return 0;
    snprintf(shown, sizeof shown, "%s/shown.fods", c->run->folder);
    if (write_flat(c, err) < 0 || flat_show_sheets(c->flat, shown, err) < 0)
        return -1;
    memcpy(c->flat, shown, sizeof c->flat);
    return load(c, shown, err);
}

/* The document is loaded again without the places of its cursors. */
static int forget_cursors(struct conversion *c, struct buf *flat, struct err *err)
{
    char near[PATH_BYTES];

    snprintf(near, sizeof near, "%s/near.fods", c->run->folder);
    if (write_flat(c, err) < 0 || flat_read(c->flat, flat, err) < 0)
        return -1;
    extent_forget_cursors(flat);
    if (flat_write(near, flat, err) < 0)
        return -1;
    memcpy(c->flat, near, sizeof c->flat);
    return load(c, near, err);
}

static int check_sheets(struct conversion *c, struct err *err)
{
    AUTO_BUF struct buf flat = BUF_EMPTY;

    if (name_sheets(c, err) < 0 || show_sheets(c, err) < 0)
        return -1;
    for (size_t i = 0; i < c->n_names; i++) {
        double printed;

        if (!is_far(c, i))
            continue;
        if (flat.len == 0 && forget_cursors(c, &flat, err) < 0)
            return -1;
        printed = extent_print_cells(&flat, c->names[i]) / PAGE_CELLS;
        if (is_far(c, i) && (printed == 0 || printed > PAGES_MOST))
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "sheet %zu would have more than %.0f pages up to its last cell or "
                           "drawing: delete what is far from the rest",
                           i + 1, PAGES_MOST);
    }
    return 0;
}

static int read_formulas(const struct conversion *c, struct formulas *stored, struct err *err)
{
    const struct tool_input *input = &c->source;

    *stored = (struct formulas){ 0 };
    if (c->sniff.encrypted)
        return 0;
    if (strcmp(c->sniff.extension, "xls") == 0)
        return formulas_xls(input->fd, stored, err);
    return strcmp(c->sniff.extension, "xlsb") == 0 ? formulas_xlsb(input->path, stored, err) : 0;
}

/* Where LibreOffice computes all formulas itself, an error may stand where the file has a result.
 */
static int warn_of_formulas(struct conversion *c, struct err *err)
{
    struct formulas stored;
    size_t failed = 0;

    if (read_formulas(c, &stored, err) < 0)
        return -1;
    if (stored.n == 0)
        return 0;
    if (write_flat(c, err) < 0 || formulas_failed(c->flat, &failed, err) < 0)
        return -1;
    if (stored.encrypted && failed)
        tool_warn(c->run, "formulas_not_computed",
                  "%zu formulas show an error: the results that the file stores could not be "
                  "compared, because it is encrypted",
                  failed);
    else if (failed > stored.errors)
        tool_warn(c->run, "formulas_not_computed",
                  "LibreOffice cannot compute %zu formulas: they show an error, although the file "
                  "stores a result",
                  failed - stored.errors);
    return 0;
}

/* What page styles say of scale and orientation is out of reach from here: the sheets are written
 * in LibreOffice's own format, changed there, and loaded again. */
static int lay_out_sheets(struct conversion *c, struct err *err)
{
    const struct convert_options *o = c->options;
    struct flat_page page = { .one_wide = strcmp(o->fit, "none") != 0,
                              .one_high = strcmp(o->fit, "page") == 0,
                              .orientation = o->orientation,
                              .paper = o->paper };
    char changed[PATH_BYTES];

    if (!page.one_wide && !page.orientation && !page.paper)
        return 0;
    snprintf(changed, sizeof changed, "%s/changed.fods", c->run->folder);
    if (write_flat(c, err) < 0 || flat_relayout(c->flat, changed, &page, err) < 0)
        return -1;
    return load(c, changed, err);
}

static int prepare_conversion(struct conversion *c, struct err *err)
{
    switch (c->sniff.type) {
    case KIT_TEXT:
        return strcmp(c->options->trackChanges, "final") == 0 ? kit_accept_changes(c->doc, err)
                                                              : kit_show_changes(c->doc, err);
    case KIT_SHEET:
        if (check_sheets(c, err) < 0 || warn_of_formulas(c, err) < 0)
            return -1;
        return lay_out_sheets(c, err);
    case KIT_SLIDES:
        return 0;
    }
    return 0;
}

static void put_bool(struct buf *json, const char *name, bool value)
{
    buf_printf(json, "%s\"%s\":{\"type\":\"boolean\",\"value\":\"%s\"}", json->len > 1 ? "," : "",
               name, value ? "true" : "false");
}

static void put_json_number(struct buf *json, const char *name, int64_t value)
{
    buf_printf(json, "%s\"%s\":{\"type\":\"long\",\"value\":\"%lld\"}", json->len > 1 ? "," : "",
               name, (long long) value);
}

/* LibreOffice overlooks what it does not know: nothing here comes from a client as it is. */
static void put_options(const struct convert_options *o, enum kit_type type, struct buf *json)
{
    bool notes = o->notes && strcmp(o->notes, "only") == 0;

    buf_putc(json, '{');
    if (strcmp(o->pdfa, "none") != 0)
        put_json_number(json, "SelectPdfVersion", o->pdfa[0] - '0');
    put_bool(json, "UseTaggedPDF", o->tagged);
    put_bool(json, "ExportBookmarks", o->bookmarks || (type == KIT_SHEET && o->sheets));
    put_bool(json, "UseLosslessCompression", false);
    put_json_number(json, "Quality", o->imageQuality);
    put_bool(json, "ReduceImageResolution", true);
    put_json_number(json, "MaxImageResolution", o->maxImageDpi);
    put_bool(json, "ExportNotes", false); /* as annotations */
    if (type == KIT_SHEET)
        put_bool(json, "SinglePageSheets", o->singlePageSheets);
    if (type == KIT_SLIDES) {
        put_bool(json, "ExportNotesPages", notes);
        put_bool(json, "ExportOnlyNotesPages", notes);
        put_bool(json, "ExportHiddenSlides", o->hiddenSlides);
    }
    buf_putc(json, '}');
}

static int export_with(struct conversion *c, const struct convert_options *options, struct err *err)
{
    AUTO_BUF struct buf json = BUF_EMPTY;

    put_options(options, c->sniff.type, &json);
    if (json.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return kit_save(c->doc, c->pdf, "pdf", json.data, err);
}

/* LibreOffice fails without a reason if all slides are hidden. */
static int export(struct conversion *c, struct err *err)
{
    struct convert_options shown = *c->options;
    struct err ignored;

    if (export_with(c, c->options, err) == 0)
        return 0;
    shown.hiddenSlides = true;
    if (c->sniff.type == KIT_SLIDES && !c->options->hiddenSlides &&
        export_with(c, &shown, &ignored) == 0)
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "hiddenSlides",
                         "all slides are hidden: hiddenSlides=true shows them");
    return -1;
}

/* If the document has no other text, the result is not published without any. */
static int warn_of_chunks(struct conversion *c, struct err *err)
{
    AUTO_BUF struct buf names = BUF_EMPTY;

    if (c->sniff.type != KIT_TEXT || c->sniff.form != SNIFF_OOXML)
        return 0;
    if (chunks_left_out(c->source.path, &names, err) < 0)
        return -1;
    if (names.len) {
        c->sniff.has_text = true;
        tool_warn(
            c->run, "content_missing",
            "parts of the document are missing, because they are in another format (altChunk) "
            "and not docx: %s",
            buf_text(&names));
    }
    return 0;
}

static int warn_of_linked(struct conversion *c, struct err *err)
{
    size_t n = 0;

    if ((c->sniff.form != SNIFF_OOXML && c->sniff.form != SNIFF_ODF) || c->sniff.encrypted)
        return 0;
    if (linked_pictures(c->source.path, &n, err) < 0)
        return -1;
    if (n)
        tool_warn(c->run, "pictures_not_fetched",
                  "%zu pictures are missing, because the document has only their addresses", n);
    return 0;
}

static void warn_of_fonts(struct conversion *c)
{
    AUTO_BUF struct buf list = BUF_EMPTY;
    const char *name, *instead;

    for (size_t i = 0; fonts_replaced(i, &name, &instead); i++)
        if (list.len + strlen(name) + strlen(instead) < 180 &&
            mention_of(name, &c->source, c->sniff.form, c->sniff.encrypted))
            buf_printf(&list, "%s%s (%s)", list.len ? ", " : "", name, instead);
    if (list.len)
        tool_warn(c->run, "missing_fonts", "fonts that are not here, and what was used: %s",
                  buf_text(&list));
}

/* What is printed of a sheet depends on print ranges and on how wide its columns are. */
static bool has_wanted_words(const struct conversion *c)
{
    return c->sniff.form == SNIFF_OOXML && !c->sniff.encrypted && c->sniff.type != KIT_SHEET;
}

int convert_office(struct tool_run *run, enum kit_type want, const struct convert_options *options,
                   struct err *err)
{
    struct conversion c = { .run = run, .options = options, .source = run->inputs[0] };

    if (!run->folder)
        return err_set(err, ERR_INTERNAL, "LibreOffice needs a folder to work in");
    if (classify(&c, want, err) < 0 || lay_ready(&c, err) < 0)
        return -1;
    if (prepare_workbook(&c, err) < 0 || prepare_text(&c, err) < 0 || warn_of_chunks(&c, err) < 0 ||
        warn_of_linked(&c, err) < 0)
        return -1;
    tool_progress(run, 0.1);
    if (kit_open(run->folder, err) < 0)
        return -1;
    fonts_watch();
    if (load(&c, c.input, err) < 0)
        return -1;
    tool_progress(run, 0.5);
    if (prepare_conversion(&c, err) < 0 || export(&c, err) < 0 || claims_mend(c.pdf, err) < 0)
        return -1;
    tool_progress(run, 0.9);
    warn_of_fonts(&c);
    return publish_file(run,
                        &(struct publish){ .path = c.pdf,
                                           .source = has_wanted_words(&c) ? c.input : NULL,
                                           .wanted = { .slides = want == KIT_SLIDES,
                                                       .hidden_slides = options->hiddenSlides },
                                           .doc = c.doc,
                                           .pages = options->pages,
                                           .sheets = options->sheets,
                                           .names = (const char *const *) c.names,
                                           .n_names = c.n_names,
                                           .single_pages = options->singlePageSheets,
                                           .hidden = options->hiddenSheets ? NULL : c.hidden,
                                           .bookmarks = options->bookmarks,
                                           .has_text = c.sniff.has_text },
                        err);
}
