import{i as r}from"./chunk.TAXN6AMF.js";import"./chunk.4XHXREPX.js";r();
