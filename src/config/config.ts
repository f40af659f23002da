import { isIP } from 'node:net';
import { Matches, Max, Min, IsIn, IsInt, MinLength, ValidateIf, validateSync } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { parsedUrl } from '../common/parsed-url.js';
import { isEmail, isWebAddress } from '../common/validation.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const REGISTRATION = ['closed', 'invited', 'open'] as const;

/** What whoever runs the service has to put right, mostly a setting; the message says which one and what it takes. */
export class ConfigError extends Error {}

/**
 * The settings of the service, read once from the environment. README.md lists them for users.
 */
export class Config {
  /** Address to listen on. `0.0.0.0` or `::` for all. */
  @MinLength(1, { message: 'HOST must name an address to listen on' })
  HOST = '127.0.0.1';

  /** Port to listen on; 0 takes any free one. */
  PORT = 3000;

  /** Where callers reach the API, without a trailing slash. */
  PUBLIC_URL = '';

  /** Where the application for authors is reached; addresses under it count as inside. */
  APP_URL = '';

  /** Where published sites are served. */
  PUBLISHED_URL = '';

  /** How many proxies stand in front (their X-Forwarded-For is believed), `true` for any, or their addresses. */
  TRUST_PROXY: boolean | number | string = false;

  /** Origins whose pages may call the API; `*` for every one. Empty: none. */
  CORS_ORIGINS: string[] = [];

  /** The MongoDB to use; without it the embedded database is started on `DATA_DIR`. */
  @ValidateIf((config: Config) => config.MONGODB_URI !== undefined)
  @Matches(/^mongodb(\+srv)?:\/\/[^\s]+$/, {
    message: 'MONGODB_URI must be an address such as mongodb://host:27017/colophon?replicaSet=rs0',
  })
  MONGODB_URI?: string;

  /** Where the embedded database and the made secret key are kept. */
  @MinLength(1, { message: 'DATA_DIR must name a folder' })
  DATA_DIR = './data';

  /** Port of the embedded database where it runs as a process of its own (`npm run database`); 0 takes any free one. */
  DATABASE_PORT = 27018;

  /** Largest size of the embedded database, in bytes; 0: as large as the disk. */
  @ValidateIf((config: Config) => config.DATABASE_MAX_BYTES !== 0)
  @Min(1024 * 1024, {
    message: 'DATABASE_MAX_BYTES must be a size of at least 1mb, such as 512mb or 20gb, or 0 for no limit',
  })
  DATABASE_MAX_BYTES = 0;

  /** Signs addresses and encrypts secrets at rest; at least 32 characters. Keep it: what it encrypted is lost without it. */
  @ValidateIf((config: Config) => config.SECRET_KEY !== undefined)
  @MinLength(32, { message: 'SECRET_KEY must be at least 32 characters long' })
  SECRET_KEY?: string;

  /** What `SECRET_KEY` was before: what it encrypted can still be read, until `secrets rotate` has encrypted it anew. */
  @ValidateIf((config: Config) => config.SECRET_KEY_FORMER !== undefined)
  @MinLength(32, { message: 'SECRET_KEY_FORMER must be at least 32 characters long' })
  SECRET_KEY_FORMER?: string;

  /** The least severe messages that are logged. */
  @IsIn(LOG_LEVELS, { message: `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** Requests a minute for each token (or address, without one); 0 switches the limit off. */
  @IsInt({ message: 'RATE_LIMIT must be a whole number, 0 for no limit' })
  @Min(0, { message: 'RATE_LIMIT must be a whole number, 0 for no limit' })
  RATE_LIMIT = 6000;

  /** Attempts to sign in a minute for each address; 0 switches the limit off. */
  @IsInt({ message: 'SIGN_IN_RATE_LIMIT must be a whole number, 0 for no limit' })
  @Min(0, { message: 'SIGN_IN_RATE_LIMIT must be a whole number, 0 for no limit' })
  SIGN_IN_RATE_LIMIT = 20;

  /** Largest request body, in bytes. */
  @Min(1024, { message: 'BODY_LIMIT must be a size of at least 1kb: a number of bytes, or one such as 512kb or 10mb' })
  BODY_LIMIT = 10 * 1024 * 1024;

  /** Who may register: nobody, people with an invitation, or everybody. */
  @IsIn(REGISTRATION, { message: `REGISTRATION must be one of ${REGISTRATION.join(', ')}` })
  REGISTRATION: (typeof REGISTRATION)[number] = 'invited';

  /** Private networks, addresses and hosts that the service may fetch from all the same. Empty: none. */
  OUTBOUND_ALLOW: string[] = [];

  /** Pages that one import adds. */
  @IsInt({ message: 'IMPORT_MAX_PAGES must be a whole number from 1' })
  @Min(1, { message: 'IMPORT_MAX_PAGES must be a whole number from 1' })
  IMPORT_MAX_PAGES = 200;

  /** Files that one import adds. */
  @IsInt({ message: 'IMPORT_MAX_FILES must be a whole number, 0 for none' })
  @Min(0, { message: 'IMPORT_MAX_FILES must be a whole number, 0 for none' })
  IMPORT_MAX_FILES = 200;

  /** Seconds in which an import fetches what it adds. */
  @IsInt({ message: 'IMPORT_TIMEOUT must be a whole number of seconds from 1 to 3600' })
  @Min(1, { message: 'IMPORT_TIMEOUT must be a whole number of seconds from 1 to 3600' })
  @Max(3600, { message: 'IMPORT_TIMEOUT must be a whole number of seconds from 1 to 3600' })
  IMPORT_TIMEOUT = 60;

  /** Largest page, image or archive that an import fetches, and largest file that is added by its address, in bytes. */
  @Min(1024, {
    message: 'IMPORT_MAX_BYTES must be a size of at least 1kb: a number of bytes, or one such as 512kb or 10mb',
  })
  IMPORT_MAX_BYTES = 20 * 1024 * 1024;

  /** Largest archive of a space that is taken in, in bytes. */
  @Min(1024, {
    message: 'ARCHIVE_MAX_BYTES must be a size of at least 1kb: a number of bytes, or one such as 512kb or 10mb',
  })
  ARCHIVE_MAX_BYTES = 512 * 1024 * 1024;

  /** Days for which it is kept who did what; 0: for ever. */
  @IsInt({ message: 'AUDIT_RETENTION must be a whole number of days up to 36500, 0 for ever' })
  @Min(0, { message: 'AUDIT_RETENTION must be a whole number of days up to 36500, 0 for ever' })
  @Max(36_500, { message: 'AUDIT_RETENTION must be a whole number of days up to 36500, 0 for ever' })
  AUDIT_RETENTION = 400;
  /** Seconds in which the description of an API is fetched. */
  @IsInt({ message: 'OPENAPI_TIMEOUT must be a whole number of seconds from 1 to 300' })
  @Min(1, { message: 'OPENAPI_TIMEOUT must be a whole number of seconds from 1 to 300' })
  @Max(300, { message: 'OPENAPI_TIMEOUT must be a whole number of seconds from 1 to 300' })
  OPENAPI_TIMEOUT = 15;

  /** Milliseconds for which readiness fails at a shutdown before the port is closed, so that balancers look elsewhere. */
  @IsInt({ message: 'SHUTDOWN_DELAY must be a whole number of milliseconds up to 600000' })
  @Min(0, { message: 'SHUTDOWN_DELAY must be a whole number of milliseconds up to 600000' })
  @Max(600_000, { message: 'SHUTDOWN_DELAY must be a whole number of milliseconds up to 600000' })
  SHUTDOWN_DELAY = 500;

  /** E-mail address of the administrator made at the first start. */
  @ValidateIf((config: Config) => config.BOOTSTRAP_ADMIN_EMAIL !== undefined)
  @Matches(/^[^\s@]+@[^\s@]+$/, { message: 'BOOTSTRAP_ADMIN_EMAIL must be an e-mail address' })
  BOOTSTRAP_ADMIN_EMAIL?: string;

  /** API token of that administrator; at least 32 characters without spaces. */
  @ValidateIf((config: Config) => config.BOOTSTRAP_ADMIN_TOKEN !== undefined)
  @Matches(/^[A-Za-z0-9._~+/-]{32,200}=*$/, {
    message:
      'BOOTSTRAP_ADMIN_TOKEN must be 32 to 200 characters that a bearer token may have: letters, digits and -._~+/',
  })
  BOOTSTRAP_ADMIN_TOKEN?: string;

  /** Title of the organization made at the first start. */
  @ValidateIf((config: Config) => config.BOOTSTRAP_ORGANIZATION !== undefined)
  @Matches(/^.{2,255}$/u, { message: 'BOOTSTRAP_ORGANIZATION must be a title of 2 to 255 characters' })
  BOOTSTRAP_ORGANIZATION?: string;

  /** Whether the service starts its own database. */
  get embedded(): boolean {
    return this.MONGODB_URI === undefined;
  }
}

type Variable = Exclude<keyof Config, 'embedded'>;
type Environment = Record<string, string | undefined>;

/** Reads an environment, where an empty value counts as absent. */
class Reader {
  constructor(private readonly environment: Environment) {}

  text(name: Variable, otherwise: string): string;
  text(name: Variable): string | undefined;
  text(name: Variable, otherwise?: string): string | undefined {
    const value = this.environment[name]?.trim();
    return value === undefined || value === '' ? otherwise : value;
  }

  number(name: Variable, otherwise: number): number {
    const value = this.text(name);
    return value === undefined ? otherwise : /^\d{1,15}$/.test(value) ? Number(value) : NaN;
  }

  size(name: Variable, otherwise: number): number {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const [, amount, unit = ''] = /^(\d{1,12})\s*(kb|mb|gb)?$/i.exec(value) ?? [];
    const factor = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }[unit.toLowerCase()] ?? NaN;
    return Number(amount) * factor;
  }

  list(name: Variable): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** An address without its trailing slash. @throws ConfigError for anything that is not http or https. */
  address(name: Variable, otherwise: string): string {
    const value = this.text(name, otherwise).replace(/\/+$/, '');
    if (!isWebAddress(value)) throw new ConfigError(`${name} must be an http or https address, not "${value}"`);
    return value;
  }

  /** @throws ConfigError at once: the addresses in answers are made from it. */
  port(name: Variable, otherwise: number): number {
    const value = this.number(name, otherwise);
    if (value <= 65535) return value;
    throw new ConfigError(`${name} must be a whole number from 0 to 65535`);
  }

  proxies(): boolean | number | string {
    const value = this.text('TRUST_PROXY');
    if (value === undefined || value === 'false') return false;
    if (value === 'true') return true;
    return /^\d+$/.test(value) ? Number(value) : value;
  }
}

/**
 * The configuration in `environment`. @throws ConfigError with one sentence for each value that cannot be used.
 */
export function loadConfig(environment: Environment): Config {
  const read = new Reader(environment);
  const config = new Config();
  config.HOST = read.text('HOST', config.HOST);
  config.PORT = read.port('PORT', config.PORT);
  config.PUBLIC_URL = read.address('PUBLIC_URL', `http://localhost:${String(config.PORT)}`);
  config.APP_URL = read.address('APP_URL', config.PUBLIC_URL);
  config.PUBLISHED_URL = read.address('PUBLISHED_URL', `${config.PUBLIC_URL}/published`);
  config.TRUST_PROXY = read.proxies();
  config.CORS_ORIGINS = read.list('CORS_ORIGINS');
  config.MONGODB_URI = read.text('MONGODB_URI');
  config.DATA_DIR = read.text('DATA_DIR', config.DATA_DIR);
  config.DATABASE_PORT = read.port('DATABASE_PORT', config.DATABASE_PORT);
  config.DATABASE_MAX_BYTES = read.size('DATABASE_MAX_BYTES', config.DATABASE_MAX_BYTES);
  config.SECRET_KEY = read.text('SECRET_KEY');
  config.SECRET_KEY_FORMER = read.text('SECRET_KEY_FORMER');
  config.LOG_LEVEL = read.text('LOG_LEVEL', config.LOG_LEVEL) as Config['LOG_LEVEL'];
  config.RATE_LIMIT = read.number('RATE_LIMIT', config.RATE_LIMIT);
  config.SIGN_IN_RATE_LIMIT = read.number('SIGN_IN_RATE_LIMIT', config.SIGN_IN_RATE_LIMIT);
  config.BODY_LIMIT = read.size('BODY_LIMIT', config.BODY_LIMIT);
  config.REGISTRATION = read.text('REGISTRATION', config.REGISTRATION) as Config['REGISTRATION'];
  config.OUTBOUND_ALLOW = read.list('OUTBOUND_ALLOW');
  config.IMPORT_MAX_PAGES = read.number('IMPORT_MAX_PAGES', config.IMPORT_MAX_PAGES);
  config.IMPORT_MAX_FILES = read.number('IMPORT_MAX_FILES', config.IMPORT_MAX_FILES);
  config.IMPORT_TIMEOUT = read.number('IMPORT_TIMEOUT', config.IMPORT_TIMEOUT);
  config.IMPORT_MAX_BYTES = read.size('IMPORT_MAX_BYTES', config.IMPORT_MAX_BYTES);
  config.ARCHIVE_MAX_BYTES = read.size('ARCHIVE_MAX_BYTES', config.ARCHIVE_MAX_BYTES);
  config.AUDIT_RETENTION = read.number('AUDIT_RETENTION', config.AUDIT_RETENTION);
  config.OPENAPI_TIMEOUT = read.number('OPENAPI_TIMEOUT', config.OPENAPI_TIMEOUT);
  config.SHUTDOWN_DELAY = read.number('SHUTDOWN_DELAY', config.SHUTDOWN_DELAY);
  config.BOOTSTRAP_ADMIN_EMAIL = read.text('BOOTSTRAP_ADMIN_EMAIL');
  config.BOOTSTRAP_ADMIN_TOKEN = read.text('BOOTSTRAP_ADMIN_TOKEN');
  config.BOOTSTRAP_ORGANIZATION = read.text('BOOTSTRAP_ORGANIZATION');
  check(config);
  return config;
}

/** Whether `value` is what Express takes as trusted proxies: addresses, networks or the names of some. */
function areProxies(value: string): boolean {
  return value.split(',').every((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(address)) return bits === undefined;
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    return (
      family !== 0 && rest.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
    );
  });
}

/** Whether `value` names what may be connected to: a network, an address, or a host without its port. */
function isDestination(value: string): boolean {
  return (
    ipaddr.isValidCIDR(value) || isIP(value) !== 0 || /^(?!\d+(\.\d+)*$)[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(value)
  );
}

function check(config: Config): void {
  const wrong = validateSync(config, { stopAtFirstError: true }).flatMap((e) => Object.values(e.constraints ?? {}));
  for (const origin of config.CORS_ORIGINS) {
    if (origin !== '*' && parsedUrl(origin)?.origin !== origin) {
      wrong.push(`CORS_ORIGINS must list origins such as https://docs.example.org, or be *; "${origin}" is none`);
    }
  }
  for (const entry of config.OUTBOUND_ALLOW.filter((one) => !isDestination(one))) {
    wrong.push(
      `OUTBOUND_ALLOW must list networks such as 10.1.0.0/16, addresses or names of hosts; "${entry}" is none`,
    );
  }
  if (config.BOOTSTRAP_ADMIN_EMAIL !== undefined && !isEmail(config.BOOTSTRAP_ADMIN_EMAIL)) {
    wrong.push('BOOTSTRAP_ADMIN_EMAIL must be an e-mail address');
  }
  if (typeof config.TRUST_PROXY === 'string' && !areProxies(config.TRUST_PROXY)) {
    wrong.push('TRUST_PROXY must be true, false, a number of proxies, or their addresses such as 10.0.0.0/8, loopback');
  }
  if (!config.embedded && config.SECRET_KEY === undefined) {
    wrong.push('SECRET_KEY must be set when MONGODB_URI is: 32 random characters or more, the same for every process');
  }
  const bootstrap = [config.BOOTSTRAP_ADMIN_TOKEN, config.BOOTSTRAP_ORGANIZATION];
  if (config.BOOTSTRAP_ADMIN_EMAIL === undefined && bootstrap.some((value) => value !== undefined)) {
    wrong.push('BOOTSTRAP_ADMIN_EMAIL must be set too when another BOOTSTRAP_ variable is');
  }
  if (wrong.length > 0) throw new ConfigError([...new Set(wrong)].join('\n'));
}
