#include "write/mathml/tex_write.h"

#include "base/utf8.h"

void tex_write_character(struct buf *out, uint32_t c)
{
    if (c < 0x80)
        buf_put_markup(out, (char) c);
    else
        utf8_put(c, out);
}

void tex_write_text(struct buf *out, const char *text, size_t n)
{
    for (size_t at = 0; at < n;) {
        uint32_t c = utf8_next(text, n, &at);

        tex_write_character(out, c == ' ' || c == '\n' || c == '\t' ? 0xA0 : c);
    }
}

static void letter(struct tex_reader *reader, struct buf *out, const struct tex_symbol *symbol)
{
    uint32_t c = tex_symbol_in(symbol->character, reader->alphabet);
    bool upright = symbol->kind == TEX_UPRIGHT || reader->alphabet != TEX_PLAIN;

    buf_puts(out, upright ? "<mi mathvariant=\"normal\">" : "<mi>");
    tex_write_character(out, c);
    if (reader->negated)
        utf8_put(0x338, out);
    buf_puts(out, "</mi>");
}

void tex_write_symbol(struct tex_reader *reader, struct buf *out, struct tex_symbol symbol,
                      bool unary)
{
    enum tex_class kind = symbol.kind;
    bool sign = kind == TEX_UPRIGHT && symbol.character < 0x80;

    if (kind == TEX_LETTER || (kind == TEX_UPRIGHT && !sign)) {
        letter(reader, out, &symbol);
        reader->negated = false;
        return;
    }
    buf_puts(out, "<mo");
    if (kind == TEX_BINARY && unary)
        buf_puts(out, " form=\"prefix\" lspace=\"0\" rspace=\"0\"");
    else if (reader->scripts > 0 && (kind == TEX_BINARY || kind == TEX_RELATION))
        buf_puts(out, " form=\"infix\" lspace=\"0\" rspace=\"0\" stretchy=\"false\"");
    else if (kind == TEX_BINARY)
        buf_puts(out, " form=\"infix\" lspace=\"0.2222em\" rspace=\"0.2222em\"");
    else if (kind == TEX_RELATION)
        buf_puts(out, " lspace=\"0.2778em\" rspace=\"0.2778em\" stretchy=\"false\"");
    else if (kind == TEX_OPENING || kind == TEX_CLOSING)
        buf_printf(out, " form=\"%s\" stretchy=\"false\" lspace=\"0\" rspace=\"0\"",
                   kind == TEX_OPENING ? "prefix" : "postfix");
    else if (kind == TEX_PUNCTUATION)
        buf_puts(out, " separator=\"true\" lspace=\"0\" rspace=\"0.1667em\"");
    else
        buf_puts(out, " stretchy=\"false\" lspace=\"0\" rspace=\"0\"");
    buf_putc(out, '>');
    tex_write_character(out, symbol.character);
    if (reader->negated)
        utf8_put(0x338, out);
    reader->negated = false;
    buf_puts(out, "</mo>");
}

void tex_write_fence(struct buf *out, uint32_t character, bool opening)
{
    if (character == 0)
        return;
    buf_printf(out, "<mo form=\"%s\" fence=\"true\" stretchy=\"true\" symmetric=\"true\">",
               opening ? "prefix" : "postfix");
    tex_write_character(out, character);
    buf_puts(out, "</mo>");
}

void tex_write_space(struct buf *out, double em)
{
    buf_printf(out, "<mspace width=\"%.4gem\"></mspace>", em);
}

int tex_write_delimiter(struct tex_reader *reader, uint32_t *character)
{
    struct tex_token token = tex_token_next(&reader->in);
    const struct tex_symbol *symbol;

    if (token.kind == TEX_TOKEN_COMMAND) {
        symbol = tex_symbol_find(token.name, token.n);
        if (symbol) {
            *character = symbol->character;
            return 0;
        }
    } else if (token.kind == TEX_TOKEN_CHARACTER) {
        *character = token.character == '.'   ? 0
                     : token.character == '<' ? 0x27E8
                     : token.character == '>' ? 0x27E9
                                              : token.character;
        return 0;
    }
    return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "a bracket is missing after a command");
}
