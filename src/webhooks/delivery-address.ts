import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { isWebAddress, WebAddress } from '../common/validation.js';

/** A {@link WebAddress} that carries no user name, no password and no fragment: none of them would be sent. */
export function DeliveryAddress(): PropertyDecorator {
  return applyDecorators(
    WebAddress(),
    ValidateBy({
      name: 'deliveryAddress',
      validator: {
        // what is no address at all is refused by the rule above
        validate: (value: unknown) => typeof value !== 'string' || !isWebAddress(value) || isPlain(new URL(value)),
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must be an address without a user name, a password and a fragment (#)`,
      },
    }),
  );
}

function isPlain({ username, password, hash }: URL): boolean {
  return username === '' && password === '' && hash === '';
}
