import { applyDecorators, type Type } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { Optional } from '../../../common/validation.js';
import { DescribedProperty } from '../described-property.js';
import { describedAs, type Group, type Leaf, readPart, readPatch } from '../parts.js';
import { type CustomizationPart, type CustomizationPatch, SETTINGS } from '../settings.js';
import { ShapeError } from '../shape.js';

const READ = { part: readPart, patch: readPatch };

/** What is wrong with `value` as the setting `name`; `undefined`: nothing. */
function mistakeIn(
  value: unknown,
  name: string,
  node: Leaf<unknown> | Group,
  as: keyof typeof READ,
): string | undefined {
  try {
    READ[as](node, value, name);
    return undefined;
  } catch (error) {
    if (error instanceof ShapeError) return error.message;
    throw error;
  }
}

function Setting(name: string, node: Leaf<unknown> | Group, as: keyof typeof READ): PropertyDecorator {
  return applyDecorators(
    DescribedProperty(describedAs(node, as), false),
    Optional(),
    ValidateBy({
      name: 'setting',
      validator: {
        validate: (value: unknown) => mistakeIn(value, name, node, as) === undefined,
        defaultMessage: (args) => mistakeIn(args?.value, name, node, as) ?? '',
      },
    }),
  );
}

/** The class of a body that may hold each of the settings; unknown ones are dropped when it is read. */
function bodyOf(as: keyof typeof READ): Type<object> {
  class Settings {}
  for (const [name, node] of Object.entries(SETTINGS.members)) Setting(name, node, as)(Settings.prototype, name);
  return Settings;
}

/** Body of `PUT …/customization`; what is absent takes its default. */
export class CustomizationDto extends bodyOf('part') {}

/** Body of `PATCH …/customization`; what is absent stays, `null` takes a setting back. */
export class PatchCustomizationDto extends bodyOf('patch') {}

/** The settings in a checked body. */
export function partOf(body: CustomizationDto): CustomizationPart {
  return readPart(SETTINGS, body, '');
}

/** The changes in a checked body. */
export function patchOf(body: PatchCustomizationDto): CustomizationPatch {
  return readPatch(SETTINGS, body, '');
}
