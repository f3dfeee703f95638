/**
 * Resolves in a task of its own, so that whatever else the page or process has to do comes in between. A message does it:
 * timers wait longer and longer in a row of them, and for a second each in a page that nobody sees.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
