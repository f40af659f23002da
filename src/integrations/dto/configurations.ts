import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { SchemaObject } from '../../common/schema-object.js';
import { CONFIGURED } from '../declared/configuration-schema.js';

const TEXT: SchemaObject = { type: 'string' };
const TITLED: Record<string, SchemaObject> = {
  title: { ...TEXT, maxLength: 30 },
  description: { ...TEXT, maxLength: 100 },
};

const property = (type: string, rest: Record<string, SchemaObject>, required: string[] = []): SchemaObject => ({
  type: 'object',
  required: ['type', ...required],
  properties: { ...TITLED, type: { ...TEXT, enum: [type] }, ...rest },
});

const SHAPES: SchemaObject[] = [
  {
    type: 'object',
    required: ['properties'],
    properties: {
      properties: {
        type: 'object',
        additionalProperties: {
          oneOf: [
            property('string', { default: TEXT, completion_url: TEXT, enum: { type: 'array', items: TEXT } }),
            property('number', { default: { type: 'number' } }),
            property('boolean', { default: { type: 'boolean' } }),
            property('button', { callback_url: TEXT, button_text: TEXT }, ['callback_url', 'button_text']),
          ],
        },
      },
      required: { type: 'array', items: TEXT, uniqueItems: true },
    },
  },
  { type: 'object', required: ['componentId'], properties: { componentId: { ...TEXT, minLength: 1 } } },
];

/** The description of what an integration asks for (decision 3.84). */
export const CONFIGURATIONS: ApiPropertyOptions = {
  type: 'object',
  properties: Object.fromEntries(CONFIGURED.map((place) => [place, { oneOf: SHAPES }])),
};
