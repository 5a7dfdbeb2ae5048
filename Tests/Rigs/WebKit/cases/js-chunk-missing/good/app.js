const name = id => "js/" + id + "." + {7: "cd34"}[id] + ".js";
document.head.append(Object.assign(document.createElement("script"), {src: name(7)}));
