/** Text that stands in JSON as it is. */
export class Raw {
  constructor(readonly text: string) {}
}

/** An object with these members, names that come twice among them. */
export class Members {
  constructor(readonly members: readonly (readonly [string, unknown])[]) {}
}

/** `value` as JSON; keys such as `__proto__` are keys. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = value instanceof Members ? value.members : Object.entries(value);
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`).join(',')}}`;
}

/** What JSON calls the kind of `value`; `unknown` of what stands there as it is. */
export function kindOf(value: unknown): string {
  if (value instanceof Raw)
    return /^-?\d/.test(value.text) ? 'number' : value.text.startsWith('[') ? 'array' : 'object';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
