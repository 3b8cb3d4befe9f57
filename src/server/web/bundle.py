#!/usr/bin/python3
"""bundle.py FOLDER FILE...: writes what the web page loads to a folder, and prints the paths.

What a page needs from its first pixel on comes in one file: the module that its HTML names, with
all that it imports statically, and their style sheets. Every other module stays a file of its own,
which `import("./app_x.js")` loads when it is wanted, together with all that it imports; a style
sheet `app_x.css` belongs to the module `app_x.js` and comes with it. Comments and indentation are
left out. The texts of a language are two files: those of forms are loaded when a form is. What this cannot do is an error: cycles of imports, exports that change, default exports.
"""

import json
import os
import re
import sys

ENTRIES = ("app", "docs", "theme", "offline", "sw")
FORMS = ("params", "choices", "figures")  # sections of a language that forms need
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.M)
DYNAMIC = re.compile(r'(?<![\w.$])import\("\./(\w+)\.js"\)')
EXPORT = re.compile(r"^export ((?:async )?function\*?|const|class) (\w+)", re.M)
LISTED = re.compile(r"^export \{([^}]*)\};\n", re.M)
BEFORE_REGEX = re.compile(r"(^|[(,=:\[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|await|yield|void|delete))$")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`""", re.S)
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")

# Runs before the modules of a bundle: loads a module with all that it needs at the same time.
LOADER = """\
const needs = %s;
const sheet = (name) => new Promise((resolve, reject) => {
const href = new URL(name, import.meta.url).href;
if ([...document.styleSheets].some((one) => one.href === href)) return resolve();
const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve });
link.onerror = () => { link.remove(); reject(new TypeError("Failed to fetch the style sheet " + name)); };
document.head.append(link);
});
const lazy = async (name) => {
for (const one of needs[name].modules) {
const href = new URL(one, import.meta.url).href;
if (![...document.querySelectorAll("link[rel=modulepreload]")].some((link) => link.href === href)) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
const [made] = await Promise.all([import(name), ...needs[name].sheets.map(sheet)]);
return made;
};
"""


def fail(text):
    sys.exit(f"bundle.py: {text}")


def template_end(text, at):
    """Where the template that begins at `at` ends; what is in ${} may have templates of its own."""
    at += 1
    while at < len(text) and text[at] != "`":
        if text[at] == "\\":
            at += 2
        elif text.startswith("${", at):
            at = code_end(text, at + 2)
        else:
            at += 1
    return at + 1


def code_end(text, at):
    """The position after the } that ends the ${ before `at`."""
    depth = 1
    while at < len(text):
        if text[at] == "`":
            at = template_end(text, at)
            continue
        string = text[at] in "\"'" and TOKEN.match(text, at)
        if string:
            at = string.end()
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at
    return at


def squeezed(text):
    """JavaScript without comments and indentation; strings, templates and regular expressions stay."""
    out, kept, at = [], {}, 0

    def keep(piece):
        name = f"\x00{len(kept)}\x00"
        kept[name] = piece
        out.append(name)

    while at < len(text):
        token = TOKEN.match(text, at)
        if text[at] == "`":
            end = template_end(text, at)
            keep(text[at:end])
        elif token and token.group().startswith(("//", "/*")):
            end = token.end()
        elif token:
            end = token.end()
            keep(token.group())
        elif text[at] == "/" and BEFORE_REGEX.search("".join(out[-40:]).rstrip()) and (found := REGEX.match(text, at)):
            end = found.end()
            keep(found.group())
        else:
            end = at + 1
            out.append(text[at])
        at = end
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in "".join(out).split("\n"))
    short = "\n".join(line for line in lines if line) + "\n"
    return re.sub("\x00\\d+\x00", lambda found: kept[found.group()], short)


def squeezed_sheet(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line) + "\n"


class Module:
    def __init__(self, name, text):
        self.name = name
        waits = re.search(r"^(?:const .* = )?await\b.*", text, re.M)
        if waits:
            fail(f"{name}.js: `{waits.group()[:60]}`: what imports a module would wait with it")
        text = squeezed(text)
        self.imports = {}  # name of a module -> "one, other: alias"
        for names, other in IMPORT.findall(text):
            said = re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(names.split()).rstrip(","))
            self.imports[other] = f"{self.imports[other]}, {said}" if other in self.imports else said
        self.exports = [found[1] for found in EXPORT.findall(text)]
        for names in LISTED.findall(text):
            self.exports += [one.strip() for one in names.split(",") if one.strip()]
        self.body = IMPORT.sub("", text)
        self.bare = LISTED.sub("", EXPORT.sub(r"\1 \2", self.body))
        for line in self.bare.split("\n"):
            if re.match(r"(import|export)\b(?!\()", line):
                fail(f"{name}.js: `{line[:60]}` is a form of import or export that this does not know; an export that changes can be a function")
        self.dynamic = DYNAMIC.findall(self.bare)

    def plain(self, text, known):
        """The text with dynamic imports that go through the loader."""
        for name in self.dynamic:
            if name not in known:
                fail(f"{self.name}.js: there is no {name}.js to import; is it in meson.build?")
        return DYNAMIC.sub(r'lazy("./\1.js")', text)


def reached(modules, name, done, way=()):
    """Adds a module to `done`, after all that it imports."""
    if name in way:
        fail("a cycle of imports: " + " -> ".join((*way[way.index(name):], name)))
    if name not in modules:
        fail(f"{way[-1] if way else 'the page'}.js: there is no {name}.js to import; is it in meson.build?")
    if name not in done:
        for other in modules[name].imports:
            reached(modules, other, done, (*way, name))
        done.append(name)
    return done


def bundle(modules, sheets, entry):
    """The files of a page: one for its entry, and those that are loaded when they are wanted."""
    start = reached(modules, entry, [])
    wanted = {name for one in modules.values() for name in one.dynamic}
    needs = {}
    for name in sorted(wanted if entry == "app" else ()):
        all_of_it = [one for one in reached(modules, name, []) if one not in start]
        needs[f"./{name}.js"] = {"modules": [f"./{one}.js" for one in all_of_it],
                                 "sheets": [f"./{one}.css" for one in all_of_it if one in sheets]}
    out = [LOADER % json.dumps(needs, separators=(",", ":"))] if needs else []
    for name in start:
        one = modules[name]
        taken = "".join(f"const {{ {names} }} = ${other};\n" for other, names in one.imports.items())
        out.append(f"const ${name} = (() => {{\n{taken}{one.plain(one.bare, modules)}return {{ {', '.join(one.exports)} }};\n}})();\n")
    if needs:
        out.append(f"export {{ lazy, {', '.join('$' + name for name in start)} }};\n")
    files = {f"{entry}.js": "".join(out)}
    if needs:
        files[f"{entry}.css"] = "".join(sheets[name] for name in [entry, *(one for one in start if one != entry)] if name in sheets)
    return start, files


def lazy_file(one, modules, start):
    """A module that is loaded when it is wanted: what it has from the page's first file comes from there."""
    shared = [name for name in one.imports if name in start]
    taken = ["lazy"] * bool(one.dynamic) + ["$" + name for name in shared]
    out = [f'import {{ {", ".join(taken)} }} from "./app.js";\n'] if taken else []
    for name, names in one.imports.items():
        if name not in start:
            said = re.sub(r"(\w+): (\w+)", r"\1 as \2", names)
            out.append(f'import {{ {said} }} from "./{name}.js";\n')
    out += [f"const {{ {one.imports[name]} }} = ${name};\n" for name in shared]
    return "".join(out) + one.plain(one.body, modules)


def language_files(name, text):
    """A language, apart from it what only forms say, and the words of the server's own pages as lines of name, tab
    and text, with the titles of tools."""
    words = json.loads(text)
    apart = {section: words.pop(section) for section in FORMS if section in words}
    titles = {f"tool.{tool}": said[0] for tool, said in words.get("tools", {}).items()}
    pages = "".join(f"\n{key}\t{said}" for key, said in {**words.pop("pages", {}), **titles}.items()) + "\n"
    files = {f"{name}{suffix}.json": json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode()
             for suffix, part in (("", words), ("_forms", apart))}
    return {**files, f"{name}.txt": pages.encode()}


def main(folder, paths):
    files, texts = {}, {}
    for path in paths:
        name = os.path.basename(path)
        with open(path, "rb") as file:
            files[name] = file.read()
    for name in files:
        if name.endswith((".js", ".css")):
            texts[name] = files[name].decode()
    for name in [one for one in files if re.fullmatch(r"[a-z]{2}\.json", one)]:
        files.update(language_files(name[:-5], files[name]))
    modules = {name[:-3]: Module(name[:-3], text) for name, text in texts.items() if name.endswith(".js")}
    sheets = {name[:-4]: squeezed_sheet(text) for name, text in texts.items() if name.endswith(".css")}
    files.update((f"{name}.css", text.encode()) for name, text in sheets.items())
    for entry in ENTRIES:
        start, made = bundle(modules, sheets, entry)
        for name in start:
            del files[f"{name}.js"]
            if entry == "app" and name != entry:
                files.pop(f"{name}.css", None)
        if entry == "app":
            for name, one in modules.items():
                if name.startswith("app_") and name not in start:
                    made[f"{name}.js"] = lazy_file(one, modules, start)
        files.update((name, text.encode()) for name, text in made.items())
    os.makedirs(folder, exist_ok=True)
    for name in sorted(files):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(files[name])
        print(os.path.join(folder, name))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
