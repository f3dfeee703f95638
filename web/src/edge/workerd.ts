/** The same for Workers, where a module comes compiled, and nothing can be compiled. */
import module from "../relay.wasm";
import { use } from "./core.js";

use(module);

export * from "./index.js";
