import {
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  SetMetadata,
  ValidationPipe,
  type ValidationError,
} from '@nestjs/common';

const OPTIONAL_BODY = 'colophon:optional-body';

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
    if (metadata.type === 'body' && metadata.metatype) checkBody(value, metadata.metatype);
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** A body is one JSON object; leaving it out is not the same as sending `{}` (decision 1.14). */
function checkBody(value: unknown, metatype: object): void {
  if (value === undefined) {
    if (Reflect.getMetadata(OPTIONAL_BODY, metatype) === true) return;
    throw new BadRequestException('A JSON object is required as the body, with Content-Type: application/json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRequestException('The body must be a JSON object');
  }
}

/** Every message of `errors`, the nested ones led by the path of their property. */
function messagesOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => {
    const own = Object.values(error.constraints ?? {}).map((message) => path + message);
    return [...own, ...messagesOf(error.children ?? [], `${path}${error.property}.`)];
  });
}
