import { createHash } from 'node:crypto';
import { compareDescriptions, type Comparison } from './compare.js';
import { DescriptionError } from './description-error.js';
import { type JsonObject, spell } from './json.js';
import { outlineOf } from './outline.js';
import { readDescription } from './read-description.js';

/** What was made of the text of a description. */
export interface Described {
  /** SHA-256, hexadecimal, of what it says: equal for texts that differ in their form, or in the order of keys, alone. */
  hash: string;
  format: 'json' | 'yaml';
  /** The description as JSON, in UTF-8. */
  document: Uint8Array;
  /** Its {@link Outline} as JSON, in UTF-8. */
  outline: Uint8Array;
}

/** What is done beside the service, since what comes from outside may make it long: the input and the result of each. */
export interface Tasks {
  /** A text in UTF-8. */
  read: { input: Uint8Array; output: Described };
  /** Documents as `read` made them; `null`: everything is new. */
  compare: { input: { before: Uint8Array | null; after: Uint8Array }; output: Comparison };
}

export type Task = { [K in keyof Tasks]: { kind: K; input: Tasks[K]['input'] } }[keyof Tasks];

/** What comes of a task: its result, or why there is none. */
export type Reply = { output: Tasks[keyof Tasks]['output'] } | { error: string };

/** Does `task`; whatever its input is, it does not throw. */
export function replyTo(task: Task): Reply {
  try {
    return { output: doTask(task) };
  } catch (error) {
    // whatever else it is comes of the input: nothing else is here
    return { error: error instanceof DescriptionError ? error.message : 'It cannot be read' };
  }
}

function doTask(task: Task): Tasks[keyof Tasks]['output'] {
  switch (task.kind) {
    case 'read':
      return describe(task.input);
    case 'compare': {
      const { before, after } = task.input;
      return compareDescriptions(before && parsed(before), parsed(after));
    }
  }
}

function describe(bytes: Uint8Array): Described {
  const { document, format } = readDescription(bytes);
  const hash = createHash('sha256');
  let waiting = '';
  spell(document, (part) => {
    waiting += part;
    if (waiting.length < 65_536) return;
    hash.update(waiting);
    waiting = '';
  });
  const encoder = new TextEncoder();
  return {
    hash: hash.update(waiting).digest('hex'),
    format,
    document: encoder.encode(JSON.stringify(document)),
    outline: encoder.encode(JSON.stringify(outlineOf(document))),
  };
}

const parsed = (bytes: Uint8Array): JsonObject => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
