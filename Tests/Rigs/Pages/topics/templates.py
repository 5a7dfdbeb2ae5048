"""Unfilled placeholders of server templates: Jinja, EJS, Mustache, Go, Django."""
from pages import UP, html, page, say, trap

STRICT = "path-strict"
ROOM = '<div id="app"></div>'


def inline(script):
    return html("", f"{ROOM}<script>{script}</script>")


def left(name, script, mark, profile="path-strict capacitor"):
    """A page whose only script does not parse because of a placeholder in its code."""
    page(name, profile, {"index.html": inline(script)}, UP, ("index.html", mark), expect="break")


left("template-jinja-value", "window.settings = {{ settings|tojson }};" + say(), "{{ settings")
left("template-jinja-safe", "var user={{user | safe}};" + say(), "{{user")
left("template-jinja-block", "{% if debug %}window.debug=true;{% endif %}" + say(), "{% if")
left("template-jinja-in-call", "init({{ config }}, 2);" + say() + "function init(){}", "{{ config")
left("template-jinja-in-list", "var ids=[{{ ids|join(',') }}];" + say(), "{{ ids")
left("template-ejs", "var base = <%= base %>;" + say(), "<%= base")
left("template-ejs-block", "<% if (debug) { %>window.debug=1;<% } %>" + say(), "<% if")
left("template-erb-raw", "window.flags=<%== flags.to_json %>;" + say(), "<%== flags")
left("template-return", "function f(){return {{ value }}}" + say(), "{{ value")
page("template-file", "path-strict cordova", {"index.html": html("", f'{ROOM}<script src="js/app.js"></script>'),
     "js/app.js": "const config = {{ config|tojson }};" + say()}, UP, ("js/app.js", "{{ config"), expect="break")
# Text that looks like a placeholder but parses.
trap("template-in-string", STRICT, {"index.html": inline('var t="{{ name }} {% if x %} <%= y %>";' + say())}, UP)
trap("template-in-literal", STRICT, {"index.html": inline("var t=`<b>{{ name }}</b>{% x %}`;" + say())}, UP)
trap("template-blocks", STRICT, {"index.html": inline("var f=()=>{{" + say() + "}};f();switch(1){case 1:{{}}}")}, UP)
trap("template-computed-key", STRICT, {"index.html": inline("var k='a',o={[k]:{b:{c:1}}},p=[{},{q:{}}];o.a.b.c<5%3;" + say())}, UP)
trap("template-in-regular-expression", STRICT, {"index.html": inline(r"var r=/<%([\s\S]+?)%>|{{([\s\S]+?)}}|{%/g;" + say())}, UP)
trap("template-in-comment", STRICT, {"index.html": inline("/* {{ x }} {% y %} */" + say() + "// <%= z %>")}, UP)
trap("template-vue", STRICT, {"index.html": html("", ROOM + '<p>{{ greeting }}</p><script type="text/x-template"><b>{{ a }}</b></script><script>' + say() + "</script>")}, UP)
