/** What bundlers for Workers make of such an import. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
