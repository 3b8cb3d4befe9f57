/* store_sqlite_temp: a folder for the databases of one test program, and a look at its files. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char temp_folder[64];

/* In the build's folder, on a real disk: a sync is to be a sync. */
__attribute__((unused)) static const char *temp_open(void)
{
    snprintf(temp_folder, sizeof temp_folder, "store-test.XXXXXX");
    if (mkdtemp(temp_folder))
        return temp_folder;
    perror("Bail out! mkdtemp");
    exit(1);
}

/* A path in it. Borrowed until the next call. */
__attribute__((unused)) static const char *temp_path(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", temp_folder, name);
    return path;
}

/* Removes the folder and its files. */
__attribute__((unused)) static void temp_close(void)
{
    DIR *dir = opendir(temp_folder);

    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            unlink(temp_path(entry->d_name));
    if (dir)
        closedir(dir);
    rmdir(temp_folder);
}
