/** What stands around the events behind it: the name of their frames, and the last id of the connection. Both may be "". */
export interface FrameItem {
  kind: "frame";
  session: "";
  name: string;
  id: string;
}

/** A frame that holds no event, handed on as it came: it has no place and no verdict. */
export interface AsideItem extends Omit<FrameItem, "kind"> {
  kind: "aside";
  data: string;
}
