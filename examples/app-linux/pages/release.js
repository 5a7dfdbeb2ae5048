export const release = 1;
