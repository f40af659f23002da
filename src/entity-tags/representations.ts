import { type CanActivate, ForbiddenException, Injectable, RequestMethod, type Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { Request } from 'express';
import { isObservable, lastValueFrom } from 'rxjs';
import { PageQuery } from '../common/page.dto.js';

type Module = ModulesContainer extends Map<string, infer M> ? M : never;
type Handler = (...args: unknown[]) => unknown;

/** An operation that reads: its controller, the name of its method, and the module that has them. */
interface Operation {
  controller: object;
  name: string;
  handler: Handler;
  module: Module;
}

/** What a handler takes of the request beside what its guards left there, by Nest's numbers of the sources. */
const SOURCES: Record<number, (request: Request) => object> = {
  4: ({ query }) => query,
  5: ({ params }) => params,
};
const REQUEST = 0;
const RESPONSE = 1;

/** What GET answers at an address where it reads a single thing, for operations of other methods there. */
@Injectable()
export class Representations {
  private known: ReadonlyMap<string, (request: Request) => Promise<unknown>> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly contexts: ExternalContextCreator,
  ) {}

  /** Whether a single thing is read at the address of `request`. */
  isAt(request: Request): boolean {
    return this.readers.has(pathOf(request));
  }

  /**
   * What GET answers at the address of `request`, to its caller and with its query; `undefined` where there is none. Its guards and
   * its handler run anew, within the transaction that whoever asks is in. What guards the whole service is not asked again.
   *
   * @throws whatever the GET is refused with.
   */
  async read(request: Request): Promise<unknown> {
    // what guards note of this reading is no matter of the request itself
    const asking = Object.create(request, { method: { value: 'GET' }, body: { value: undefined } }) as Request;
    return this.readers.get(pathOf(request))?.(asking);
  }

  /** Found when first asked for: then the pipes of the service are known. */
  private get readers() {
    this.known ??= new Map(
      [...this.operations()].map((operation) => [templateOf(operation), this.readerOf(operation)]),
    );
    return this.known;
  }

  private *operations(): Generator<Operation> {
    for (const module of this.modules.values()) {
      for (const { instance: controller } of module.controllers.values()) {
        const methods = Object.getPrototypeOf(controller) as Record<string, unknown>;
        for (const name of Object.getOwnPropertyNames(methods)) {
          const handler = methods[name] as Handler;
          const isGet = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.GET;
          if (isGet && !sends(controller, name) && !isPaged(methods, name)) yield { controller, name, handler, module };
        }
      }
    }
  }

  private readerOf({ controller, name, handler, module }: Operation): (request: Request) => Promise<unknown> {
    const type = controller.constructor as Type;
    const guards = [...guardsOf(type, module), ...guardsOf(handler, module)];
    const call = this.contexts.create(
      controller,
      handler,
      name,
      ROUTE_ARGS_METADATA,
      { exchangeKeyForValue: (source, data, [request]: [Request]) => argumentOf(request, source, data) },
      undefined,
      undefined,
      { guards: false, interceptors: false, filters: false },
    );
    return async (request) => {
      const context = new ExecutionContextHost([request], type, handler);
      for (const guard of guards) {
        const passes = await guard.canActivate(context);
        if (!(isObservable(passes) ? await lastValueFrom(passes) : passes)) throw new ForbiddenException();
      }
      return (await call(request)) as unknown;
    };
  }
}

/** Whether the method `name` answers a list, a page at a time. */
function isPaged(methods: object, name: string): boolean {
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, methods, name) ?? []) as unknown[];
  return types.some(
    (type) => typeof type === 'function' && (type === PageQuery || type.prototype instanceof PageQuery),
  );
}

/** Whether the method `name` writes its answer itself. */
function sends(controller: object, name: string): boolean {
  const sources = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, name) ?? {}) as object;
  return Object.keys(sources).some((key) => key.startsWith(`${RESPONSE}:`));
}

/** The guards that `target` names, as its module has them. @throws Error for one that is not there: a mistake in the code. */
function guardsOf(target: object, module: Module): CanActivate[] {
  const named = (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as Type<CanActivate>[];
  return named.map((guard) => {
    const found = module.injectables.get(guard)?.instance as CanActivate | undefined;
    if (!found) throw new Error(`The guard ${guard.name} is not known in its module`);
    return found;
  });
}

function argumentOf(request: Request, source: number, data: unknown): unknown {
  if (source === REQUEST) return request;
  const all = SOURCES[source]?.(request);
  if (!all) throw new Error(`A GET takes something that is not known of: ${source}`);
  return typeof data === 'string' ? (all as Record<string, unknown>)[data] : all;
}

/** The path of an operation, in the form in which {@link pathOf} finds it with a request. */
function templateOf({ controller, handler }: Operation): string {
  const parts = [controller.constructor, handler].map((one) => Reflect.getMetadata(PATH_METADATA, one) as string);
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

const pathOf = ({ route }: Request): string => (route as { path: string }).path.replace(/\/$/, '');
