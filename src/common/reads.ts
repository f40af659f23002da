import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Metadata of an operation that {@link Reads}. */
export const READS = Symbol('reads');

/** Says of a POST that it only reads: to send it twice does no harm, so it knows no `Idempotency-Key`. */
export const Reads = (): MethodDecorator => applyDecorators(SetMetadata(READS, true), ApiExtension('x-reads', true));
