/** Freezes `value` and all it holds but bytes, and returns it. Its depth must have been checked when it was written. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze<unknown>(member);
  return Object.freeze(value);
}
