"""with_pikepdf.py SOURCE OUT SECRET [box]: removes a text with pikepdf, as scripts do: strings of the text operators of each page that
have it, and the entries of Info and XMP. With `box`, only draws a black box."""

import sys

import pikepdf

SHOWING = {"Tj", "TJ", "'", '"'}


def emptied(operand, secret):
    if isinstance(operand, pikepdf.Array):
        whole = b"".join(bytes(one) for one in operand if isinstance(one, pikepdf.String))
        return pikepdf.Array([]) if secret in whole else operand
    if isinstance(operand, pikepdf.String) and secret in bytes(operand):
        return pikepdf.String(bytes(operand).replace(secret, b""))
    return operand


def main(source, out, secret, box=None):
    with pikepdf.open(source) as pdf:
        for page in pdf.pages:
            if box:
                page.contents_add(pikepdf.Stream(pdf, b"0 g 60 580 300 70 re f"))
                continue
            commands = []
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) in SHOWING:
                    operands = [emptied(one, secret.encode("utf-8")) for one in operands]
                commands.append((operands, operator))
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(commands))
        if not box:
            for key in list(pdf.docinfo.keys()):
                if secret in str(pdf.docinfo[key]):
                    del pdf.docinfo[key]
            if "/Metadata" in pdf.Root:
                del pdf.Root.Metadata
        pdf.remove_unreferenced_resources()
        pdf.save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
