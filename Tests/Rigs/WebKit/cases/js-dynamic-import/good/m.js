export const name = "m";
