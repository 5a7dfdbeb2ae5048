const load = {p: "/"};
document.head.append(Object.assign(document.createElement("script"), {src: load.p + "chunk.js"}));
