// A driver without its face, with the calls of an app that takes one item at a time.
import { Driver } from "../../dist/driver.js";
import { settle } from "../../dist/options.js";

/** `next` gives back what was handed over and takes one more, `cursor` is that of the mark. */
export function driving(options, address = "http://tidemark.invalid/v1/sessions/s1/events") {
  const driver = new Driver(settle(address, options));
  const next = async () => {
    driver.marks.settle();
    await driver.queue.ready();
    const item = driver.queue.shift();
    if (item) driver.marks.hand(item);
    return item;
  };
  return { driver, next, cursor: (session) => driver.mark(session)?.cursor };
}
