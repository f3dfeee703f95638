// The Go toolchain's glue, wrapped into a module by scripts/build.mjs.
export interface GoRuntime {
  readonly importObject: WebAssembly.Imports;
  readonly exited: boolean;
  exit: (code: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}
export const Go: new () => GoRuntime;
export const toolchain: string;
/** What modules take for the global object. Those that speak in objects have their arguments and answers there. */
export const host: { argument?: unknown; answer?: unknown };
