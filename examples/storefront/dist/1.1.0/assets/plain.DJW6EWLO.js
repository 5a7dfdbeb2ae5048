import{i as r}from"./chunk.3R3VVZZ6.js";import"./chunk.4XHXREPX.js";r();
