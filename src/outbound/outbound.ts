import { lookup } from 'node:dns';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { buildInfo } from '../common/build-info.js';
import { parsedUrl } from '../common/parsed-url.js';
import { Config } from '../config/index.js';
import { AddressRules } from './address-rules.js';
import { OutboundError } from './outbound-error.js';
import { ACCEPTED_CODINGS, readBody, readStart } from './read-body.js';

/** How an address is fetched. */
export interface FetchOptions {
  /** Largest body, in bytes, decompressed; 20 MiB unless given. */
  maxBytes?: number;
  /** Time for all of it, redirects and body included, in ms; 30 s unless given. */
  timeout?: number;
  /** 5 unless given. */
  maxRedirects?: number;
  /** Sent to the origin of the address alone, not to where it redirects. */
  headers?: Record<string, string>;
  /** The media types that are wanted. */
  accept?: string;
  /** Ends the request. */
  signal?: AbortSignal;
}

/** What a foreign address answered. */
export interface Fetched {
  /** The address after all redirects. */
  url: string;
  /** Any status that is no redirect: whether it is a success is for the caller to see. */
  status: number;
  /** The media type with its parameters, as sent; empty when there was none. */
  contentType: string;
  headers: IncomingHttpHeaders;
  /** Decompressed. */
  body: Buffer;
}

/** What is sent to an address. */
export interface PostOptions {
  body: string;
  headers: Record<string, string>;
  /** Time for all of it, in ms. */
  timeout: number;
  /** How much of the answer's body is read, in bytes. */
  keep: number;
  /** Ends the request. */
  signal?: AbortSignal;
}

/** What a foreign address answered to what was sent to it. */
export interface Posted {
  /** Any status, those of redirects too. */
  status: number;
  /** How its body begins, as it was sent. */
  body: Buffer;
}

const DEFAULTS = { maxBytes: 20 * 1024 * 1024, timeout: 30_000, maxRedirects: 5, accept: '*/*' };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The only way to an address that somebody gave us. Private and otherwise reserved addresses are refused where
 * the connection is made: whatever a name resolves to is checked, and only what was checked is connected to, at every
 * redirect anew (decision 5.36). No cookies, no tokens, no proxies of the environment.
 */
@Injectable()
export class Outbound {
  private readonly rules: AddressRules;
  private readonly agent: string;

  constructor(config: Config) {
    this.rules = new AddressRules(config.OUTBOUND_ALLOW);
    this.agent = `Colophon/${buildInfo().version} (+${config.PUBLIC_URL})`;
  }

  /** What `url` answers to GET. @throws OutboundError saying why it was not fetched. */
  async fetch(url: string | URL, options: FetchOptions = {}): Promise<Fetched> {
    const { maxRedirects, timeout } = { ...DEFAULTS, ...options };
    const clock = AbortSignal.timeout(timeout);
    const signal = options.signal ? AbortSignal.any([clock, options.signal]) : clock;
    try {
      const start = addressOf(String(url));
      let address = start;
      for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        const { next, fetched } = await this.ask(address, start, options, signal);
        if (fetched) return fetched;
        address = next;
      }
      throw new OutboundError('redirects', `The address redirects more than ${String(maxRedirects)} times`);
    } catch (error) {
      throw asOutboundError(error, clock, timeout, options.signal);
    }
  }

  /**
   * Sends `body` to `url` by POST, and follows no redirect. @throws OutboundError saying why nothing was sent, or answered.
   */
  async post(url: string, { body, headers, timeout, keep, signal }: PostOptions): Promise<Posted> {
    const clock = AbortSignal.timeout(timeout);
    const ending = signal ? AbortSignal.any([clock, signal]) : clock;
    try {
      const response = await this.connect(addressOf(url), ending, { ...headers, 'User-Agent': this.agent }, body);
      try {
        return { status: response.statusCode ?? 0, body: await readStart(response, keep) };
      } finally {
        response.destroy();
      }
    } catch (error) {
      throw asOutboundError(error, clock, timeout, signal);
    }
  }

  /** Asks one address: answers what it says, or where it sends us. */
  private async ask(
    address: URL,
    start: URL,
    options: FetchOptions,
    signal: AbortSignal,
  ): Promise<{ fetched: Fetched; next?: undefined } | { next: URL; fetched?: undefined }> {
    const { accept, maxBytes } = { ...DEFAULTS, ...options };
    const response = await this.connect(address, signal, {
      ...(address.origin === start.origin && options.headers),
      Accept: accept,
      'Accept-Encoding': ACCEPTED_CODINGS,
      'User-Agent': this.agent,
    });
    try {
      const { statusCode: status = 0, headers } = response;
      if (REDIRECTS.has(status) && headers.location !== undefined) {
        return { next: redirectOf(address, headers.location) };
      }
      const body = await readBody(response, maxBytes);
      return { fetched: { url: address.href, status, contentType: headers['content-type'] ?? '', headers, body } };
    } finally {
      response.destroy();
    }
  }

  /** Sends the request, with a `body` by POST; the connection is its own, and to an address that the rules allow. */
  private connect(
    address: URL,
    signal: AbortSignal,
    headers: Record<string, string>,
    body?: string,
  ): Promise<IncomingMessage> {
    const { host, port } = endpointOf(address);
    if (!this.rules.allowsPort(port)) throw refused(`port ${String(port)} is used for something else than web pages`);
    const anyAddress = this.rules.allowsHost(host);
    // for a name, the look-up below decides
    if (!anyAddress && isIP(host) !== 0 && !this.rules.allowsAddress(host)) throw privateAddress();
    const method = body === undefined ? 'GET' : 'POST';
    const lookup = anyAddress ? {} : { lookup: this.lookup };
    const options: RequestOptions = { agent: false, method, headers, signal, ...lookup };
    const send = address.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      send(address, options).on('response', resolve).on('error', reject).end(body);
    });
  }

  /** Looks a name up for a connection; a name that has any address that is not allowed has none. */
  private readonly lookup: LookupFunction = (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const first = error ? undefined : addresses[0];
      if (error || !first) {
        callback(error ?? new OutboundError('failed', 'The name of the host is not known'), []);
      } else if (!addresses.every(({ address }) => this.rules.allowsAddress(address))) {
        callback(privateAddress(), []);
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

/** `url` as an address that may be fetched. @throws OutboundError for other schemes and for names with passwords. */
function addressOf(url: string): URL {
  const address = parsedUrl(url);
  if (!address) throw new OutboundError('failed', 'The address is malformed; give a whole http or https address');
  if (!['http:', 'https:'].includes(address.protocol)) throw refused('only http and https addresses are fetched');
  if (address.username !== '' || address.password !== '') {
    throw refused('it carries a user name or password; give it without them');
  }
  address.hash = '';
  return address;
}

/**
 * Where `location` sends a request to `from`. From https it never leads to http: what came over a protected connection
 * would silently come over an unprotected one.
 */
function redirectOf(from: URL, location: string): URL {
  const target = parsedUrl(location, from);
  if (!target) throw new OutboundError('failed', 'The address redirects to a malformed one');
  const to = addressOf(target.href);
  if (from.protocol === 'https:' && to.protocol === 'http:') throw refused('it redirects from https to http');
  return to;
}

function endpointOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

function refused(why: string): OutboundError {
  return new OutboundError('refused', `The address is not fetched: ${why}`);
}

function privateAddress(): OutboundError {
  return refused('it leads into a private or reserved network; OUTBOUND_ALLOW names those that are allowed');
}

/** Whatever broke a request off, as the caller is told of it. */
function asOutboundError(error: unknown, clock: AbortSignal, timeout: number, caller?: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (caller?.aborted) return new OutboundError('failed', 'The request was ended before the address had answered');
  if (clock.aborted) {
    return new OutboundError('timeout', `The address did not answer within ${String(timeout)} ms; try again later`);
  }
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const what = SAID[code] ?? (/^(ERR_TLS|CERT|.*_CERT|UNABLE_TO|SELF_SIGNED)/.test(code) ? UNTRUSTED : BROKEN);
  return new OutboundError('failed', what);
}

const UNTRUSTED = 'The certificate of the address is not trusted';
const BROKEN = 'The address did not give an answer that can be read';
const SAID: Record<string, string | undefined> = {
  ENOTFOUND: 'The name of the host is not known',
  EAI_AGAIN: 'The name of the host could not be looked up; try again later',
  ECONNREFUSED: 'Nobody answers at the address',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ECONNRESET: 'The host broke the connection off',
};
