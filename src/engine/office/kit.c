#include "engine/office/kit.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/scope.h"
#include "engine/office/fonts.h"
#include "engine/office/lok.h"
#include "engine/office/profile.h"

#define URL_BYTES     1200
#define COMMAND_S     20
#define COMMAND_TRIES 300
#define XLS_ROWS      65536
#define XLS_COLUMNS   256
#define SETTLE_MS     5000 /* the thread that writes the settings ends after about a second */

static struct {
    lok_hook_fn hook;
    struct lok *lok;
    char url[URL_BYTES]; /* of the document being loaded */
    const char *password;
    int asked;
    sem_t answered;
    bool executed;  /* the command that was answered last */
    time_t changed; /* newest of the folders that matter */
} kit;

static const struct timespec between = { .tv_nsec = 10000000 }; /* tries of a command */

static const char *const watched[] = { "/etc/libreoffice", PROFILE_PROGRAM_FOLDER };

static time_t last_change(void)
{
    time_t last = 0;

    for (size_t i = 0; i < COUNT(watched); i++) {
        struct stat st;

        if (stat(watched[i], &st) == 0 && st.st_mtime > last)
            last = st.st_mtime;
    }
    return last;
}

bool kit_stale(void)
{
    return last_change() != kit.changed || fonts_changed();
}

static size_t threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *entry;
    size_t n = 0;

    while (tasks && (entry = readdir(tasks)))
        n += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return n;
}

/* A thread does not come with a fork, but the locks it holds do. */
static int await_threads(struct err *err)
{
    const struct timespec nap = { .tv_nsec = 5000000 };

    for (int ms = 0; ms < SETTLE_MS && threads() > 1; ms += 5)
        nanosleep(&nap, NULL);
    return threads() > 1 ? err_set(err, ERR_INTERNAL, "LibreOffice's threads do not end") : 0;
}

static int load_library(struct err *err)
{
    void *library = dlopen(PROFILE_PROGRAM_FOLDER "/libmergedlo.so", RTLD_NOW);
    lok_preinit_fn preinit = NULL;

    if (library) {
        *(void **) &preinit = dlsym(library, "lok_preinit"); /* as dlsym(3p) does it */
        *(void **) &kit.hook = dlsym(library, "libreofficekit_hook_2");
    }
    if (!preinit || !kit.hook)
        return err_set(err, ERR_INTERNAL, "LibreOffice cannot be loaded: %.150s", dlerror());
    if (preinit(PROFILE_PROGRAM_FOLDER, NULL) != 0)
        return err_set(err, ERR_INTERNAL, "LibreOffice does not begin");
    return 0;
}

int kit_prepare(const char *folder, struct err *err)
{
    AUTO_CLOSE int said = dup(STDERR_FILENO);
    int loaded;

    kit.changed = last_change();
    setenv("SAL_USE_VCLPLUGIN", "svp", 1); /* draws into memory */
    if (profile_make(folder, err) < 0)
        return -1;
    dup2(STDOUT_FILENO, STDERR_FILENO); /* it tells every library it loads */
    loaded = load_library(err);
    dup2(said, STDERR_FILENO);
    return loaded < 0 ? -1 : await_threads(err);
}

static void on_event(int type, const char *payload, void *arg)
{
    (void) payload, (void) arg;
    if (type != LOK_PASSWORD_TO_OPEN && type != LOK_PASSWORD_TO_MODIFY)
        return;
    /* Asked to be allowed changes: there will be none. */
    if (type == LOK_PASSWORD_TO_MODIFY) {
        kit.lok->class->set_password(kit.lok, kit.url, NULL);
        return;
    }
    /* Asked twice: it was wrong. NULL ends the loading. */
    kit.asked++;
    kit.lok->class->set_password(kit.lok, kit.url, kit.asked > 1 ? NULL : kit.password);
}

/* RFC 3986, 2.1. LibreOffice shows the last part where a document shows its own name. */
static void url_of(const char *path, char out[static URL_BYTES])
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/";
    size_t n = (size_t) snprintf(out, URL_BYTES, "file://");

    for (; *path && n + 4 < URL_BYTES; path++)
        n += (size_t) snprintf(out + n, URL_BYTES - n, strchr(plain, *path) ? "%c" : "%%%02X",
                               (unsigned char) *path);
}

int kit_open(const char *folder, struct err *err)
{
    char profile[URL_BYTES];

    setenv("HOME", folder, 1);
    setenv("TMPDIR", folder, 1);
    snprintf(profile, sizeof profile, "file://%s/profile", folder);
    kit.lok = kit.hook ? kit.hook(PROFILE_PROGRAM_FOLDER, profile) : NULL;
    if (!kit.lok)
        return err_set(err, ERR_INTERNAL, "LibreOffice does not open");
    kit.lok->class->set_features(kit.lok, LOK_FEATURE_PASSWORD | LOK_FEATURE_PASSWORD_MODIFY);
    kit.lok->class->register_callback(kit.lok, on_event, NULL);
    return 0;
}

static int refusal(const char *password, bool encrypted, struct err *err)
{
    if (!encrypted && kit.asked == 0)
        return err_set(err, ERR_CORRUPT_FILE,
                       "the document is damaged, or is not what it says it is");
    if (!password)
        return err_field(err, ERR_PASSWORD_REQUIRED, "inputPassword",
                         "the document is encrypted: give its password as inputPassword");
    if (kit.asked == 0)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "LibreOffice does not know the document's encryption: save it without a "
                       "password, or in a newer format");
    return err_field(err, ERR_WRONG_PASSWORD, "inputPassword",
                     "inputPassword does not open the document");
}

struct kit_doc *kit_load(const char *path, const char *password, bool encrypted, struct err *err)
{
    struct lok_doc *doc;

    url_of(path, kit.url);
    kit.password = password;
    kit.asked = 0;
    doc = kit.lok->class->load(kit.lok, kit.url, NULL);
    if (!doc)
        refusal(password, encrypted, err);
    return (struct kit_doc *) doc;
}

static const struct lok_doc_class *class_of(struct kit_doc *doc)
{
    return ((struct lok_doc *) doc)->class;
}

int kit_type(struct kit_doc *doc)
{
    return class_of(doc)->type((struct lok_doc *) doc);
}

int kit_parts(struct kit_doc *doc)
{
    return class_of(doc)->parts((struct lok_doc *) doc);
}

char *kit_part_name(struct kit_doc *doc, int part)
{
    return class_of(doc)->part_name((struct lok_doc *) doc, part);
}

void kit_part_size(struct kit_doc *doc, int part, long *width, long *height)
{
    class_of(doc)->set_part((struct lok_doc *) doc, part);
    class_of(doc)->size_of((struct lok_doc *) doc, width, height);
}

bool kit_sheet_is_hidden(struct kit_doc *doc, int part)
{
    AUTO_FREE char *info = class_of(doc)->part_info((struct lok_doc *) doc, part);

    return info && strstr(info, "\"visible\": \"0\"");
}

/* Whether a span goes up to the end of the sheet, or of that of an xls file, after which
 * LibreOffice begins another one. */
static bool ends_sheet(const char *rest, long last, long of_xls)
{
    return !(*rest >= '0' && *rest <= '9') || last == of_xls - 1 || last == of_xls;
}

/* `spans` follow each other, as "0:1 2 9 16383 ": those of even number are hidden if the first
 * digit is 0; each number is the last row or column of a span. */
static size_t count_hidden(const char *spans, long of_xls)
{
    bool hidden = *spans == '1';
    size_t n = 0;
    long first = 0;

    if (*spans == '\0' || spans[1] != ':')
        return 0;
    for (const char *at = spans + 2; *at >= '0' && *at <= '9'; hidden = !hidden) {
        char *end;
        long last = strtol(at, &end, 10);

        at = end + strspn(end, " ");
        if (hidden && last >= first && !ends_sheet(at, last, of_xls))
            n += (size_t) (last - first) + 1;
        first = last + 1;
    }
    return n;
}

static size_t count_hidden_of(const char *geometry, const char *of, long of_xls)
{
    static const char key[] = "\"hidden\": \"";
    const char *at = geometry ? strstr(geometry, of) : NULL;

    at = at ? strstr(at, key) : NULL;
    return at ? count_hidden(at + strlen(key), of_xls) : 0;
}

void kit_hidden_cells(struct kit_doc *doc, int part, size_t *rows, size_t *columns)
{
    AUTO_FREE char *geometry = NULL;

    class_of(doc)->set_part((struct lok_doc *) doc, part);
    geometry = class_of(doc)->values((struct lok_doc *) doc,
                                     ".uno:SheetGeometryData?columns=true&rows=true&sizes=false"
                                     "&hidden=true&filtered=false&groups=false");
    *rows = count_hidden_of(geometry, "\"rows\":", XLS_ROWS);
    *columns = count_hidden_of(geometry, "\"columns\":", XLS_COLUMNS);
}

/* Called by LibreOffice's own thread. */
static void on_result(int type, const char *payload, void *arg)
{
    (void) arg;
    if (type != LOK_COMMAND_RESULT)
        return;
    kit.executed = payload && strstr(payload, "\"success\": true");
    sem_post(&kit.answered);
}

static void command(struct kit_doc *doc, const char *name, const char *arguments)
{
    struct timespec until;

    class_of(doc)->command((struct lok_doc *) doc, name, arguments, true);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += COMMAND_S;
    while (sem_timedwait(&kit.answered, &until) < 0 && errno == EINTR)
        continue;
}

static bool has_changes(struct kit_doc *doc)
{
    AUTO_FREE char *list =
        class_of(doc)->values((struct lok_doc *) doc, ".uno:AcceptTrackedChanges");

    return list && strstr(list, "\"index\"");
}

/* A command that comes before LibreOffice's own thread has made the document's view is answered and
 * does nothing. This one is harmless, and its answer says whether it was executed. */
static int await_view(struct kit_doc *doc, struct err *err)
{
    kit.executed = false;
    for (int tries = 0; tries < COMMAND_TRIES; tries++) {
        command(doc, ".uno:GoToStartOfDoc", NULL);
        if (kit.executed)
            return 0;
        nanosleep(&between, NULL);
    }
    return err_set(err, ERR_INTERNAL, "LibreOffice does not show the document");
}

int kit_show_changes(struct kit_doc *doc, struct err *err)
{
    if (!has_changes(doc))
        return 0;
    sem_init(&kit.answered, 0, 0);
    class_of(doc)->register_callback((struct lok_doc *) doc, on_result, NULL);
    if (await_view(doc, err) < 0)
        return -1;
    command(doc, ".uno:ShowTrackedChanges",
            "{\"ShowTrackedChanges\":{\"type\":\"boolean\",\"value\":\"true\"}}");
    return 0;
}

/* They are shown first: while they are hidden, as some documents say, LibreOffice lays out the
 * text again for each one that it accepts, which takes minutes for some hundred of them. */
int kit_accept_changes(struct kit_doc *doc, struct err *err)
{
    if (kit_show_changes(doc, err) < 0)
        return -1;
    for (int tries = 0; has_changes(doc); tries++) {
        if (tries == COMMAND_TRIES)
            return err_set(err, ERR_INTERNAL, "LibreOffice does not accept the tracked changes");
        command(doc, ".uno:AcceptAllTrackedChanges", NULL);
        nanosleep(&between, NULL);
    }
    return 0;
}

int kit_save(struct kit_doc *doc, const char *path, const char *format, const char *options,
             struct err *err)
{
    char url[URL_BYTES];

    url_of(path, url);
    if (!class_of(doc)->save_as((struct lok_doc *) doc, url, format, options))
        return err_set(err, ERR_CORRUPT_FILE, "the document cannot be converted");
    return 0;
}
