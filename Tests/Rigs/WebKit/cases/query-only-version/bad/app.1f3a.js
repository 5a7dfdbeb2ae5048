window.versions = [...(window.versions || []), "1"];
