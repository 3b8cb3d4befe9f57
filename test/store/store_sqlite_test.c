#include "data/store_sqlite/store_sqlite_open.h"
#include "store_contract.h"
#include "store_sqlite_temp.h"
#include "tap.h"

static const char *folder;

static struct store *fresh(struct err *err)
{
    char path[128];
    static int n;

    snprintf(path, sizeof path, "%s/%d.db", folder, n++);
    return store_sqlite_open(path, err);
}

int main(void)
{
    folder = temp_open();
    store_contract(fresh);
    temp_close();
    return done_testing();
}
