import { isStorable } from '../../common/validation.js';
import type { ConfigurationProperty, ConfigurationSchema } from './configuration-schema.js';
import { fail, objectAt, shown, textAt } from './reading.js';

/** Bytes of a configuration as JSON. */
export const MAX_CONFIGURATION = 32_768;
/** Characters of a single text in it. */
const MAX_TEXT = 16_384;

/** What somebody has set for an integration in one place. */
export type Configuration = Record<string, unknown>;

/**
 * `value` as a configuration that `schema` allows (decision B.11): each property is declared, and of its type. Required ones may be
 * missing, see {@link isComplete}. Where a form of the integration asks, or where nothing is declared, there is nothing to go by.
 *
 * @throws DeclarationError naming the first property at fault.
 */
export function readConfiguration(value: unknown, schema: ConfigurationSchema | undefined): Configuration {
  const given = objectAt(value, 'configuration');
  const declared = schema && 'componentId' in schema ? null : new Map(Object.entries(schema?.properties ?? {}));
  for (const [name, one] of given) {
    const at = `configuration.${shown(name)}`;
    if (declared) checkProperty(one, declared.get(name), at);
    else if (one === null || one === undefined) fail(at, 'must not be null; leave it out');
  }
  if (!holdsText(value)) return fail('configuration', 'must hold well-formed text without NUL characters');
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > MAX_CONFIGURATION) {
    return fail('configuration', `must be at most ${String(MAX_CONFIGURATION)} bytes of JSON`);
  }
  return JSON.parse(json) as Configuration;
}

/** Whether every text in `value`, names included, can be stored unchanged. */
function holdsText(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && holdsText(inner));
}

function checkProperty(value: unknown, property: ConfigurationProperty | undefined, at: string): void {
  switch (property?.type) {
    case undefined:
      return fail(at, 'is not known to this integration; leave it out');
    case 'string': {
      const text = textAt(value, at, MAX_TEXT);
      const { enum: values } = property;
      if (values && !values.includes(text)) fail(at, `must be one of: ${values.join(', ')}`);
      return;
    }
    case 'number':
      if (typeof value !== 'number') fail(at, 'must be a number');
      return;
    case 'boolean':
      if (typeof value !== 'boolean') fail(at, 'must be true or false');
      return;
    case 'button':
      // the integration keeps there what it was given when somebody pressed it
      if (value === null || value === undefined) fail(at, 'must not be null; leave it out');
  }
}

/** Whether everything that `schema` requires is set (decision 3.90). A default is what a form shows first, and sets nothing. */
export function isComplete(configuration: Configuration, schema: ConfigurationSchema | undefined): boolean {
  if (!schema || 'componentId' in schema) return true;
  return (schema.required ?? []).every((name) => Object.hasOwn(configuration, name));
}
