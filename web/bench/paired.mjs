// What measurements in pairs have in common: settings, the middle and the least of samples, and how busy the machine is.
import { availableParallelism, loadavg } from "node:os";

export const setting = (name, value) => Number(process.env[name] ?? value);

export const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

export const least = (list) => Math.min(...list);

export const busy = () => `load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;
