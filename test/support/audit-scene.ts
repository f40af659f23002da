import type { AuditAction } from '../../src/audit/index.js';
import type { Target } from './access-table.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { idOf, type Things } from './things.js';

/** Where an operation is performed. */
export interface Scene {
  app: TestApp;
  at: Things;
  /** The administrator of the organization. */
  admin: TestUser;
  /** A member who may review. */
  reviewer: TestUser;
  /** Somebody without an organization. */
  stranger: TestUser;
  /** Address of a foreign page in Markdown. */
  page: string;
}

/** A scene in which the operation was performed: with what was sent, and what was answered. */
export interface Performed extends Scene {
  body: unknown;
  answer: unknown;
}

/** What an operation records. */
export interface Recorded {
  action: AuditAction;
  /** Who performs it; `nobody`: whoever sends no token. The administrator unless given. */
  by?: 'admin' | 'reviewer' | 'stranger' | 'nobody';
  /** What is sent; made for the scene where it depends on it. */
  body?: object | ((scene: Scene) => Promise<object>);
  type?: string;
  /** It takes something away, or more: it is performed on things of its own. */
  alone?: boolean;
  /** Which thing it is done to. */
  resource: Target | ((performed: Performed) => string);
  /** What it records of the change. */
  changes: object | ((performed: Performed) => object);
  /** Who acts, where it is not who sent the token. */
  actor?: (performed: Performed) => string;
  /** Organizations in which it is recorded, but for that of the scene. */
  organizations?: (performed: Performed) => string[];
  /** Doing it again changes nothing. */
  settles?: boolean;
  /** What makes the request one that is refused, where a stranger would not be: another path, another body. */
  refused?: { at?: Partial<Things>; body?: object };
}

/** An operation that changes something: what it records, or why nothing. */
export type AuditRow = Recorded | { nothing: string };

/** The id of what was answered. */
export const answered = ({ answer }: Performed): string => idOf(answer);

/** That one property changed. */
export const changed = (name: string, before: unknown, after: unknown): object => ({ [name]: { before, after } });
