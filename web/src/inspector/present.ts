/** A result without the members that are absent: the module has null for them. */
export function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null).map(([name, member]) => [name, present(member)]));
}
