#include "engine/office/profile.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"

#define INSTALLATION "/usr/lib/libreoffice"
#define PATH_BYTES   160

static const struct {
    const char *path, *what;
} needed[] = {
    { PROFILE_PROGRAM_FOLDER "/libmergedlo.so", "LibreOffice is not installed" },
    { PROFILE_PROGRAM_FOLDER "/libswlo.so", "LibreOffice Writer is not installed" },
    { PROFILE_PROGRAM_FOLDER "/libsclo.so", "LibreOffice Calc is not installed" },
    { PROFILE_PROGRAM_FOLDER "/libsdlo.so", "LibreOffice Impress is not installed" },
    /* Without it the equations of a document are omitted silently. */
    { PROFILE_PROGRAM_FOLDER "/libsmlo.so", "LibreOffice Math is not installed" },
    /* Debian's package without a user interface leaves out the one file of it that loading a
     * spreadsheet needs. */
    { INSTALLATION "/share/config/soffice.cfg/modules/scalc/ui/inputbar.ui",
      "LibreOffice cannot load spreadsheets: scalc/ui/inputbar.ui is missing "
      "(packaging/install.sh brings it)" },
    /* The same of Writer, for a document with comments. */
    { INSTALLATION "/share/config/soffice.cfg/modules/swriter/ui/annotation.ui",
      "LibreOffice cannot load documents with comments: swriter/ui/annotation.ui is missing "
      "(packaging/install.sh brings it)" },
};

int profile_look(struct err *err)
{
    for (size_t i = 0; i < COUNT(needed); i++)
        if (access(needed[i].path, R_OK) < 0)
            return err_set(err, ERR_UNSUPPORTED_CONTENT, "%s", needed[i].what);
    return 0;
}

/* Each of them alone; a test takes away the sandbox to see that. */
#define SCRIPTING      "/org.openoffice.Office.Common/Security/Scripting"
#define INET           "/org.openoffice.Inet/Settings"
#define BASIC_SETTINGS 2
static const struct {
    const char *path, *name, *value;
} settings[] = {
    { "/org.openoffice.Setup/Product", "ooSetupLastVersion", "7.4" },
    { "/org.openoffice.Setup/L10N", "ooLocale", "en-US" },
    /* Nothing a document names is fetched or read, and none of its scripts run. */
    { SCRIPTING, "BlockUntrustedRefererLinks", "true" },
    { SCRIPTING, "DisableMacrosExecution", "true" },
    { SCRIPTING, "DisableActiveContent", "true" },
    { SCRIPTING, "MacroSecurityLevel", "3" },
    { "/org.openoffice.Office.Writer/Content/Update", "Link", "2" },
    { "/org.openoffice.Office.Writer/Content/Update", "Field", "false" },
    { "/org.openoffice.Office.Calc/Content/Update", "Link", "2" },
    /* Requests that might get through nevertheless are sent to a port on which nothing listens. */
    { INET, "ooInetProxyType", "1" },
    { INET, "ooInetHTTPProxyName", "127.0.0.1" },
    { INET, "ooInetHTTPProxyPort", "9" },
    { INET, "ooInetHTTPSProxyName", "127.0.0.1" },
    { INET, "ooInetHTTPSProxyPort", "9" },
    { INET, "ooInetFTPProxyName", "127.0.0.1" },
    { INET, "ooInetFTPProxyPort", "9" },
    { INET, "ooInetNoProxy", "" },
    /* Nothing is kept of a document. */
    { "/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false" },
    { "/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false" },
    { "/org.openoffice.Office.Common/History", "PickListSize", "0" },
    { "/org.openoffice.Office.Common/Save/Document", "CreateBackup", "false" },
};

static bool unguarded;

void profile_unguarded(void)
{
    unguarded = true;
}

static int write_settings(const char *path, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (fd < 0)
        return err_sys(err, "write LibreOffice's settings");
    buf_puts(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<oor:items xmlns:oor=\"http://openoffice.org/2001/registry\" "
                    "xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" "
                    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    for (size_t i = 0; i < (unguarded ? BASIC_SETTINGS : COUNT(settings)); i++)
        buf_printf(&text,
                   "<item oor:path=\"%s\"><prop oor:name=\"%s\" oor:op=\"fuse\"><value>%s</value>"
                   "</prop></item>\n",
                   settings[i].path, settings[i].name, settings[i].value);
    buf_puts(&text, "</oor:items>\n");
    if (text.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return fdio_write(fd, text.data, text.len, err);
}

int profile_make(const char *folder, struct err *err)
{
    static const char *const folders[] = { "home",
                                           "home/tmp",
                                           "home/.config",
                                           "home/.config/libreoffice",
                                           "home/.config/libreoffice/4",
                                           "home/.config/libreoffice/4/user" };
    char path[PATH_BYTES];

    for (size_t i = 0; i < COUNT(folders); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        if (mkdir(path, 0700) < 0)
            return err_sys(err, "make LibreOffice's home");
    }
    snprintf(path, sizeof path, "%s/%s/registrymodifications.xcu", folder,
             folders[COUNT(folders) - 1]);
    if (write_settings(path, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/home", folder);
    setenv("HOME", path, 1);
    snprintf(path, sizeof path, "%s/home/tmp", folder);
    setenv("TMPDIR", path, 1);
    return 0;
}
