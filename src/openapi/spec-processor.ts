import { Injectable } from '@nestjs/common';
import { Blobs } from '../blobs/index.js';
import { Config } from '../config/index.js';
import { type Fetched, Outbound, OutboundError } from '../outbound/index.js';
import { DescriptionError } from './description/description-error.js';
import { Describer } from './description/describer.js';
import type { ProcessError, Validators } from './openapi-spec.schema.js';
import { OpenApiVersions } from './openapi-versions.service.js';
import type { Leased, Outcome } from './spec-queue.js';

/** Largest text that is fetched, in bytes (decision 5.48). */
const MAX_BYTES = 20 * 1024 * 1024;
/** Longest value of a header that is sent back to the server. */
const MAX_HEADER = 1024;
const ACCEPT = 'application/json, application/yaml, application/vnd.oai.openapi, text/plain;q=0.9, */*;q=0.5';

/** A text that was sent or fetched; or the answer that it is as it was. */
type Text = { bytes: Buffer; validators: Validators | null } | 'unchanged';

/** Why a description has no text that can be used. */
class SourceError extends Error {
  constructor(readonly code: ProcessError) {
    super(code);
  }
}

/** Looks at one description: its text, what it says, and whether that is something new. */
@Injectable()
export class SpecProcessor {
  constructor(
    private readonly config: Config,
    private readonly outbound: Outbound,
    private readonly blobs: Blobs,
    private readonly describer: Describer,
    private readonly versions: OpenApiVersions,
  ) {}

  /** What comes of `spec` (decisions 4.8, 5.47, 5.48); `signal` says that nobody wants to know. @throws its reason. */
  async process(spec: Leased, signal: AbortSignal): Promise<Outcome> {
    try {
      const text = await this.textOf(spec, signal);
      if (text === 'unchanged') return { error: null, validators: spec.validators, version: null };
      const { bytes, validators } = text;
      const described = await this.describer.read(bytes, signal);
      const last = await this.versions.latest(spec);
      const { hash, format } = described;
      if (last?.hash === hash) return { error: null, validators, version: null };
      const stored = await this.versions.store(spec.organization, bytes, described);
      return { error: null, validators, version: { hash, format, ...stored } };
    } catch (error) {
      signal.throwIfAborted();
      return { error: codeOf(error), validators: null, version: null };
    }
  }

  private async textOf(spec: Leased, signal: AbortSignal): Promise<Text> {
    if (spec.url === null) return { bytes: await this.blobs.bytes(spec.text ?? ''), validators: null };
    // what was said of another address, or of a text that came to nothing, is not asked about
    const known = spec.validators?.url === spec.url && spec.lastVersion !== null ? spec.validators : null;
    const fetched = await this.outbound.fetch(spec.url, {
      maxBytes: MAX_BYTES,
      timeout: this.config.OPENAPI_TIMEOUT * 1000,
      accept: ACCEPT,
      signal,
      headers: {
        ...(known?.etag && { 'If-None-Match': known.etag }),
        ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
      },
    });
    if (fetched.status === 304 && known) return 'unchanged';
    if (fetched.status !== 200) throw new SourceError('FETCH_ERROR');
    return { bytes: fetched.body, validators: validatorsOf(spec.url, fetched) };
  }
}

function validatorsOf(url: string, { headers }: Fetched): Validators | null {
  const etag = short(headers.etag);
  const lastModified = short(headers['last-modified']);
  return etag === null && lastModified === null ? null : { url, etag, lastModified };
}

/** A header of another server that can be sent back to it. */
const short = (value: string | undefined): string | null =>
  value !== undefined && value.length <= MAX_HEADER && /^[\x20-\x7e]+$/.test(value) ? value : null;

/** @throws what is no fault of the source. */
function codeOf(error: unknown): ProcessError {
  if (error instanceof SourceError) return error.code;
  if (error instanceof DescriptionError) return 'PARSE_ERROR';
  if (error instanceof OutboundError) return error.reason === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR';
  throw error;
}
