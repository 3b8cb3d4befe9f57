#include "engine/ocr/languages.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

#define SUFFIX ".traineddata"
#define CODE   32

const char *languages_installed[LANGUAGES_MOST + 1];
static char codes[LANGUAGES_MOST][CODE];
static size_t n_list;

static void list_file(const char *file)
{
    size_t n = strlen(file), suffix = strlen(SUFFIX);

    if (n <= suffix || n - suffix >= CODE || strcmp(file + n - suffix, SUFFIX) != 0 ||
        n_list == LANGUAGES_MOST)
        return;
    snprintf(codes[n_list], CODE, "%.*s", (int) (n - suffix), file);
    /* "equ" finds formulas and recognises nothing. */
    if (strcmp(codes[n_list], LANGUAGES_OSD) == 0 || strcmp(codes[n_list], "equ") == 0)
        return;
    languages_installed[n_list] = codes[n_list];
    n_list++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

__attribute__((constructor)) static void list_installed(void)
{
    struct dirent *entry;
    DIR *folder;

    snprintf(codes[0], CODE, "%s", LANGUAGES_AUTO);
    languages_installed[n_list++] = codes[0];
    folder = opendir(LANGUAGES_FOLDER);
    while (folder && (entry = readdir(folder)))
        list_file(entry->d_name);
    if (folder)
        closedir(folder);
    qsort(languages_installed + 1, n_list - 1, sizeof *languages_installed, by_name);
}

bool languages_has(const char *code)
{
    for (size_t i = 1; languages_installed[i]; i++)
        if (strcmp(languages_installed[i], code) == 0)
            return true;
    return false;
}

bool languages_has_osd(void)
{
    return access(LANGUAGES_FOLDER "/" LANGUAGES_OSD SUFFIX, R_OK) == 0;
}
