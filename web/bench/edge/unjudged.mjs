// The same worker, in which no bytes reach Go: what it costs more than this is Go's share.
import { Passage } from "../../dist/edge/passage.js";
import ours from "./ours.mjs";

Passage.prototype.feed = (chunk) => ({ out: [chunk], verdicts: [], errands: [], ends: false });

export default ours;
