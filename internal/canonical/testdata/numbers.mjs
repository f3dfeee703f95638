// Writes numbers.txt: on each line a number as JSON may spell it and, behind a tab,
// how JavaScript writes it. Run it from this folder: node numbers.mjs > numbers.txt

let state = 88172645463325252n;
const bits = () => {
  state ^= BigInt.asUintN(64, state << 13n);
  state ^= state >> 7n;
  state ^= BigInt.asUintN(64, state << 17n);
  return BigInt.asUintN(64, state);
};
const below = (n) => Number(bits() % BigInt(n));
const double = (pattern) => new Float64Array(new BigUint64Array([pattern]).buffer)[0];
const digits = (n) => Array.from({ length: n }, () => below(10)).join("");

const texts = new Set(["0", "-0", "0.0", "-0.0e5", "0e400", "1", "-1", "1e0", "1E+2", "1.0", "10e-1", "1e21", "1e20", "1e-6", "1e-7", "123456789012345680000"]);
for (let exponent = -325; exponent <= 308; exponent += 7) texts.add(`1e${exponent}`).add(`9.5e${exponent}`);
for (let i = 0; i < 200; i++) {
  const any = double(bits());
  if (Number.isFinite(any)) texts.add(String(any)).add(any.toExponential(20)).add(any.toExponential(16).toUpperCase());
  texts.add(`${1 + below(9)}${digits(below(15))}`); // integers that a double holds
  texts.add(`-${below(9)}.${digits(1 + below(25))}`);
  texts.add(`${1 + below(9)}.${digits(1 + below(20))}e${below(50) - 25}`);
  texts.add(`0.${"0".repeat(below(9))}${1 + below(9)}${digits(below(18))}`);
}
for (const text of texts) {
  const value = JSON.parse(text);
  const lost = value === 0 && /[1-9]/.test(text.split(/e/i)[0]); // refused here
  if (!lost && Number.isFinite(value)) console.log(`${text}\t${JSON.stringify(value)}`);
}
