import {
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  SetMetadata,
  ValidationPipe,
  type Type,
  type ValidationError,
} from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const OPTIONAL_BODY = 'colophon:optional-body';

/** Levels of lists and objects in a body, at the most: what checks it descends into each by a call of its own. */
const MAX_NESTING = 500;
/** Values in a body, at the most: checking takes some microseconds for each, in which nobody else is served. */
const MAX_VALUES = 200_000;

/** Lets requests leave out the body of this class altogether. */
export const OptionalBody = (): ClassDecorator => SetMetadata(OPTIONAL_BODY, true);

/**
 * Checks bodies and queries against their classes. Values are taken as sent: nothing is converted by type, so that
 * `5` is no title and `{"$gt": ""}` no string; what a query spells as text is converted by the property's own
 * decorator. Properties that the class does not name are dropped (decision 1.10).
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      validationError: { target: false, value: false },
      exceptionFactory: (errors) => new BadRequestException(messagesOf(errors).join('; ')),
    });
  }

  /** The checked instance of the parameter's class. @throws BadRequestException naming every property at fault. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata as { type: string; metatype?: Type };
    const checked = type === 'body' && metatype ? knownOf(value, metatype) : value;
    return super.transform(checked, metadata) as Promise<unknown>;
  }
}

/**
 * What of a body its class knows: unknown properties are dropped before anything descends into them. A body is one JSON
 * object; leaving it out is not the same as sending `{}` (decision 1.14).
 */
function knownOf(body: unknown, metatype: Type): unknown {
  if (body === undefined) {
    if (Reflect.getMetadata(OPTIONAL_BODY, metatype) === true) return body;
    throw new BadRequestException('A JSON object is required as the body, with Content-Type: application/json');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadRequestException('The body must be a JSON object');
  }
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  const known = Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
  checkSize(known);
  return known;
}

/** @throws BadRequestException for a value that is nested too deeply, or holds too many others. */
function checkSize(value: object): void {
  let count = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_NESTING) throw new BadRequestException('The body is nested too deeply');
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const inner = Object.values(one) as unknown[];
      count += inner.length;
      if (count > MAX_VALUES) throw new BadRequestException(`The body holds more than ${MAX_VALUES} values`);
      for (const nested of inner) next.push(nested);
    }
    level = next;
  }
}

/** Every message of `errors`, the nested ones led by the path of their property. */
function messagesOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => {
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
      // its own message names the list, and not the place in it
      rule === 'nestedValidation' ? `${path}${error.property} must be an object` : path + message,
    );
    return [...own, ...messagesOf(error.children ?? [], `${path}${error.property}.`)];
  });
}
