// Puts the licence beside package.json, where npm packs it from.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../../LICENSE", import.meta.url), new URL("../LICENSE", import.meta.url));
