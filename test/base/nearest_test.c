#include "base/nearest.h"

#include "tap.h"

static const char *const names[] = { "retention", "max_file_size", "job_timeout", "job_memory" };

static const char *name_at(const void *arg, size_t i)
{
    (void) arg;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

static const char *meant(const char *word)
{
    const char *name = nearest_name(word, name_at, NULL);

    return name ? name : "nothing";
}

int main(void)
{
    ok(nearest_same("max-File-size", "max_file_size"), "case and dashes do not distinguish names");
    ok(!nearest_same("data", "dat") && !nearest_same("dat", "data"), "a part is not the same name");
    is_int(nearest_distance("retention", "retention", 3), 0, "equal names have distance 0");
    is_int(nearest_distance("retnetion", "retention", 3), 1,
           "two letters that changed places have distance 1");
    is_int(nearest_distance("kitten", "sitting", 9), 3, "kitten and sitting have distance 3");
    is_int(nearest_distance("a", "retention", 2), 3,
           "a distance beyond the limit is the limit plus one");
    is_str(meant("retentoin"), "retention", "a misspelt name is recognized");
    is_str(meant("max-filesize"), "max_file_size", "a misspelt name with dashes is recognized");
    is_str(meant("timeout"), "job_timeout", "a part that occurs in one name only is recognized");
    is_str(meant("job_"), "nothing", "a part that occurs in several names is not guessed");
    is_str(meant("colour"), "nothing", "a name that resembles none is not guessed");
    return done_testing();
}
