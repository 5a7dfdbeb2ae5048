postMessage("works");
