#!/usr/bin/python3
"""bundle.py BUNDLER: what src/server/web/bundle.py makes of modules and style sheets, and what it refuses."""
import os
import subprocess
import sys
import tempfile

BUNDLER = sys.argv[1]
count = bad = 0


def ok(what, holds, *more):
    global count, bad
    count += 1
    bad += not holds
    print(f"{'ok' if holds else 'not ok'} {count} - {what}")
    if not holds:
        print("#", *more)


def bundled(files):
    """(status, what it said, {name: text})"""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in {"docs.js": "", "theme.js": "", "offline.js": "", "sw.js": "", **files}.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        ran = subprocess.run([BUNDLER, os.path.join(folder, "out"), *paths], capture_output=True, text=True, check=False)
        made = {}
        for path in ran.stdout.split():
            with open(path, encoding="utf-8") as file:
                made[os.path.basename(path)] = file.read()
        return ran.returncode, ran.stderr, made


PAGE = {
    "app.js": 'import { one as other } from "./app_one.js";\nother(async () => (await import("./app_view.js")).view);\n',
    "app.css": "/* all */\n.a {\n  color: red; /* so */\n}\n",
    "app_one.js": '// one\n/** One. */\nexport function one(x) { return x; } // done\nexport const two = "/* kept */ // kept";\n',
    "app_one.css": ".one { color: blue; }\n",
    "app_view.js": 'import { two } from "./app_one.js";\nimport { deep } from "./app_deep.js";\nexport const view = two + deep;\n',
    "app_view.css": ".view { color: green; }\n",
    "app_deep.js": "export const deep = `\n  kept ${`/* kept */`}`.replace(/[/*]\"/g, '');\n",
    "app_deep.css": ".deep { color: gray; }\n",
    "en.json": '{"ui": {"a": "A"}, "params": {"b": ["B"]}, "pages": {"b": "B", "c": "C"}}',
    "other.json": "{ }",
}

status, said, made = bundled(PAGE)
ok("modules are bundled", status == 0, said)
ok("what the page imports comes with it, and is no file of its own", "app_one.js" not in made and "function one(x)" in made["app.js"])
ok("a module that is wanted later is a file of its own", "app_view.js" in made and "view" in made["app_view.js"])
ok("it takes what the page has from there, under its own names",
   'import { $app_one } from "./app.js";' in made["app_view.js"] and "const { two } = $app_one;" in made["app_view.js"], made["app_view.js"])
ok("and the rest from the other modules", 'import { deep } from "./app_deep.js";' in made["app_view.js"])
ok("an import under another name is one", "const { one: other } = $app_one;" in made["app.js"], made["app.js"])
ok("it is asked for with all that it needs at the same time",
   '{"./app_view.js":{"modules":["./app_deep.js","./app_view.js"],"sheets":["./app_deep.css","./app_view.css"]}}' in made["app.js"]
   and 'await lazy("./app_view.js")' in made["app.js"], made["app.js"])
ok("the style sheets of the page's own modules are one", made["app.css"] == ".a {\ncolor: red;\n}\n.one { color: blue; }\n" and "app_one.css" not in made, made["app.css"])
ok("those of the others are files", made["app_view.css"] == ".view { color: green; }\n")
ok("comments are left out, and strings are not touched", '"/* kept */ // kept"' in made["app.js"] and "done" not in made["app.js"] and "One." not in made["app.js"], made["app.js"])
ok("nor are templates and regular expressions", "`\n  kept ${`/* kept */`}`.replace(/[/*]\"/g, '')" in made["app_deep.js"], made["app_deep.js"])
ok("other files stay as they are", made["other.json"] == "{ }")
ok("what forms say in a language is a file of its own", made["en.json"] == '{"ui":{"a":"A"}}' and made["en_forms.json"] == '{"params":{"b":["B"]}}', made)
ok("words are for the page or for the server's own pages", made["en.json"] == '{"ui":{"a":"A"}}' and made["en.txt"] == "\nb\tB\nc\tC\n", made["en.txt"])
for what, name, text, word in (
        ("a cycle of imports", "app_one.js", 'import { view } from "./app_view.js";\nexport const one = 1;\nexport const two = 2;\n', "cycle"),
        ("an export that changes", "app_one.js", "export let one = 1;\nexport const two = 2;\n", "changes"),
        ("a default export", "app_one.js", "export default 1;\n", "does not know"),
        ("a module that waits", "app_one.js", "await 1;\nexport const one = 1;\nexport const two = 2;\n", "wait"),
        ("a module that is not there", "app.js", 'import { a } from "./app_none.js";\n', "app_none.js"),
        ("an import of one later that is not there", "app.js", 'import("./app_none.js");\n', "app_none.js")):
    status, said, _ = bundled({**PAGE, name: text})
    ok(f"{what} is refused", status == 1 and word in said, status, said)
print(f"1..{count}")
sys.exit(bad > 0)
