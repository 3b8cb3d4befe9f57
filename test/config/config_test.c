#include "server/config/brand.h"
#include "server/config/config.h"
#include "server/config/live.h"
#include "server/config/validate.h"

#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

static struct config config;
static struct err err;

/* Reads a file of these lines; what is wrong with it, or "read". */
static const char *reading(const char *lines)
{
    char path[] = "/tmp/platen-config-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    const char *colon;
    int done;

    fputs(lines, file);
    fclose(file);
    config_init(&config, &err);
    done = config_read(&config, path, &err);
    unlink(path);
    if (done == 0)
        return "read";
    colon = strchr(err.msg, ',');
    return colon ? colon + 2 : err.msg;
}

static const char *setting(const char *name, const char *value)
{
    return config_set(&config, name, value, &err) < 0 ? err.msg : "set";
}

static const char *listening(const char *listen)
{
    static char shown[64];
    char address[40];
    uint16_t port;

    if (config_split_listen(listen, address, sizeof address, &port, &err) < 0)
        return "refused";
    snprintf(shown, sizeof shown, "%s %d", address, port);
    return shown;
}

/* What judge has to say with one setting changed: its sentences, with "; " between them. */
static struct judged {
    char text[1000];
    int fatal;
} judged;

static void note(void *arg, const struct validate_finding *finding)
{
    size_t n = strlen(judged.text);

    (void) arg;
    judged.fatal += finding->fatal;
    snprintf(judged.text + n, sizeof judged.text - n, "%s%s", n ? "; " : "", finding->text);
}

static const char *judgement(const char *name, const char *value)
{
    judged = (struct judged){ .fatal = 0 };
    config_init(&config, &err);
    if (config_set(&config, name, value, &err) < 0)
        return err.msg;
    validate_config(&config, note, NULL);
    return judged.text;
}

static void check_judge_services(void)
{
    is_str(judgement("callback_allow", "10.0.0.0/33"),
           "callback_allow: \"10.0.0.0/33\" is not an address or network such as 10.0.0.0/8 or "
           "fd00::/8",
           "a malformed network in callback_allow is reported");
    is_str(judgement("callback_timeout", "99ms"), "callback_timeout must be 100ms to 10m",
           "callback_timeout out of range is reported");
    is_str(judgement("callback_backoff", "3h"), "callback_backoff must be 10ms to 2h",
           "callback_backoff out of range is reported");
    ok(strstr(judgement("callback_ca", "/nowhere"), "/nowhere cannot be read"),
       "a missing file in callback_ca is reported");
    is_str(judgement("callback_allow", "10.1.2.3 fd00::/8"), "",
           "private networks in callback_allow give no finding");
    ok(strstr(judgement("callback_allow", "0.0.0.0/0"), "any host of its own network") &&
           judged.fatal == 0,
       "all networks in callback_allow are a warning");
    ok(strstr(judgement("seal_password", "x"), "seen by every user"),
       "a secret on the command line is a warning");
    ok(strstr(judgement("timestamp_url", "ftp://a/"), "no time stamp can be had") &&
           judged.fatal == 0,
       "a timestamp_url that is not http or https is a warning");
    ok(strstr(judgement("allow_unsandboxed", "true"), "without a sandbox"),
       "allow_unsandboxed is a warning");
}

static void check_look(void)
{
    struct brand_colors is;

    is_str(judgement("page_color", "#0b6e6e"), "", "a dark colour gives no finding");
    ok(strstr(judgement("page_color", "#ffcc00"), "choose a darker one, such as #") && judged.fatal,
       "a colour that cannot be read on white is refused, with one that can");
    ok(strstr(judgement("page_color", "red"), "is not a colour") && judged.fatal,
       "a colour is a number");
    ok(strstr(judgement("page_color", "#0b6e6g"), "is not a colour") && judged.fatal,
       "of six hexadecimal digits");
    ok(brand_colors("#000000", &is, &err) == 0 && strcmp(is.accent, "#000000") == 0 &&
           strcmp(is.dark_accent, "#000000") != 0,
       "on dark pages a dark colour becomes a bright one");
    ok(strstr(judgement("page_name", ""), "need a name") && judged.fatal, "pages need a name");
    is_str(judgement("page_name", "M\xc3\xbchle"), "", "a name may have any letters");
    ok(strstr(judgement("page_name", "12345678901234567890123456789012345678901"),
              "41 characters") &&
           judged.fatal,
       "a name has at most 40 characters");
    ok(strstr(judgement("page_line", "a\nb"), "one line") && judged.fatal, "a line has one line");
    ok(strstr(judgement("page_logo", "/no/such/file"), "cannot be read") && judged.fatal,
       "a logo must be there");
    ok(strstr(judgement("page_logo", "/proc/self/cmdline"), "is not a PNG") && judged.fatal,
       "a logo is a picture");
    is_str(brand_logo_type("<?xml version=\"1.0\"?>\n<svg/>", 27), "image/svg+xml",
           "an SVG file may begin with an XML declaration");
    ok(!brand_logo_type("<html><svg/></html>", 19) && !brand_logo_type("", 0),
       "a web page is no logo, nor is nothing");
}

static void check_judge(void)
{
    is_str(judgement("workers", "2"), "", "usual settings give no finding");
    is_str(judgement("http_threads", "0"), "http_threads must be 1 to 64",
           "a number out of range is reported");
    is_int(judged.fatal, 1, "a number out of range is an error and not a warning");
    is_str(judgement("log_level", "loud"), "log_level must be debug, info, warn or error",
           "an unknown word is reported with the allowed ones");
    is_str(judgement("base_url", "pdf.example.org"),
           "base_url must begin with http:// or https:// and a host",
           "a base_url without a scheme is reported");
    is_str(judgement("base_url", "https://a\"b"),
           "base_url holds a character that addresses cannot have",
           "a base_url with a quotation mark is reported");
    is_str(judgement("cors_origins", "https://a.example, http://localhost:3000"), "",
           "a list of origins is accepted");
    is_str(judgement("cors_origins", "https://a.example/"),
           "cors_origins: \"https://a.example/\" is not an origin such as https://app.example.com",
           "an origin with a path is reported");
    is_str(judgement("cors_origins", "a.example"),
           "cors_origins: \"a.example\" is not an origin such as https://app.example.com",
           "an origin without a scheme is reported");
    ok(strstr(judgement("cors_origins", "*"), "every web page") && judged.fatal == 0,
       "the origin * is a warning and not an error");
    is_str(judgement("tls_key", "/dev/null"), "tls_certificate and tls_key need each other",
           "tls_key without tls_certificate is reported");
    ok(strstr(judgement("tls_certificate", "/nowhere"), "/nowhere cannot be read"),
       "a missing certificate file is reported");
    ok(strstr(judgement("listen", "localhost:80"), "names such as localhost are not looked up"),
       "a host name in listen is reported");
    ok(strstr(judgement("listen", "0.0.0.0:8080"), "travel unencrypted"),
       "listening on all addresses without TLS is a warning");
    is_int(judged.fatal, 0, "listening on all addresses without TLS is not an error");
    check_judge_services();
    check_look();
    ok(strstr(judgement("trusted_proxies", "0.0.0.0/0"), "everybody is trusted"),
       "trusting all IPv4 addresses as proxies is a warning");
    ok(strstr(judgement("trusted_proxies", "::/0"), "everybody is trusted"),
       "trusting all IPv6 addresses as proxies is a warning");
    is_str(judgement("trusted_proxies", "10.0.0.0/8 fc00::/7"), "",
           "trusting private networks as proxies gives no finding");
    is_str(
        judgement("trusted_proxies", "proxy.example.org"),
        "trusted_proxies: \"proxy.example.org\" is not an address or network such as 10.0.0.0/8 or "
        "fd00::/8",
        "trusted_proxies that are not addresses are reported");
}

static void check_names(void)
{
    is_str(setting("retentoin", "1h"), "there is no setting retentoin; did you mean retention?",
           "the error for a misspelt name proposes the right one");
}

/* Every fault of a file, as "LINE: sentence" with newlines between them. */
static char faults[2000];

static void note_fault(void *arg, int line, const struct err *fault)
{
    size_t n = strlen(faults);

    (void) arg;
    snprintf(faults + n, sizeof faults - n, "%d: %s\n", line, fault->msg);
}

static const char *all_faults(const char *lines)
{
    char path[] = "/tmp/platen-config-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");

    *faults = '\0';
    fputs(lines, file);
    fclose(file);
    config_init(&config, &err);
    config_read_all(&config, path, note_fault, NULL, &err);
    unlink(path);
    return faults;
}

static void check_files(void)
{
    is_str(all_faults("workers = x\n\nnonsense\n[plan a]\nrequests = 1\n[plan a\tb]\n"
                      "max_unfinished = 1\n"),
           "1: workers must be a whole number\n3: not a setting (name = value)\n"
           "5: a plan has no setting requests; did you mean requests_per_month?\n"
           "7: a plan's name is 1 to 31 printable characters\n",
           "every fault of a file is reported with its line");
    is_str(all_faults("\xef\xbb\xbfworkers=4 ; four\nseal_name = a;b #c # d\n"
                      "retention = 24h\t# a day\n"),
           "", "a byte order mark, blanks and comments are accepted");
    is_int(config.workers, 4, "the value before a comment is used");
    is_str(config.seal_name, "a;b #c",
           "a ';' without a blank before it, or a '#' with text after it, begins no comment");
    is_int(config.retention, 86400000, "a '#' between blanks begins one");
    is_int(config.sources[CONFIG_workers].origin, CONFIG_FROM_FILE,
           "the origin of a setting of the file is the file");
    is_int(config.sources[CONFIG_seal_name].line, 2, "the line of a setting of the file is known");
    is_int(config.sources[CONFIG_lease].origin, CONFIG_FROM_DEFAULT,
           "the origin of a setting that is not set is the default");
}

static void check_showing(void)
{
    char value[CONFIG_SHOWN];
    struct config other;

    config_init(&config, &err);
    config_set(&config, "seal_password", "hush", &err);
    config_show(&config, CONFIG_seal_password, value);
    is_str(value, "(hidden)", "a secret is shown as (hidden)");
    config_set(&config, "store", "postgresql://ann:p:w@db/x?password=other&application_name=y",
               &err);
    config_show(&config, CONFIG_store, value);
    is_str(value, "postgresql://ann@db/x?password=&application_name=y",
           "a password in an address is not shown");
    config_show(&config, CONFIG_max_file_size, value);
    is_str(value, "2G", "an amount of bytes is shown with its unit");
    ok(config_is_preset(&config, CONFIG_retention), "a setting that was not set is at its default");
    config_set(&config, "retention", "1d", &err);
    ok(config_is_preset(&config, CONFIG_retention), "so is one that was set to it in another unit");
    config_set(&config, "retention", "25h", &err);
    ok(!config_is_preset(&config, CONFIG_retention), "one that was set to another value is not");
    config_set(&config, "lease", "1500ms", &err);
    config_show(&config, CONFIG_lease, value);
    is_str(value, "1500ms", "a time is shown in the largest unit that divides it");
    other = config;
    ok(config_same(&config, &other, CONFIG_lease), "equal values of a setting are the same");
    config_set(&other, "lease", "2s", &err);
    ok(!config_same(&config, &other, CONFIG_lease),
       "different values of a setting are not the same");
    config_copy(&other, &config, CONFIG_lease);
    ok(config_same(&config, &other, CONFIG_lease),
       "a setting can be copied to another configuration");
}

static void check_live(void)
{
    struct live *live;
    const struct config *before, *after;

    config_init(&config, &err);
    live = live_new(&config, &err);
    before = live_hold(live);
    config.retention = 5;
    live_replace(live, &config, &err);
    after = live_hold(live);
    is_int(before->retention, 24 * 3600 * 1000,
           "a configuration that is held does not change on a reload");
    is_int(after->retention, 5, "a configuration that is held later has the new values");
    live_release(before);
    live_release(after);
    live_free(live);
}

int main(void)
{
    ok(config_init(&config, &err) == 0, "every default is acceptable");
    is_str(config.listen, "127.0.0.1:8080", "texts have their defaults");
    is_int(config.retention, 24 * 3600 * 1000, "times are milliseconds");
    is_int(config.max_file_size, 2000000000, "sizes are decimal bytes");
    is_str(setting("retention", "90m"), "set", "a time can be set");
    is_int(config.retention, 90 * 60000, "a time is converted to milliseconds");
    is_str(setting("max-file-size", "5M"), "set", "a name with dashes is accepted");
    is_str(setting("max_file_size", "5 M"),
           "max_file_size must be a number of bytes such as 500k, "
           "20M or 2G",
           "a malformed size is refused");
    is_str(setting("lease", "99999999999999999d"),
           "lease must be a time such as 250ms, 30s, 5m, 24h or 7d",
           "a time that overflows is refused");
    is_str(setting("workers", "-1"), "workers must be a whole number",
           "a negative number is refused");
    is_str(setting("allow_unsandboxed", "perhaps"), "allow_unsandboxed must be true or false",
           "a word that is neither true nor false is refused");
    is_str(setting("colour", "red"), "there is no setting colour",
           "an unknown setting is refused, naming it");

    is_str(reading("# a comment\nworkers = 3\nlisten = [::1]:0\n"), "read", "a file can be read");
    is_int(config.workers, 3, "a value of the file is used");
    is_str(reading("workers = 3\ncolour = red\n"), "line 2: there is no setting colour",
           "an unknown setting in a file is reported with its line");
    is_str(reading("nonsense\n"), "line 1: not a setting (name = value)",
           "a line that is not a setting is reported");
    is_str(reading("[plan pro]\nrequests_per_month = 7\n[plan team]\nbytes_per_month = 1G\n"),
           "read", "plans are sections");
    is_int(plan_list_find(&config.plans, "pro")->requests_per_month, 7,
           "a section changes a built-in plan");
    is_int(plan_list_find(&config.plans, "pro")->bytes_per_month, 500000000,
           "limits that the section does not name keep their values");
    is_int(plan_list_find(&config.plans, "team")->bytes_per_month, 1000000000,
           "a section adds a plan");
    is_str(reading("[plan team]\nretention = 2h\nmax_retention = 7d\n"), "read",
           "a plan with retentions is read");
    ok(plan_list_find(&config.plans, "team")->retention == 7200000 &&
           plan_list_find(&config.plans, "team")->max_retention == 7 * 86400000LL,
       "the retentions of a plan are converted to milliseconds");
    ok(strstr(reading("[plan team]\nretention = long\n"), "time") != NULL,
       "a retention that is not a time is refused");
    is_str(reading("[nothing]\nx = 1\n"), "line 2: there is no section [nothing], only [plan NAME]",
           "an unknown section is refused");
    setenv("PLATEN_WORKERS", "5", 1);
    is_str(reading("workers = 3\n"), "read", "a file is read while the environment has settings");
    is_int(config.workers, 5, "the environment overrides the file");
    ok(config_read(&config, "/nowhere", &err) < 0, "a missing file is an error");

    is_str(listening("127.0.0.1:80"), "127.0.0.1 80", "listen accepts an IPv4 address with a port");
    is_str(listening("[::1]:8080"), "::1 8080", "listen accepts an IPv6 address with a port");
    is_str(listening("8080"), "refused", "listen refuses a port without an address");
    is_str(listening("localhost:99999"), "refused", "listen refuses a port beyond 65535");
    unsetenv("PLATEN_WORKERS");
    check_judge();
    check_names();
    check_files();
    check_showing();
    check_live();
    return done_testing();
}
