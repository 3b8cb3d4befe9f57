#include "layout/page/claim.h"

#include "layout/page/words.h"

static const char *const names[OWNERS] = {
    [OWNER_NONE] = "none",
    [OWNER_HEADER_FOOTER] = "header_footer",
    [OWNER_RULED_TABLE] = "ruled_table",
    [OWNER_BORDERLESS_TABLE] = "borderless_table",
    [OWNER_TAGGED_TABLE] = "tagged_table",
    [OWNER_KEY_VALUE_TABLE] = "key_value_table",
    [OWNER_FRAME] = "frame",
    [OWNER_CHART] = "chart",
    [OWNER_MARGIN_NOTE] = "margin_note",
    [OWNER_ROTATED] = "rotated",
    [OWNER_TEXT] = "text",
    [OWNER_DIAGRAM] = "diagram",
    [OWNER_PLAIN] = "plain",
    [OWNER_BULLET] = "bullet",
    [OWNER_FORMULA] = "formula",
    [OWNER_DECORATION] = "decoration",
};

bool claim_word(struct word *word, enum owner owner)
{
    if (word->claimed_by == OWNER_NONE && !(word->reserved && owner == OWNER_HEADER_FOOTER))
        word->claimed_by = owner;
    return word->claimed_by == owner;
}

bool claim_fill(struct fill *fill, enum owner owner)
{
    if (fill->claimed_by == OWNER_NONE)
        fill->claimed_by = owner;
    return fill->claimed_by == owner;
}

void claim_reserve(struct word *word)
{
    word->reserved = true;
}

const char *claim_name(enum owner owner)
{
    return names[owner];
}
