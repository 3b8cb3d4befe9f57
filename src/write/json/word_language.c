#include "write/json/word_language.h"

#include <string.h>

#include "base/scope.h"

#define LEAST 2 /* letters of a script, by which a word is known to be written in it */

/* Scripts other than Latin, by their blocks in Unicode: the language that is written in one, if
 * nearly all that is written in it is in that language, and the others that are. */
static const struct script_block {
    uint32_t from, to;
    const char *only;
    const char *languages; /* each after a blank */
} blocks[] = {
    { 0x370, 0x3ff, "el", " el grc cop" },
    { 0x400, 0x52f, NULL,
      " ru uk be bg sr mk kk ky tg tt ba cv mn mo os ce ab av sah bs sh uz az tk kv udm rue cu" },
    { 0x530, 0x58f, "hy", " hy hyw" },
    { 0x590, 0x5ff, NULL, " he iw yi ji lad arc" },
    { 0x600, 0x77f, NULL,
      " ar fa ur ps ug sd ku ckb ks pnb azb arz ary aeb prs uz pa dv ms ha sw az kk" },
    { 0x900, 0x97f, NULL, " hi mr ne sa kok mai bho doi brx sd ks" },
    { 0x980, 0x9ff, NULL, " bn as mni" },
    { 0xa00, 0xa7f, "pa", " pa" },
    { 0xa80, 0xaff, "gu", " gu" },
    { 0xb00, 0xb7f, "or", " or" },
    { 0xb80, 0xbff, "ta", " ta" },
    { 0xc00, 0xc7f, "te", " te" },
    { 0xc80, 0xcff, "kn", " kn tcy" },
    { 0xd00, 0xd7f, "ml", " ml" },
    { 0xd80, 0xdff, "si", " si" },
    { 0xe00, 0xe7f, "th", " th" },
    { 0xe80, 0xeff, "lo", " lo" },
    { 0xf00, 0xfff, NULL, " bo dz" },
    { 0x1000, 0x109f, NULL, " my shn mnw kar ksw" },
    { 0x10a0, 0x10ff, "ka", " ka xmf sva" },
    { 0x1100, 0x11ff, "ko", " ko" },
    { 0x1200, 0x139f, NULL, " am ti tig gez" },
    { 0x13a0, 0x13ff, "chr", " chr" },
    { 0x1780, 0x17ff, "km", " km" },
    { 0x1f00, 0x1fff, "el", " el grc" },
    { 0x3041, 0x30ff, "ja", " ja" }, /* also where Chinese characters are around it */
    { 0x3400, 0x4dbf, NULL, " zh ja ko yue lzh wuu nan hak cdo gan hsn vi" },
    { 0x4e00, 0x9fff, NULL, " zh ja ko yue lzh wuu nan hak cdo gan hsn vi" },
    { 0xac00, 0xd7a3, "ko", " ko" },
    { 0xf900, 0xfaff, NULL, " zh ja ko yue lzh wuu nan hak cdo gan hsn vi" },
};

static bool is_written(const struct script_block *block, const char *language)
{
    size_t n = strcspn(language, "-");

    for (const char *at = block->languages; *at; at += strcspn(at, " "))
        if (strncmp(++at, language, n) == 0 && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

static const struct script_block *block_of(uint32_t code)
{
    for (size_t i = 0; i < COUNT(blocks); i++)
        if (code >= blocks[i].from && code <= blocks[i].to)
            return &blocks[i];
    return NULL;
}

/* The script that most letters of a word are of, if it is not Latin. Kana or Hangul among Chinese
 * characters say more than these. */
static const struct script_block *script_of(const struct word *word)
{
    const struct script_block *found = NULL;
    size_t n = 0, others = 0;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        const struct script_block *block = block_of(word->glyphs[i].code);

        if (!block) {
            others += word->glyphs[i].code > '@' && word->glyphs[i].code < 0x250;
            continue;
        }
        n++;
        if (!found || (!found->only && block->only))
            found = block;
    }
    return n > others && (n >= LEAST || (found && found->from >= 0x3041)) ? found : NULL;
}

/* What the document states for the word or for its element. */
static bool is_stated(const struct reading *reading, const struct word *word, const char **language)
{
    for (size_t i = 0; i < word->n_glyphs; i++) {
        *language = language_tags_find(&reading->content->languages, word->glyphs[i].language);
        if (*language)
            return true;
    }
    return false;
}

const char *word_language(const struct reading *reading, const struct word *word)
{
    const struct script_block *script;
    const char *language = NULL;
    bool stated = is_stated(reading, word, &language);

    if (stated && *language)
        return language;
    script = script_of(word);
    if (!stated && reading->language && (!script || is_written(script, reading->language)))
        return reading->language;
    return script ? script->only : NULL;
}
