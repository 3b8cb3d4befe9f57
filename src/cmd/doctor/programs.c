#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/num.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "cmd/doctor/doctor.h"
#include "declare/tool/param.h"
#include "declare/value/language_list.h"
#include "sandbox/process/program.h"
#include "sandbox/worker/catalog.h"

#define TRIAL_MS 60000 /* time that a program's self-tests may take */
#define LOOK_NS  20000000

/* The security fixes that Debian 12's LibreOffice must have (documents that read local files). */
#define OFFICE_SERIES "4:7.4.7-1+deb12u"
#define OFFICE_UPDATE 13

/* What would bring the tools of a program that has none. */
static const char *absent_fix(const char *note)
{
    if (strstr(note, "Chromium is not installed"))
        return "apt-get install chromium-headless-shell";
    if (strstr(note, "Chromium cannot"))
        return "in a systemd unit: the drop-in packaging/systemd/browser.conf, which says what "
               "Chromium needs; in a container: a seccomp profile that allows user namespaces";
    return "install it next to platen, or set programs to its folder";
}

static void check_program(struct report *report, const struct config *config, const char *note)
{
    const char *layers = strstr(note, "sandbox: ");
    bool absent = strstr(note, "absent") != NULL;
    bool boxed = layers && strstr(layers, "seccomp") && strstr(layers, "landlock");

    if (absent) {
        report_line(report, FINDING_WARN, "program", "%s", note);
        report_fix(report, "%s", absent_fix(note));
    } else if (boxed) {
        report_line(report, FINDING_OK, "program", "%s", note);
    } else {
        report_line(report, config->allow_unsandboxed ? FINDING_WARN : FINDING_FAIL, "program",
                    "%s", note);
        report_fix(report, "its sandbox lacks a layer: see seccomp and landlock above");
    }
}

/* Waits for the self-tests that each program runs when it starts. */
static void await_trials(struct report *report, const struct catalog *catalog)
{
    const struct timespec pause = { 0, LOOK_NS };
    int64_t began = clock_mono_ms();
    char why[200] = "";
    bool ready;

    while (!(ready = catalog_ready(catalog, why, sizeof why)) && clock_mono_ms() - began < TRIAL_MS)
        nanosleep(&pause, NULL);
    if (ready) {
        report_line(report, FINDING_OK, "trial jobs", "every program has done one (%.1f s)",
                    (double) (clock_mono_ms() - began) / 1e3);
        return;
    }
    report_line(report, FINDING_FAIL, "trial jobs", "%s", why);
    report_fix(report, "run: platen run TOOL FILE -o OUT with one of its tools, and see what it "
                       "says");
}

/* Finds a package's version in dpkg's files, without running a program; false: not installed. */
static bool package_version(const char *package, char *out, size_t cap)
{
    AUTO_FCLOSE FILE *file = fopen("/var/lib/dpkg/status", "re");
    char line[1024];
    bool here = false;

    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "Package: ", 9) == 0)
            here = strcmp(line + 9, package) == 0;
        if (here && strncmp(line, "Version: ", 9) == 0) {
            snprintf(out, cap, "%s", line + 9);
            return true;
        }
    }
    return false;
}

static void check_office(struct report *report)
{
    char version[100];
    int64_t update;

    if (!package_version("libreoffice-core-nogui", version, sizeof version) &&
        !package_version("libreoffice-core", version, sizeof version)) {
        report_line(report, FINDING_WARN, "LibreOffice",
                    "not installed as a package: Word, Excel and PowerPoint files cannot be "
                    "converted, or its version is not known");
        report_fix(report, "apt install libreoffice-writer-nogui libreoffice-calc-nogui "
                           "libreoffice-impress-nogui libreoffice-math-nogui");
        return;
    }
    if (strncmp(version, OFFICE_SERIES, strlen(OFFICE_SERIES)) != 0) {
        report_line(report, FINDING_OK, "LibreOffice", "%s, not Debian 12's", version);
        return;
    }
    if (num_parse_i64(version + strlen(OFFICE_SERIES), strlen(version + strlen(OFFICE_SERIES)), 0,
                      1000, &update) &&
        update >= OFFICE_UPDATE) {
        report_line(report, FINDING_OK, "LibreOffice", "%s", version);
        return;
    }
    report_line(report, FINDING_FAIL, "LibreOffice",
                "%s lacks security fixes: documents may read files and addresses", version);
    report_fix(
        report,
        "apt update && apt install --only-upgrade libreoffice-core-nogui (at least " OFFICE_SERIES
        "%d)",
        OFFICE_UPDATE);
}

/* The languages of `ocr`, which its program declares. */
static void check_languages(struct report *report, const struct catalog *catalog)
{
    const struct tool *tool = catalog_find(catalog, "ocr", NULL);
    const struct param *param = tool ? param_find(tool->params, tool->n_params, "language") : NULL;
    AUTO_BUF struct buf list = BUF_EMPTY;
    char version[100];

    if (!param)
        return;
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        if (strcmp(param->choices[i], LANGUAGE_LIST_AUTO) != 0)
            buf_printf(&list, "%s%s", list.len ? ", " : "", param->choices[i]);
    report_line(report, FINDING_OK, "Tesseract",
                "languages: %s (apt install tesseract-ocr-LANGUAGE adds one, such as "
                "tesseract-ocr-ita, from the next start on)",
                buf_text(&list));
    if (package_version("tesseract-ocr-osd", version, sizeof version))
        return;
    report_line(report, FINDING_WARN, "Tesseract",
                "pages that are turned, or in another script, are not recognised as such");
    report_fix(report, "apt install tesseract-ocr-osd");
}

/* Fonts are found by their files, so that fontconfig is not needed here. */
static struct {
    const char *file, *package, *why;
    bool must, found;
} fonts[] = {
    { "DejaVuSans.ttf", "fonts-dejavu-core", "stamps and page numbers", true, false },
    { "LiberationSans-Regular.ttf", "fonts-liberation2", "Arial, Times, Courier", true, false },
    { "Carlito-Regular.ttf", "fonts-crosextra-carlito", "Calibri", false, false },
    { "Caladea-Regular.ttf", "fonts-crosextra-caladea", "Cambria", false, false },
    { "NotoSans-Regular.ttf", "fonts-noto-core", "most scripts", false, false },
    { "NotoSansCJK-Regular.ttc", "fonts-noto-cjk", "Chinese, Japanese, Korean", false, false },
    { "NotoColorEmoji.ttf", "fonts-noto-color-emoji", "emoji", false, false },
    { "opens___.ttf", "fonts-opensymbol", "bullets and symbols", false, false },
};

static int note_font(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void) st;
    for (size_t i = 0; type == FTW_F && i < COUNT(fonts); i++)
        fonts[i].found = fonts[i].found || strcmp(path + at->base, fonts[i].file) == 0;
    return 0;
}

static void check_fonts(struct report *report)
{
    static const char *const folders[] = { "/usr/share/fonts", "/usr/local/share/fonts" };
    size_t found = 0;

    for (size_t i = 0; i < COUNT(folders); i++)
        nftw(folders[i], note_font, 16, FTW_PHYS);
    for (size_t i = 0; i < COUNT(fonts); i++) {
        found += fonts[i].found;
        if (fonts[i].found)
            continue;
        report_line(report, fonts[i].must ? FINDING_FAIL : FINDING_WARN, "fonts",
                    "%s is missing: %s will look wrong", fonts[i].file, fonts[i].why);
        report_fix(report, "apt install %s", fonts[i].package);
    }
    if (found == COUNT(fonts))
        report_line(report, FINDING_OK, "fonts", "all %zu that documents need most are here",
                    found);
}

void doctor_programs(struct report *report, const struct config *config)
{
    char path[4096];
    struct err err;
    struct catalog *catalog;

    log_setup(LOG_ERROR, LOG_KEY_VALUE); /* the programs' own messages are in the report */
    catalog = catalog_open(config->programs, true, NULL, &err);
    if (catalog) {
        const char *note;

        for (size_t i = 0; (note = catalog_note(catalog, i)) != NULL; i++)
            check_program(report, config, note);
        await_trials(report, catalog);
        check_languages(report, catalog);
        catalog_close(catalog);
    } else {
        report_line(report, FINDING_FAIL, "program", "no worker program starts: %s", err.msg);
        report_fix(report, "install them next to platen, or set programs to their folder");
    }
    if (program_path(config->programs, "platen-signer", path, sizeof path, &err) < 0 ||
        access(path, X_OK) < 0) {
        report_line(
            report, FINDING_WARN, "program",
            "platen-signer is absent: nothing can be signed with the server's key or time-stamped");
        report_fix(report, "install it next to platen");
    }
    check_office(report);
    check_fonts(report);
}
