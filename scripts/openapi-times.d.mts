import type { Caller } from './service.mjs';

export interface OpenapiTimes {
  /** Address of the description below the service. */
  at: string;
  /** The description as the API answers it. */
  spec: { processingState: string; lastProcessErrorCode?: string; lastVersion?: string };
  seconds: number;
  /** How long each read took meanwhile, in ms. */
  times: number[];
  /** ms */
  p99: number;
  /** ms */
  p99AtRest: number;
}

export function measureOpenapi(call: Caller, slug: string, text: string | Buffer): Promise<OpenapiTimes>;

/** The time that 99 of 100 of `times` keep within. */
export function percentile(times: readonly number[]): number;
