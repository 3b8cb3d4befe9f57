"""made: pages made for the comparison with the browser: one for each thing that pages do."""
import tool

WORDS = "The quick brown fox jumps over the lazy dog while five boxing wizards jump quickly and pack my box with jugs. "
ROWS = "".join(f"<tr><td>{i}<td>{WORDS[:i % 60]}<td>{i * i}" for i in range(120))
SCRIPTED = {}

STYLES = {
    "flex": ".a{display:flex;gap:9px;flex-wrap:wrap}.a>*{flex:1 1 120px;border:1px solid}", "grid": ".a{display:grid;grid-template-columns:repeat(3,1fr) 2fr;gap:1em}.a>*{background:#eef}",
    "columns": "body{columns:3;column-rule:1px solid red}", "floats": ".a>:nth-child(odd){float:left;width:40%;margin:1em;background:#fee}",
    "orphans": "p{orphans:4;widows:4}", "breaks": ".a>:nth-child(3n){break-before:page}", "avoid": ".a>*{break-inside:avoid;padding:80px 0}",
    "fixed": "h1{position:fixed;top:0;right:0;color:red}", "sticky": "h1{position:sticky;top:0}", "gradient": "body{background:linear-gradient(45deg,#fdd,#ddf)}",
    "shadow": ".a>*{box-shadow:3px 3px 8px #888;border-radius:12px;padding:1em}", "text shadow": "h1{text-shadow:2px 2px 4px red}", "filter": "h1{filter:blur(2px)}.a{filter:grayscale(1)}",
    "transform": "h1{transform:rotate(5deg) scale(1.2);transform-origin:0 0}", "perspective": ".a>*{transform:perspective(400px) rotateY(20deg)}", "opacity": ".a>:nth-child(even){opacity:.3}",
    "blend": ".a>*{background:#f80;mix-blend-mode:multiply;margin-top:-1em}", "clip path": ".a>*{clip-path:polygon(0 0,100% 0,80% 100%,0 80%)}", "shape": "h1{float:left;shape-outside:circle();width:200px;height:200px}",
    "vertical": "body{writing-mode:vertical-rl}", "right to left": "body{direction:rtl}", "hyphens": "body{hyphens:auto;width:200px}", "justify": "p{text-align:justify}", "counters": "body{counter-reset:a}p::before{counter-increment:a;content:counter(a,upper-roman) '. '}",
    "before and after": "p::before{content:open-quote}p::after{content:close-quote}", "first letter": "p::first-letter{font-size:3em;float:left}p::first-line{color:red}", "variables": ":root{--c:#0a0}h1{color:var(--c)}",
    "media": "@media print{h1{color:green}}@media screen{h1{display:none}}", "page size": "@page{size:a5 landscape;margin:2cm}", "named pages": "@page b{size:a3}.a>:nth-child(4){page:b}", "page margins": "@page{margin:3cm 1cm}@page :first{margin-top:8cm}",
    "page boxes": "@page{@bottom-center{content:counter(page) ' of ' counter(pages)}}", "container": ".a{container-type:inline-size}@container (min-width:300px){p{color:blue}}", "nesting": ".a{& p{color:#a0a}}", "subgrid": ".a{display:grid;grid-template-columns:1fr 1fr}.a>*{display:grid;grid-template-columns:subgrid}",
    "animation": "@keyframes k{to{color:red}}h1{animation:k 1s paused}", "color": "h1{color:oklch(60% .2 30)}p{color:color-mix(in srgb,red,blue)}", "dark": "@media (prefers-color-scheme:dark){body{background:#000}}", "decoration": "p{text-decoration:wavy underline red 2px}",
    "spacing": "p{letter-spacing:.2em;word-spacing:1em;line-height:2.5}", "caps": "p{font-variant-caps:small-caps;text-transform:capitalize}", "overflow": ".a>*{height:1.2em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}", "clamp": ".a>*{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}",
    "border image": "h1{border:20px solid;border-image:linear-gradient(red,blue) 1}", "outline": "p{outline:3px dashed green;outline-offset:4px}", "mask": "h1{-webkit-mask-image:linear-gradient(#000,transparent)}", "zoom": "body{zoom:.6}", "aspect": ".a>*{aspect-ratio:3;border:1px solid}",
}

MARKUP = {
    "table": f"<table border=1><thead><tr><th>n<th>words<th>square<tbody>{ROWS}<tfoot><tr><td colspan=3>end</table>", "wide table": "<table border=1><tr>" + "<td>cell" * 60 + "</table>",
    "lists": "<ol type=I><li>a<ul><li>b<ol start=7 reversed><li>c<li>d</ol></ul></ol><dl><dt>t<dd>d</dl>", "form": "<form><input value=a><input type=checkbox checked><select><option>b</select><textarea>c</textarea><button>d</button><progress value=.4></progress><meter value=.7></meter></form>",
    "ruby": "<ruby>漢<rt>kan</ruby>", "scripts": "<p>日本語の文章 中文 한국어 العربية עברית हिन्दी ไทย Ελληνικά Кириллица", "emoji": "<p>😀 👩‍👩‍👧 🇩🇪 ❤️", "mathml": "<math display=block><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac></math>",
    "svg": "<svg width=300 height=200><defs><linearGradient id=g><stop stop-color=red><stop offset=1 stop-color=blue></linearGradient></defs><circle cx=100 cy=100 r=80 fill='url(#g)' stroke=black /><text x=20 y=100>text</text><path d='M10 10Q90 90 200 20' fill=none stroke=green stroke-dasharray=4 /></svg>",
    "svg filter": "<svg width=300 height=200><filter id=f><feGaussianBlur stdDeviation=4 /></filter><rect width=200 height=100 filter='url(#f)'/></svg>", "picture": "<img src=a.png width=300 height=200 style='image-rendering:pixelated'>", "pictures": "<img src=a.png>" * 300, "object": "<object data=a.svg width=200></object>", "background": "<div style='background:url(a.png) repeat-x;height:50px'></div>",
    "frame": "<iframe src=f.html width=400 height=200></iframe>", "frame of its own": "<iframe srcdoc='<b>inner</b>'></iframe>", "style sheet": "<link rel=stylesheet href=s.css><p class=x>styled", "details": "<details open><summary>s</summary>content</details><details><summary>closed</summary>no</details>", "pre": "<pre>" + "a long line of code " * 20 + "</pre>",
    "long word": "<p>" + "x" * 3000, "links": "<p><a href='https://example.com/'>out</a> <a href='#b'>in</a><div style='height:2000px'></div><p id=b>target", "headings": "".join(f"<h{i % 6 + 1}>heading {i}</h{i % 6 + 1}><p>{WORDS * 4}" for i in range(30)), "font": "<style>@font-face{font-family:w;src:url(w.ttf)}</style><p style='font-family:w'>" + WORDS, "dialog": "<dialog open>dialog</dialog>",
    "shadow root": "<div><template shadowrootmode=open><style>p{color:red}</style><p>shadow</template></div>", "quirks": "QUIRKS<table><tr><td>q</table>", "long": f"<p>{WORDS * 10}" * 60, "hr": "<hr><hr size=9 color=red><hr width='50%'>", "marks": "<p><mark>m</mark><kbd>k</kbd><sub>s</sub><sup>s</sup><del>d</del><ins>i</ins><q>q</q><abbr title=x>a</abbr>", "base": "<base href='x/'><img src=../a.png width=80>", "lazy": "<div style='height:5000px'></div><img loading=lazy src=a.png width=80>", "srcset": "<img srcset='a.png 1x,b.png 2x' width=80>",
}

SCRIPTS = {
    "canvas": "<canvas id=c width=300 height=150></canvas><script>x=c.getContext('2d');x.fillStyle='#08f';x.fillRect(20,20,200,90);x.font='30px serif';x.strokeText('canvas',40,80)</script>", "made by script": "<script>for(i=0;i<50;i++)document.write('<p>line '+i)</script>", "later": "<script>onload=()=>document.body.append('at load')</script>",
    "fetch": "<script>x=new XMLHttpRequest;x.open('GET','d.json',false);x.send();document.write(JSON.parse(x.responseText).word)</script>", "module": "<script type=module src=m.mjs></script>", "custom element": "<x-a></x-a><script>customElements.define('x-a',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<b>custom</b>'}})</script>", "blob": "<img id=i><script>s=new Blob(['<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"90\"><circle r=\"60\"/></svg>'],{type:'image/svg+xml'});i.src=URL.createObjectURL(s)</script>", "before print": "<script>onbeforeprint=()=>document.body.append('printing')</script>", "media query": "<script>matchMedia('print').onchange=()=>document.body.append('changed')</script>",
}


def pages():
    """(name, files, whether scripts run) of each page."""
    text = "".join(f"<p>{i} {WORDS * (1 + i % 5)}</p>" for i in range(24))
    shared = {"a.png": tool.PNG, "b.png": tool.PNG, "a.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle r='8'/></svg>", "f.html": "<body bgcolor=yellow>frame",
              "s.css": "@import 't.css';.x{color:red}", "t.css": ".x{font-size:3em}", "d.json": '{"word":"fetched"}', "m.mjs": "document.body.append('module')"}
    with open("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "rb") as file:
        shared["w.ttf"] = file.read()
    for name, style in STYLES.items():
        yield name, {"index.html": f"<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title><style>{style}</style><h1>{name}</h1><div class=a>{text}</div>"}, False
    for table, scripts in ((MARKUP, False), (SCRIPTS, True)):
        for name, markup in table.items():
            doctype = "" if markup.startswith("QUIRKS") else "<!doctype html>"
            yield name, {**shared, "index.html": f"{doctype}<meta charset=utf-8><title>{name}</title><h1>{name}</h1>{markup}"}, scripts
