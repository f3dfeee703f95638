/** Prints what the module said, where it belongs. */
export function print({ text, error }) {
  if (text !== "") (error ? process.stderr : process.stdout).write(text);
}
