document.body.append(Object.assign(new Image(), {src: new URL("img/dot.png", import.meta.url)}));
