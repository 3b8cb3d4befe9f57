#include "declare/value/language_list.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void language_list_package(const char *code, char out[static LANGUAGE_LIST_PACKAGE])
{
    snprintf(out, LANGUAGE_LIST_PACKAGE, "tesseract-ocr-%s", code);
    for (char *c = out; *c; c++)
        *c = *c == '_' ? '-' : (char) tolower((unsigned char) *c);
}

/* The tags of codes that are not, with their first part, tags themselves (ISO 639-1 has two letters
 * for most of Tesseract's codes, which are of ISO 639-2). */
static const char tags[] =
    "afr:af amh:am ara:ar asm:as aze:az aze_cyrl:az-Cyrl bel:be ben:bn bod:bo bos:bs bre:br bul:bg "
    "cat:ca ces:cs chi_sim:zh-Hans chi_sim_vert:zh-Hans chi_tra:zh-Hant chi_tra_vert:zh-Hant "
    "cos:co "
    "cym:cy dan:da deu:de div:dv dzo:dz ell:el eng:en epo:eo est:et eus:eu fao:fo fas:fa fin:fi "
    "fra:fr frk:de-Latf fry:fy gla:gd gle:ga glg:gl guj:gu hat:ht heb:he hin:hi hrv:hr hun:hu "
    "hye:hy "
    "iku:iu ind:id isl:is ita:it ita_old:it jav:jv jpn:ja jpn_vert:ja kan:kn kat:ka kat_old:ka "
    "kaz:kk khm:km kir:ky kor:ko kor_vert:ko lao:lo lat:la lav:lv lit:lt ltz:lb mal:ml mar:mr "
    "mkd:mk mlt:mt mon:mn mri:mi msa:ms mya:my nep:ne nld:nl nor:no oci:oc ori:or pan:pa pol:pl "
    "por:pt pus:ps que:qu ron:ro rus:ru san:sa sin:si slk:sk slv:sl snd:sd spa:es spa_old:es "
    "sqi:sq "
    "srp:sr srp_latn:sr-Latn sun:su swa:sw swe:sv tam:ta tat:tt tel:te tgk:tg tha:th tir:ti ton:to "
    "tur:tr uig:ug ukr:uk urd:ur uzb:uz uzb_cyrl:uz-Cyrl vie:vi yid:yi yor:yo";

void language_list_tag(const char *list, char tag[static LANGUAGE_LIST_CODE])
{
    size_t n = strlen(list);

    *tag = '\0';
    if (n == 0 || strchr(list, '+') || strcmp(list, LANGUAGE_LIST_AUTO) == 0)
        return;
    for (const char *at = tags; *at; at += strcspn(at, " "), at += *at == ' ') {
        if (strncmp(at, list, n) != 0 || at[n] != ':')
            continue;
        snprintf(tag, LANGUAGE_LIST_CODE, "%.*s", (int) strcspn(at + n + 1, " "), at + n + 1);
        return;
    }
    if (n == 3 && strspn(list, "abcdefghijklmnopqrstuvwxyz") == 3 && strcmp(list, "equ") != 0)
        snprintf(tag, LANGUAGE_LIST_CODE, "%s", list);
}

static bool is_installed(const char *code, const char *const *installed)
{
    for (size_t i = 0; installed && installed[i]; i++)
        if (strcmp(installed[i], code) == 0)
            return true;
    return !installed;
}

static int refuse(const char *code, const char *const *installed, struct err *err)
{
    char package[LANGUAGE_LIST_PACKAGE], list[120] = "";
    size_t n = 0;

    language_list_package(code, package);
    for (size_t i = 0; installed && installed[i] && n < sizeof list; i++)
        if (strcmp(installed[i], LANGUAGE_LIST_AUTO) != 0)
            n += (size_t) snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", installed[i]);
    return err_set(err, ERR_INVALID_PARAMETER,
                   "the language %s is not installed here: apt-get install %s installs it; there "
                   "are %s",
                   code, package, list);
}

int language_list_check(const char *text, const char *const *installed, struct err *err)
{
    const char *at = text;

    if (strcmp(text, LANGUAGE_LIST_AUTO) == 0)
        return 0;
    for (size_t i = 0; i < LANGUAGE_LIST_MOST; i++) {
        size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        char code[LANGUAGE_LIST_CODE];

        if (n < 2 || n >= sizeof code || (at[n] != '+' && at[n] != '\0'))
            break;
        snprintf(code, sizeof code, "%.*s", (int) n, at);
        if (strcmp(code, LANGUAGE_LIST_AUTO) == 0)
            break;
        if (!is_installed(code, installed))
            return refuse(code, installed, err);
        if (at[n] == '\0')
            return 0;
        at += n + 1;
    }
    return err_set(err, ERR_INVALID_PARAMETER,
                   "it must be auto, or at most %d codes of languages joined by +, such as deu+eng",
                   LANGUAGE_LIST_MOST);
}
