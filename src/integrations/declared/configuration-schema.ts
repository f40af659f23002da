import { fail, objectAt, shown, textAt, readTexts } from './reading.js';

/** Properties of one configuration, at the most, and values of an `enum`. */
const MAX_PROPERTIES = 100;
/** Characters of the name of a property. */
const MAX_NAME = 100;
/** Characters of a default, an address or a value of an `enum`. */
const MAX_TEXT = 2048;
const TYPES = ['string', 'number', 'boolean', 'button'] as const;

/** Where an integration asks for settings: for an organization, for a space, for a site. */
export const CONFIGURED = ['account', 'space', 'site'] as const;
export type Configured = (typeof CONFIGURED)[number];

interface Titled {
  title?: string;
  description?: string;
}
export interface StringProperty extends Titled {
  type: 'string';
  default?: string;
  completion_url?: string;
  enum?: string[];
}
export interface NumberProperty extends Titled {
  type: 'number';
  default?: number;
}
export interface BooleanProperty extends Titled {
  type: 'boolean';
  default?: boolean;
}
/** Something to press. What is kept under its name is for the integration alone. */
export interface ButtonProperty extends Titled {
  type: 'button';
  callback_url: string;
  button_text: string;
}
export type ConfigurationProperty = StringProperty | NumberProperty | BooleanProperty | ButtonProperty;

/** What an integration asks for in one place (decision 3.84): properties, or a form of its own. */
export type ConfigurationSchema =
  { properties: Record<string, ConfigurationProperty>; required?: string[] } | { componentId: string };

/** What an integration asks for, by place. */
export type ConfigurationSchemas = Partial<Record<Configured, ConfigurationSchema>>;

/**
 * The configurations that `value` declares, with what decision 3.84 names and nothing else. The result shares nothing with `value`.
 * @throws DeclarationError naming the first place at fault.
 */
export function readConfigurations(value: unknown): ConfigurationSchemas {
  const given = objectAt(value, 'configurations');
  const read = CONFIGURED.filter((place) => given.has(place)).map(
    (place) => [place, readSchema(given.get(place), `configurations.${place}`)] as const,
  );
  return Object.fromEntries(read);
}

function readSchema(value: unknown, at: string): ConfigurationSchema {
  const schema = objectAt(value, at);
  if (schema.has('componentId') && schema.has('properties'))
    return fail(at, 'must have properties or componentId, not both');
  if (schema.has('componentId')) {
    return { componentId: textAt(schema.get('componentId'), `${at}.componentId`, MAX_TEXT, 1) };
  }
  if (!schema.has('properties')) return fail(at, 'must have properties or componentId');
  const properties = objectAt(schema.get('properties'), `${at}.properties`);
  if (properties.size > MAX_PROPERTIES) return fail(`${at}.properties`, `must be at most ${String(MAX_PROPERTIES)}`);
  const read = [...properties].map(([name, property]) => {
    const place = `${at}.properties.${shown(name)}`;
    textAt(name, `${place} (its name)`, MAX_NAME, 1);
    return [name, readProperty(property, place)] as const;
  });
  return {
    // from entries: writing to `__proto__` would set what the object inherits from
    properties: Object.fromEntries(read),
    ...(schema.has('required') && { required: readRequired(schema.get('required'), properties, `${at}.required`) }),
  };
}

function readRequired(value: unknown, properties: ReadonlyMap<string, unknown>, at: string): string[] {
  const names = readTexts(value, at, MAX_PROPERTIES, MAX_NAME);
  const unknown = names.find((name) => !properties.has(name));
  if (unknown !== undefined) return fail(at, `must name properties that are declared, not ${shown(unknown)}`);
  return new Set(names).size === names.length ? names : fail(at, 'must name each property once');
}

function readProperty(value: unknown, at: string): ConfigurationProperty {
  const given = objectAt(value, at);
  const type = TYPES.find((one) => one === given.get('type'));
  const text = (name: string, max = MAX_TEXT): string => textAt(given.get(name), `${at}.${name}`, max);
  const titled: Titled = {
    ...(given.has('title') && { title: text('title', 30) }),
    ...(given.has('description') && { description: text('description', 100) }),
  };
  switch (type) {
    case 'string':
      return {
        ...titled,
        type,
        ...(given.has('default') && { default: text('default') }),
        ...(given.has('completion_url') && { completion_url: text('completion_url') }),
        ...(given.has('enum') && { enum: readTexts(given.get('enum'), `${at}.enum`, MAX_PROPERTIES, MAX_TEXT) }),
      };
    case 'number': {
      const value = given.get('default');
      if (!given.has('default')) return { ...titled, type };
      return typeof value === 'number'
        ? { ...titled, type, default: value }
        : fail(`${at}.default`, 'must be a number');
    }
    case 'boolean': {
      const value = given.get('default');
      if (!given.has('default')) return { ...titled, type };
      return typeof value === 'boolean'
        ? { ...titled, type, default: value }
        : fail(`${at}.default`, 'must be true or false');
    }
    case 'button':
      return { ...titled, type, callback_url: text('callback_url'), button_text: text('button_text') };
    case undefined:
      return fail(`${at}.type`, `must be one of: ${TYPES.join(', ')}`);
  }
}
