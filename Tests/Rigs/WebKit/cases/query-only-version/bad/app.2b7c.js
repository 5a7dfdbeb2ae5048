window.versions = [...(window.versions || []), "2"];
