import { COLORS, type Color, type ContentRef, type Length } from './model.js';
import { DocumentError } from './document-error.js';

/** One member of the data of a node: what it may hold. Optional unless `required`. */
export type Field = { required?: boolean } & (
  | { kind: 'text' | 'line'; pattern?: RegExp }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'whole'; min: number; max: number }
  | { kind: 'flag' | 'ref' | 'length' | 'texts' | 'json' }
);
/** The data of a node, member by member. */
export type Fields = Readonly<Record<string, Field>>;
/** An object from outside whose members are not known yet. */
export type Members = Record<string, unknown>;

const MAX_TEXT = 2 * 1024 * 1024;
const MAX_JSON_DEPTH = 16;
const UNSAFE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
const REF_PARTS: Readonly<Record<ContentRef['kind'], { required: readonly string[]; optional?: readonly string[] }>> = {
  url: { required: ['url'] },
  page: { required: ['page'], optional: ['space'] },
  anchor: { required: ['anchor'], optional: ['page', 'space'] },
  file: { required: ['file'] },
  space: { required: ['space'] },
  user: { required: ['user'] },
  collection: { required: ['collection'] },
  'reusable-content': { required: ['reusableContent'], optional: ['space'] },
  openapi: { required: ['spec'] },
};

/** Refuses: `at` is the path of the fault. @throws DocumentError always. */
export function fail(at: string, problem: string): never {
  throw new DocumentError(`${at || 'document'}: ${problem}`);
}

/** `value` as an object with members of its own. @throws DocumentError when it is none. */
export function membersOf(value: unknown, at: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, 'must be an object');
  return Object.fromEntries(Object.entries(value));
}

/** `value` as a list. @throws DocumentError when it is none. */
export function listOf(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) fail(at, 'must be a list');
  return value as unknown[];
}

/** `value` as text that every encoding can carry. @throws DocumentError when it is none. */
export function textOf(value: unknown, at: string): string {
  if (typeof value !== 'string') fail(at, 'must be text');
  if (value.length > MAX_TEXT) fail(at, 'is too long');
  if (!value.isWellFormed() || value.includes('\0')) fail(at, 'holds characters that text cannot have');
  return value;
}

/** Whether `name` may be the name of a member that a client chose. */
export function isSafeName(name: string): boolean {
  return name.length > 0 && name.length <= 128 && name.isWellFormed() && !UNSAFE_NAMES.has(name);
}

/**
 * The known members of the data of a node, each checked; others are left out, and so are empty optional texts.
 * @throws DocumentError naming the member that is wrong.
 */
export function checkData(value: unknown, fields: Fields, at: string): Members {
  const given = value === undefined ? {} : membersOf(value, at);
  const data: Members = {};
  for (const [name, field] of Object.entries(fields)) {
    const member = Object.hasOwn(given, name) ? given[name] : undefined;
    if (member === undefined || member === null || (member === '' && field.required !== true)) {
      if (field.required === true) fail(`${at}.${name}`, 'is missing');
      continue;
    }
    data[name] = checkField(member, field, `${at}.${name}`);
  }
  return data;
}

function checkField(value: unknown, field: Field, at: string): unknown {
  switch (field.kind) {
    case 'text':
    case 'line': {
      const text = textOf(value, at);
      if (field.kind === 'line' && /[\r\n]/.test(text)) fail(at, 'must be one line');
      if (field.pattern?.test(text) === false) fail(at, 'is not written as it has to be');
      return text.replace(/\r\n?/g, '\n');
    }
    case 'flag':
      return typeof value === 'boolean' ? value : fail(at, 'must be true or false');
    case 'choice':
      return typeof value === 'string' && field.values.includes(value)
        ? value
        : fail(at, `must be one of ${field.values.join(', ')}`);
    case 'whole':
      return typeof value === 'number' && Number.isInteger(value) && value >= field.min && value <= field.max
        ? value
        : fail(at, `must be a whole number from ${field.min} to ${field.max}`);
    case 'ref':
      return checkRef(value, at);
    case 'length':
      return checkLength(value, at);
    case 'texts':
      return listOf(value, at).map((item, index) => textOf(item, `${at}[${index}]`));
    case 'json':
      return checkJson(value, at);
  }
}

function checkRef(value: unknown, at: string): ContentRef {
  const given = membersOf(value, at);
  const parts =
    typeof given['kind'] === 'string' && Object.hasOwn(REF_PARTS, given['kind']) ? given['kind'] : undefined;
  if (parts === undefined) fail(`${at}.kind`, 'is not a kind of reference');
  const { required, optional = [] } = REF_PARTS[parts as ContentRef['kind']];
  const ref: Members = { kind: parts };
  for (const name of [...required, ...optional]) {
    const part = given[name];
    if ((part === undefined || part === null) && optional.includes(name)) continue;
    const text = textOf(part, `${at}.${name}`);
    if (text === '' && name !== 'url') fail(`${at}.${name}`, 'is empty');
    ref[name] = text;
  }
  return ref as unknown as ContentRef;
}

function checkLength(value: unknown, at: string): Length {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  const { unit, value: amount } = membersOf(value, at);
  if (typeof unit !== 'string' || !/^(?:%|[a-z]{1,8})$/.test(unit)) fail(`${at}.unit`, 'must be a unit of length');
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) fail(`${at}.value`, 'must be a number');
  return { unit, value: amount };
}

/** A copy of `value` that holds nothing but JSON and no member that could reach a prototype. @throws DocumentError */
export function checkJson(value: unknown, at: string, depth = 0): unknown {
  if (depth > MAX_JSON_DEPTH) fail(at, 'is nested too deep');
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : fail(at, 'must be a finite number');
  if (typeof value === 'string') return textOf(value, at);
  if (Array.isArray(value)) return value.map((item, index) => checkJson(item, `${at}[${index}]`, depth + 1));
  const copy: Members = {};
  for (const [name, member] of Object.entries(membersOf(value, at))) {
    if (!isSafeName(name)) fail(at, 'has a member with a name that is not allowed');
    if (member !== undefined) copy[name] = checkJson(member, `${at}.${name}`, depth + 1);
  }
  return copy;
}

/** Whether `text` names a colour of the palette. */
export function isColor(text: unknown): text is Color {
  return COLORS.some((color) => color === text);
}

/** Reads a length as attributes have it: `375`, `50%`, `12em`; `undefined` when it is none. */
export function readLength(text: string): Length | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,6})?)(%|[a-z]{1,8})?$/.exec(text);
  if (match === null) return undefined;
  const value = Number(match[1]);
  return match[2] === undefined ? value : { unit: match[2], value };
}

/** Spells a length as attributes have it. */
export function lengthText(length: Length): string {
  return typeof length === 'number' ? String(length) : `${length.value}${length.unit}`;
}
