import { ApiExtension } from '@nestjs/swagger';

/** Names, for the description, statuses that the operation refuses with beyond those that follow from its form; api-docs.ts reads them. */
export const Fails = (...statuses: (401 | 403 | 404 | 409 | 412)[]): MethodDecorator =>
  ApiExtension('x-fails', statuses);
