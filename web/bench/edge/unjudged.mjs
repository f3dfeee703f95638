// The same worker, in which nothing is judged: what it costs more than this is all that judging costs, here and in Go.
import { Passage } from "../../dist/edge/passage.js";
import ours from "./ours.mjs";

Passage.prototype.feed = (chunk) => ({ out: [chunk], verdicts: [], errands: [], ends: false });

export default ours;
