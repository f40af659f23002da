import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** What a guard has found for a request: kept with the request, for what comes behind the guard. */
export class Found<T extends object> {
  /** Hands it to a parameter of a controller's method. */
  readonly parameter = createParamDecorator((_data: undefined, context: ExecutionContext) =>
    this.of(context.switchToHttp().getRequest<object>()),
  );
  private readonly key = Symbol('found');

  /** @param decorator Name of the decorator that sets the guard. */
  constructor(private readonly decorator: string) {}

  keep(request: object, found: T): void {
    (request as Record<symbol, T>)[this.key] = found;
  }

  /** @throws Error where the guard was not set: a mistake in the code. */
  of(request: object): T {
    const found = (request as Record<symbol, T | undefined>)[this.key];
    if (!found) throw new Error(`What @${this.decorator}() finds is asked for without it`);
    return found;
  }
}
