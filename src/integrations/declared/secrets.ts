import { fail, objectAt, shown, textAt } from './reading.js';

/** Entries of `secrets` (decision 3.86). */
const MAX_SECRETS = 20;
const MAX_NAME = 100;
const MAX_VALUE = 8192;

/**
 * The secrets that `value` maps names to. Messages name an entry, never what it holds.
 * @throws DeclarationError naming what is at fault.
 */
export function readSecrets(value: unknown): Record<string, string> {
  const given = objectAt(value, 'secrets');
  if (given.size > MAX_SECRETS) return fail('secrets', `must have at most ${String(MAX_SECRETS)} entries`);
  return Object.fromEntries(
    [...given].map(([name, secret]) => {
      const at = `secrets.${shown(name)}`;
      textAt(name, `${at} (its name)`, MAX_NAME, 1);
      return [name, textAt(secret, at, MAX_VALUE)];
    }),
  );
}
