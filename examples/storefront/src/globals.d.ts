// What the bundler makes of these imports: the address of the hashed file, beside the script.
declare module "*.png" { const address: string; export default address; }
declare module "*.svg" { const address: string; export default address; }
declare module "*.data.json" { const address: string; export default address; }
