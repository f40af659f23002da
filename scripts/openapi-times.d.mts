import type { Caller } from './service.mjs';

export interface OpenapiTimes {
  /** Address of the description below the service. */
  at: string;
  /** The description as the API answers it. */
  spec: { processingState: string; lastProcessErrorCode?: string; lastVersion?: string };
  seconds: number;
  reads: number;
  /** ms */
  p99: number;
  /** ms */
  p99AtRest: number;
}

export function measureOpenapi(call: Caller, slug: string, text: string | Buffer): Promise<OpenapiTimes>;
