// Cold calls, by the numbers of docs/seam.md.
export const resolve = 1;
export const parseCursor = 2;
export const formatCursor = 3;
export const explain = 4;
export const normalize = 5;
export const facts = 6;
export const describe = 7;
export const trackerOpen = 20;
export const trackerObserve = 21;
export const trackerState = 22;
export const trackerClose = 23;
export const decoderOpen = 30;
export const decoderFeed = 31;
export const decoderEnd = 32;
export const decoderClose = 33;
