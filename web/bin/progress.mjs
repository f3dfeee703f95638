const EVERY = 200; // milliseconds between two updates; what is over sooner shows none

/** One line on a terminal that says how far a check is. Elsewhere it is nothing. */
export class Progress {
  #name;
  #size;
  #shown = process.stderr.isTTY;
  #began = performance.now();
  #last = performance.now();
  #drawn = false;

  constructor(name, size) {
    this.#name = name;
    this.#size = size;
  }

  update(bytes) {
    const now = performance.now();
    if (!this.#shown || now - this.#last < EVERY) return;
    this.#last = now;
    const megabytes = bytes / 1e6;
    const whole = this.#size / 1e6;
    const far = whole > 0 ? `${((100 * megabytes) / whole).toFixed(0)} % of ${whole.toFixed(0)} MB` : `${megabytes.toFixed(0)} MB`;
    const speed = (megabytes / (now - this.#began)) * 1000;
    process.stderr.write(`\r\x1b[K${this.#name}: ${far}, ${speed.toFixed(0)} MB/s`);
    this.#drawn = true;
  }

  clear() {
    if (!this.#drawn) return;
    process.stderr.write("\r\x1b[K");
    this.#drawn = false;
  }
}
