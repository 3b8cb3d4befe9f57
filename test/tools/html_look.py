"""Says what is in a page of HTML: html_look.py FILE WHAT. It fails if elements are not closed."""

import html.parser
import sys

VOID = {"meta", "img", "hr", "br", "link"}
INLINE = {"b", "i", "u", "s", "sup", "sub", "a"}


class Node:
    def __init__(self, name, attributes):
        self.name, self.attributes, self.children = name, dict(attributes), []

    def text(self):
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)

    def all(self, name):
        for child in self.children:
            if isinstance(child, Node):
                if child.name == name:
                    yield child
                yield from child.all(name)

    def outline(self):
        kids = [c for c in self.children if isinstance(c, Node) and c.name not in INLINE]
        inner = " ".join(filter(None, (c.outline() for c in kids))) or self.text().strip()
        return self.name if self.name == "p" else f"{self.name}({inner})"


class Parser(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = [Node("", ())]

    def handle_starttag(self, tag, attrs):
        node = Node(tag, attrs)
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag):
        assert self.open[-1].name == tag, (tag, self.open[-1].name, self.getpos())
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)


parser = Parser()
with open(sys.argv[1], encoding="utf-8") as file:
    source = file.read()
assert source.startswith("<!doctype html>\n")
parser.feed(source)
parser.close()
assert len(parser.open) == 1
root = parser.open[0]
main = next(root.all("main"))
links = [a.attributes["href"] for a in main.all("a") if "href" in a.attributes]
ids = [n.attributes["id"] for name in ("a", "li") for n in main.all(name) if "id" in n.attributes]
assert len(ids) == len(set(ids))
print({
    "outline": lambda: " ".join(c.outline() for c in main.children
                                if isinstance(c, Node) and c.name not in INLINE),
    "title": lambda: next(root.all("title")).text(),
    "lang": lambda: next(root.all("html")).attributes.get("lang", ""),
    "links": lambda: " ".join(links),
    "broken": lambda: sum(link[1:] not in ids for link in links if link.startswith("#")),
    "scripts": lambda: len(list(root.all("script"))),
    "text": lambda: main.text().strip(),
    "images": lambda: " ".join(i.attributes["src"].split(";")[0].split("/")[1] for i in main.all("img")),
    "alts": lambda: " ".join(i.attributes["alt"] for i in main.all("img")),
    "math": lambda: len(list(main.all("math"))),
}[sys.argv[2]]())
