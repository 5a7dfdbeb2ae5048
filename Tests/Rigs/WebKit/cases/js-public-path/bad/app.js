const load = {p: "https://cdn.example.com/"};
document.head.append(Object.assign(document.createElement("script"), {src: load.p + "chunk.js"}));
