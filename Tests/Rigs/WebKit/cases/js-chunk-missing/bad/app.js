const name = id => "js/" + id + "." + {7: "ab12"}[id] + ".js";
document.head.append(Object.assign(document.createElement("script"), {src: name(7)}));
